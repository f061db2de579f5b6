import ComboboxNav from '@github/combobox-nav'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Input } from './input.tsx'
import { announce } from './live.tsx'
import './combobox.css'

const PAUSE_MS = 120

/** One suggestion. */
export interface Option {
  readonly id: string
  readonly label: string
  /** A second line. */
  readonly detail?: ComponentChildren
}

interface ComboboxProps {
  /** The id of the control; a label elsewhere may name it. */
  readonly id?: string
  /** Its name, where no label does. */
  readonly label?: string
  readonly describedBy?: string | undefined
  readonly placeholder?: string
  readonly isInvalid?: boolean
  /** Finds suggestions; an earlier search is ended by `signal`. */
  readonly find: (words: string, signal: AbortSignal) => Promise<readonly Option[]>
  readonly onChoose: (option: Option) => void
}

/** A text box with suggestions: arrow keys move through them, Enter takes one, Escape closes. */
export function Combobox({ id, label, describedBy, placeholder, isInvalid, find, onChoose }: ComboboxProps) {
  const ownId = useId()
  const place = useRef<HTMLDivElement>(null)
  const options = useSignal<readonly Option[]>([])
  const isOpen = useSignal(false)
  const search = useRef<AbortController>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const nav = useRef<ComboboxNav>(undefined)
  useEffect(() => {
    const input = place.current?.querySelector('input')
    const list = place.current?.querySelector<HTMLElement>('[role=listbox]')
    if (!input || !list) return
    const combobox = new ComboboxNav(input, list, { firstOptionSelectionMode: 'active' })
    nav.current = combobox
    return () => {
      combobox.destroy()
      search.current?.abort()
      clearTimeout(timer.current)
    }
  }, [])
  const close = () => {
    clearTimeout(timer.current)
    search.current?.abort()
    isOpen.value = false
    nav.current?.stop()
  }
  const show = (found: readonly Option[]) => {
    options.value = found
    isOpen.value = true
    announce(t.form.suggestions(found.length))
    nav.current?.stop()
    nav.current?.start()
  }
  const look = (words: string, pause: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(async () => {
      search.current?.abort()
      search.current = new AbortController()
      const { signal } = search.current
      try {
        const found = await find(words, signal)
        if (!signal.aborted) show(found)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }, pause)
  }
  return (
    <div ref={place} class="q-combobox">
      <Input
        id={id ?? ownId}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isInvalid ? 'true' : undefined}
        aria-expanded={isOpen.value}
        aria-controls={`${ownId}-list`}
        placeholder={placeholder}
        onClick={(event) => look(event.currentTarget.value, 0)}
        onInput={(event) => look(event.currentTarget.value, PAUSE_MS)}
        onBlur={(event) => {
          // Words that chose nothing would look like a value.
          event.currentTarget.value = ''
          close()
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !isOpen.value) look(event.currentTarget.value, 0)
          if (event.key !== 'Escape' || !isOpen.value) return
          event.stopPropagation()
          close()
        }}
      />
      <div
        id={`${ownId}-list`}
        role="listbox"
        aria-label={label ?? t.form.suggestionsList}
        class="q-combobox-list"
        hidden={!isOpen.value || options.value.length === 0}
      >
        {options.value.map((option) => (
          <div
            key={option.id}
            id={`${ownId}-${option.id}`}
            role="option"
            tabIndex={-1}
            class="q-combobox-option"
            onPointerDown={(event) => event.preventDefault()}
            {...{
              'oncombobox-commit': () => {
                const input = place.current?.querySelector('input')
                if (input) input.value = ''
                close()
                onChoose(option)
              },
            }}
          >
            <span>{option.label}</span>
            {option.detail && <small>{option.detail}</small>}
          </div>
        ))}
      </div>
    </div>
  )
}
