import type { ChangeRow } from 'quire-client'
import { t } from '../../../words/words.ts'

type Part = NonNullable<ChangeRow['diff']>[number]

/** The words of a change, one by one where they are known: what was removed, and what was added. */
export function Difference({ row: { diff, oldText, newText } }: { readonly row: ChangeRow }) {
  const sides: readonly Part[] = [
    { text: oldText, change: 'removed' },
    { text: newText, change: 'added' },
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
