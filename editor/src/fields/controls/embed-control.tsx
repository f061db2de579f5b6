import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Json } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { isObject } from '../../model/json.ts'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'

const PAUSE_MS = 400

/** An address of another site, as the service knows it (reference, §4.8). */
interface Embedded {
  readonly provider_name?: string
  readonly title?: string
  readonly thumbnail_url?: string
}

/** The address of something at another site; what the service finds there is shown below it, and stored with it. */
export function EmbedControl(props: ControlProps) {
  const { leaf } = props
  const value = leaf.value.value
  const url = urlIn(value)
  const said = useSignal(isObject(value) && typeof value.title === 'string' ? value.title : '')
  const look = useLook(props, (words) => {
    said.value = words
  })
  return (
    <>
      <span class="q-row">
        <Input
          {...inputProps(props)}
          type="url"
          value={url}
          readOnly={leaf.isLocked}
          onInput={({ currentTarget }) => {
            const typed = currentTarget.value
            leaf.set(typed === '' ? null : { url: typed, title: '', thumbnail: '' })
            look(typed)
          }}
        />
        {/^https?:/.test(url) && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {t.form.open}
          </a>
        )}
      </span>
      <small aria-live="polite">{said}</small>
    </>
  )
}

/** Asks the service, once the typing pauses. */
function useLook({ leaf }: ControlProps, say: (words: string) => void) {
  const { request } = useEditor()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = async (url: string) => {
    say(t.controls.embedLooking)
    try {
      const found = await request<Embedded>('GET', '@cms/oembed/query', { query: { url } })
      if (urlIn(leaf.value.peek()) !== url) return
      const { title = '', thumbnail_url: thumbnail = '', provider_name: provider = '' } = found
      leaf.set({ url, title, thumbnail })
      say(t.controls.embedFound(title, provider))
    } catch (error) {
      if (urlIn(leaf.value.peek()) === url) say(failureOf(error).message)
    }
  }
  return (typed: string) => {
    clearTimeout(timer.current)
    const url = typed.trim()
    say('')
    if (/^https?:\/\/./.test(url)) timer.current = setTimeout(() => void ask(url), PAUSE_MS)
  }
}

function urlIn(value: Json): string {
  return isObject(value) && typeof value.url === 'string' ? value.url : ''
}
