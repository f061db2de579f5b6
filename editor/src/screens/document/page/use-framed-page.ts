import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../../data/editor.ts'
import { pageStatus } from '../../../data/page-drawing.ts'
import { type FromEditor, type FromPage, newToken, readFromPage, sent, withToken } from '../../../inside/protocol.ts'

/** Milliseconds that a page has to be loaded; and, once it is, to say that it listens. */
const LOADING_MS = 8000
const SILENT_MS = 1000
/** Messages of a page that are heard in a second: more than anybody can press. */
const HEARD = 40

/**
 * `live`: it talks with the editor. `plain`: it does not. `missing`: it is the page for what there is not. `failed`: it is
 * one that says what is wrong. `unreachable`: nobody answered.
 */
export type PageState = 'loading' | 'live' | 'plain' | 'missing' | 'failed' | 'unreachable'

export interface FramedPage {
  readonly frame: RefObject<HTMLIFrameElement | null>
  /** The address with the token; another one for each loading. */
  readonly src: string
  readonly state: Signal<PageState>
  /** True while somebody is at the page: it has the keyboard. What nobody did there, its scripts made up. */
  hasFocus(): boolean
  onLoad(): void
  send(message: FromEditor): void
  reload(): void
}

/**
 * A page in a frame: a stranger, whose messages count with its window and its token. Where its address changes it stays:
 * `reload` goes to the new one.
 */
export function useFramedPage(url: string, hear: (message: FromPage) => void): FramedPage {
  const editor = useEditor()
  const frame = useRef<HTMLIFrameElement>(null)
  const address = useRef(url)
  address.current = url
  const load = useSignal({ url, token: tokenOf() })
  const state = useSignal<PageState>('loading')
  const { current: times } = useRef<number[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reload = () => {
    load.value = { url: address.current, token: tokenOf() }
    state.value = 'loading'
  }
  const look = async () => {
    if (state.peek() !== 'loading') return
    const { value: asked } = load
    const status = await pageStatus(editor, asked.url, AbortSignal.timeout(LOADING_MS))
    if (state.peek() === 'loading' && load.peek() === asked) state.value = stateAfter(status)
  }
  const wait = (milliseconds: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void look(), milliseconds)
  }
  useEffect(() => {
    wait(LOADING_MS)
    return () => clearTimeout(timer.current)
  }, [load.value])
  useEffect(() => {
    const onMessage = ({ source, data, timeStamp }: MessageEvent) => {
      const message = source === frame.current?.contentWindow ? readFromPage(data, load.peek().token) : null
      if (message === null || !isHeard(times, timeStamp)) return
      if (message.kind === 'ready') state.value = 'live'
      hear(message)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  })
  return {
    frame,
    src: withToken(load.value.url, load.value.token),
    state,
    hasFocus: () => frame.current !== null && document.activeElement === frame.current,
    onLoad: () => wait(SILENT_MS),
    send: (message) => frame.current?.contentWindow?.postMessage(sent(message, load.peek().token), '*'),
    reload,
  }
}

/** Notes the time of a message; false where too many came in the second before. */
function isHeard(times: number[], now: number): boolean {
  while (times[0] !== undefined && times[0] < now - 1000) times.shift()
  return times.length < HEARD && times.push(now) > 0
}

function tokenOf(): string {
  return newToken((bytes) => crypto.getRandomValues(bytes))
}

function stateAfter(status: number): PageState {
  if (status === 0) return 'unreachable'
  if (status === 404) return 'missing'
  return status >= 500 ? 'failed' : 'plain'
}
