import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import type { BlockKind } from './block-kinds.ts'
import { BlockOption } from './block-option.tsx'
import { useTypedStart } from './use-typed-start.ts'

/** Longer lists can be searched. */
const SEARCHED_FROM = 9

interface BlockListProps {
  readonly label: string
  readonly kinds: readonly BlockKind[]
  readonly onChoose: (type: string) => void
  readonly onClose: (isFocusBack: boolean) => void
}

/** A list of blocks to choose from: arrow keys and typing move, Enter chooses, Escape closes. */
export function BlockList({ label, kinds, onChoose, onClose }: BlockListProps) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const words = useSignal('')
  const current = useSignal(0)
  const typedStart = useTypedStart()
  const hasSearch = kinds.length >= SEARCHED_FROM
  const found = kinds.filter(({ info }) => isFound(`${info.label} ${info.description ?? ''}`, words.value))
  useLayoutEffect(() => {
    place.current?.querySelector<HTMLElement>(hasSearch ? 'input' : '[role=listbox]')?.focus()
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const go = (index: number) => {
    current.value = Math.max(0, Math.min(index, found.length - 1))
    document.getElementById(`${id}-${current.value}`)?.scrollIntoView({ block: 'nearest' })
  }
  const active = found.length > 0 ? `${id}-${current.value}` : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the list in it, and of its search.
    <div
      ref={place}
      class="q-block-list"
      onKeyDown={(event) => {
        const { key } = event
        const chosen = found[current.peek()]
        if (key === 'Escape') onClose(true)
        else if (key === 'Enter' || (key === ' ' && !hasSearch)) {
          if (chosen) onChoose(chosen.type)
        } else if (key === 'ArrowDown') go(current.peek() + 1)
        else if (key === 'ArrowUp') go(current.peek() - 1)
        else if (key === 'Home' && !hasSearch) go(0)
        else if (key === 'End' && !hasSearch) go(found.length - 1)
        else if (key.length === 1 && !hasSearch && !event.ctrlKey && !event.metaKey && !event.altKey) {
          const start = typedStart(key)
          const index = found.findIndex(({ info }) => info.label.toLowerCase().startsWith(start))
          if (index >= 0) go(index)
        } else return
        event.preventDefault()
        event.stopPropagation()
      }}
      onFocusOut={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && place.current?.parentElement?.contains(relatedTarget)
        if (!isInside) onClose(false)
      }}
    >
      {hasSearch && (
        <input
          type="text"
          role="combobox"
          class="q-input"
          autocomplete="off"
          aria-label={t.blocks.find}
          placeholder={t.blocks.find}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active}
          onInput={(event) => {
            words.value = event.currentTarget.value
            current.value = 0
          }}
        />
      )}
      <div
        id={id}
        role="listbox"
        tabIndex={hasSearch ? -1 : 0}
        aria-label={label}
        aria-activedescendant={hasSearch ? undefined : active}
        class="q-block-options"
      >
        {found.map((kind, index) => (
          <BlockOption
            key={kind.type}
            id={`${id}-${index}`}
            kind={kind}
            isCurrent={index === current.value}
            onChoose={() => onChoose(kind.type)}
          />
        ))}
      </div>
      <p role="status" class="q-block-none">
        {found.length === 0 ? t.blocks.noneFound : ''}
      </p>
    </div>
  )
}

function isFound(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
