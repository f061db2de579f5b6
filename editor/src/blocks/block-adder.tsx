import type { Signal } from '@preact/signals'
import { Plus } from 'lucide'
import { useRef } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { BlockKind } from './block-kinds.ts'
import { BlockList } from './block-list.tsx'
import './block-adder.css'

interface BlockAdderProps {
  /** Where it adds. */
  readonly at: number
  /** Where in the area the list of blocks is open. */
  readonly open: Signal<number | null>
  readonly label: string
  /** The name of the list that it opens. */
  readonly listLabel: string
  readonly kinds: readonly BlockKind[]
  readonly offBecause: string | null
  /** Between two blocks it is quiet. */
  readonly isBetween?: boolean
  readonly onChoose: (type: string, at: number) => void
}

/** A button that lets somebody choose what block to add. */
export function BlockAdder(props: BlockAdderProps) {
  const { at, open, label, listLabel, kinds, offBecause, isBetween = false, onChoose } = props
  const isOpen = open.value === at
  const place = useRef<HTMLDivElement>(null)
  const close = (isFocusBack: boolean) => {
    if (open.peek() === at) open.value = null
    if (isFocusBack) place.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={place} class={isBetween ? 'q-adder q-adder--between' : 'q-adder'}>
      <Button
        offBecause={offBecause}
        {...(isBetween && { label, kind: 'quiet' as const })}
        onPress={() => {
          open.value = isOpen ? null : at
        }}
        attributes={{ 'aria-haspopup': 'listbox', 'aria-expanded': isOpen }}
      >
        <Icon of={Plus} />
        {!isBetween && label}
      </Button>
      {isOpen && offBecause === null && (
        <BlockList
          label={listLabel}
          kinds={kinds}
          onChoose={(type) => {
            close(false)
            onChoose(type, at)
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
