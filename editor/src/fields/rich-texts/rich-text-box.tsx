import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { loadPart } from '../../data/build.ts'
import type { Place, TypedKey } from '../../rich-text/index.ts'
import { LiveText } from './live-text.tsx'
import { RestingText } from './resting-text.tsx'
import type { Entrance, RichTextBoxProps } from './rich-text-props.ts'
import { TextFailed } from './text-failed.tsx'
import { useKeptTyping } from './use-kept-typing.ts'
import '../../rich-text/rich-text.css'
import './rich-text-box.css'

/** A rich text: its HTML, until somebody enters it. What is typed while the part is loaded is not lost. */
export function RichTextBox(props: RichTextBoxProps) {
  const place = useRef<HTMLDivElement>(null)
  const entrance = useSignal<Entrance | null>(null)
  const loading = useRef<{ at: Place } | null>(null)
  const typed = useRef<TypedKey[]>([])
  const hasFailed = useSignal(false)
  const keep = useKeptTyping(props)
  const hasFocus = () => place.current?.contains(document.activeElement) ?? false
  const enter = async (at: Place) => {
    const wanted = { at }
    loading.current = wanted
    try {
      const part = await loadPart(() => import('../../rich-text/index.ts'))
      hasFailed.value = false
      if (hasFocus() || typed.current.length > 0)
        entrance.value = { part, at: selected(wanted.at), typed: typed.current.splice(0) }
    } catch {
      hasFailed.value = true
      keep(typed.current.splice(0))
    } finally {
      loading.current = null
    }
  }
  const goTo = (at: Place) => {
    if (loading.current === null) void enter(at)
    else loading.current.at = at
  }
  if (entrance.value !== null)
    return (
      <div ref={place} class="q-rich-text-box" tabIndex={-1}>
        <LiveText
          {...props}
          entrance={entrance.value}
          onLeave={() => {
            entrance.value = null
          }}
        />
      </div>
    )
  return (
    <div ref={place} class="q-rich-text-box" tabIndex={-1}>
      <RestingText
        {...props}
        onEnter={goTo}
        onType={(key, isAllSelected) => {
          // Enter alone is how a text is entered.
          if (loading.current !== null || !('key' in key)) typed.current.push(key)
          if (isAllSelected) goTo('all')
          else if (loading.current === null) goTo('end')
        }}
      />
      {hasFailed.value && (
        <TextFailed
          onRetry={() => {
            place.current?.querySelector<HTMLElement>('[role=textbox]')?.focus()
            goTo('end')
          }}
        />
      )}
    </div>
  )
}

/** Where all of the text was selected before it was there, it still is. */
function selected(at: Place): Place {
  return at === 'end' && getSelection()?.isCollapsed === false ? 'all' : at
}
