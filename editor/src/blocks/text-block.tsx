import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useId, useMemo, useRef } from 'preact/hooks'
import type { Json } from 'quire-client'
import { FieldMark } from '../fields/field-mark.tsx'
import { lockOf, wordsOf } from '../fields/leaf-field.tsx'
import { RichTextBox } from '../fields/rich-texts/rich-text-box.tsx'
import type { Leaf } from '../model/form.ts'
import { describedBy, FieldNotes } from '../ui/field-frame.tsx'
import { t } from '../words/words.ts'
import type { BlockKind } from './block-kinds.ts'
import { BlockList } from './block-list.tsx'

/** Blocks that may come in the place of a text. */
export interface OtherBlocks {
  /** The name of the list. */
  readonly label: string
  readonly kinds: readonly BlockKind[]
  readonly onChoose: (type: string) => void
}

interface TextBlockProps {
  readonly leaf: Leaf
  /** The name of the block. */
  readonly block: ReadonlySignal<string>
  readonly others: OtherBlocks
}

/** A text among blocks: it reads as on a page. A `/` in an empty one opens the list of blocks. */
export function TextBlock({ leaf, block, others }: TextBlockProps) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const isChoosing = useSignal(false)
  const typed = useMemo(
    () =>
      withSlash(leaf, () => {
        isChoosing.value = place.current?.contains(document.activeElement) ?? false
      }),
    [leaf, isChoosing],
  )
  const { label, help } = leaf.field
  const problems = wordsOf(leaf.problems.value)
  const lock = lockOf(leaf)
  return (
    <div ref={place} class="q-text-block" data-path={leaf.path.join('.')}>
      <RichTextBox
        leaf={typed}
        id={id}
        label={t.blocks.textOf(block.value, label)}
        describedBy={describedBy(id, { help, lock, problems })}
        isInvalid={problems.length > 0}
      />
      {isChoosing.value && (
        <BlockList
          label={others.label}
          kinds={others.kinds}
          onChoose={others.onChoose}
          onClose={(isFocusBack) => {
            isChoosing.value = false
            if (isFocusBack) place.current?.querySelector<HTMLElement>('[role=textbox]')?.focus()
          }}
        />
      )}
      <FieldMark path={leaf.path} />
      <FieldNotes id={id} help={help} problems={problems} lock={lock} />
    </div>
  )
}

/** A text that says, with the key itself, when somebody types a `/` into it while it is empty. */
function withSlash(leaf: Leaf, onSlash: () => void): Leaf {
  return {
    ...leaf,
    set(value) {
      const isEmpty = bare(leaf.value.peek()) === ''
      leaf.set(value)
      if (isEmpty && bare(value) === '/') onSlash()
    },
  }
}

/** A text without the paragraphs around it. */
function bare(value: Json): string {
  return String(value ?? '').replace(/<\/?(?:p|h[1-6]|br)\b[^>]*>/g, '')
}
