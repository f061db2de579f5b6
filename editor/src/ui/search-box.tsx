import { useEffect, useRef } from 'preact/hooks'
import { Input } from './input.tsx'
import './search-box.css'

const PAUSE_MS = 150

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  /** Called once the typing pauses. */
  readonly onSearch: (words: string) => void
}

/** A box to search in, as you type. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const input = box.current?.querySelector('input')
    if (input && input !== document.activeElement) input.value = value
  }, [value])
  const search = (words: string, pause: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(words), pause)
  }
  return (
    <search ref={box} class="q-search">
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        onInput={(event) => search(event.currentTarget.value, PAUSE_MS)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(event.currentTarget.value, 0)
        }}
      />
    </search>
  )
}
