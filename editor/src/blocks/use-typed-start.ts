import { useRef } from 'preact/hooks'

const PAUSE_MS = 700

/** Gathers letters that are typed one after another; after a pause a new word begins. */
export function useTypedStart(): (key: string) => string {
  const typed = useRef({ text: '', at: 0 })
  return (key) => {
    const now = performance.now()
    const before = now - typed.current.at < PAUSE_MS ? typed.current.text : ''
    typed.current = { text: before + key.toLowerCase(), at: now }
    return typed.current.text
  }
}
