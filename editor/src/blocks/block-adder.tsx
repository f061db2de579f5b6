import { useSignal } from '@preact/signals'
import { Plus } from 'lucide'
import { useRef } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { BlockKind } from './block-kinds.ts'
import { BlockList } from './block-list.tsx'
import './block-adder.css'

interface BlockAdderProps {
  readonly label: string
  /** The name of the list that it opens. */
  readonly listLabel: string
  readonly kinds: readonly BlockKind[]
  readonly offBecause: string | null
  /** Between two blocks it is quiet. */
  readonly isBetween?: boolean
  readonly onChoose: (type: string) => void
}

/** A button that lets somebody choose what block to add. */
export function BlockAdder({ label, listLabel, kinds, offBecause, isBetween = false, onChoose }: BlockAdderProps) {
  const isOpen = useSignal(false)
  const place = useRef<HTMLDivElement>(null)
  const close = (isFocusBack: boolean) => {
    isOpen.value = false
    if (isFocusBack) place.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={place} class={isBetween ? 'q-adder q-adder--between' : 'q-adder'}>
      <Button
        offBecause={offBecause}
        {...(isBetween && { label, kind: 'quiet' as const })}
        onPress={() => {
          isOpen.value = !isOpen.peek()
        }}
        attributes={{ 'aria-haspopup': 'listbox', 'aria-expanded': isOpen.value }}
      >
        <Icon of={Plus} />
        {!isBetween && label}
      </Button>
      {isOpen.value && offBecause === null && (
        <BlockList
          label={listLabel}
          kinds={kinds}
          onChoose={(type) => {
            close(false)
            onChoose(type)
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
