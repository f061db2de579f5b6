import type { ChangeRow, Json, Schema } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { t } from '../../../words/words.ts'
import { wordsIn } from './value-text.ts'

type Part = NonNullable<ChangeRow['diff']>[number]

/** The words of a change, one by one where they are known: what was removed, and what was added. */
export function Difference({ row }: { readonly row: ChangeRow }) {
  const { widgets } = useEditor().schema.value
  const { diff } = row
  const sides: readonly Part[] = [
    { text: wordsOf(row, row.old, widgets) || row.oldText, change: 'removed' },
    { text: wordsOf(row, row.new, widgets) || row.newText, change: 'added' },
  ]
  const parts = diff ?? sides.filter(({ text }) => text !== '')
  if (parts.length === 0) return null
  return (
    <p class="q-difference">
      {parts.map((part, index) => (
        <Piece key={`${index} ${part.change}`} {...part} />
      ))}
    </p>
  )
}

/** Of whole blocks and items what they hold, where the service only says what they are called. */
function wordsOf({ kind }: ChangeRow, value: Json | undefined, widgets: Schema['widgets']): string {
  return kind === 'widget' || kind === 'arrayItem' ? wordsIn(value, widgets).trim() : ''
}

function Piece({ text, change }: Part) {
  if (change === 'same') return <span>{text}</span>
  if (change === 'added')
    return (
      <ins>
        <span class="q-hidden">{t.changes.insertion} </span>
        {text}
      </ins>
    )
  return (
    <del>
      <span class="q-hidden">{t.changes.deletion} </span>
      {text}
    </del>
  )
}
