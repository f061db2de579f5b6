import type { ComponentChildren } from 'preact'
import type { ChangeRow, FormatChange } from 'quire-client'
import { AiMark } from '../../../ui/ai-mark.tsx'
import { t } from '../../../words/words.ts'
import { ChangedImages } from './changed-images.tsx'
import { ChangedOrder } from './changed-order.tsx'
import { Difference } from './difference.tsx'

interface ChangeItemProps {
  readonly row: ChangeRow
  /** Buttons for the change. */
  readonly children?: ComponentChildren
}

/** One change, in sentences: where, what became of it, and the words or pictures of both sides. */
export function ChangeItem({ row, children }: ChangeItemProps) {
  return (
    <li class="q-change">
      <div class="q-change-head">
        <strong>{placeOf(row)}</strong>
        <AiMark ai={row.ai} />
      </div>
      <p class="q-change-sentence">{t.changes.sentence(row.kind, row.type)}</p>
      <ChangedContent row={row} />
      {children}
    </li>
  )
}

/** Both sides of a change. */
export function ChangedContent({ row }: { readonly row: ChangeRow }) {
  const isOrder = row.kind === 'area' || row.kind === 'array'
  return (
    <div class="q-change-text">
      {row.images ? (
        <ChangedImages images={row.images} />
      ) : isOrder ? (
        <ChangedOrder row={row} />
      ) : (
        <Difference row={row} />
      )}
      {row.formatChanges?.map((change) => (
        <p key={`${change.change} ${change.text} ${change.new?.text}`}>{formatWords(change)}</p>
      ))}
    </div>
  )
}

/** Where a change lies: `Body › Text 1 “Ink”`. */
export function placeOf({ path }: Pick<ChangeRow, 'path'>): string {
  return path
    .map(({ label, ordinal, title }) => [label, ordinal, title && `“${title}”`].filter(Boolean).join(' '))
    .join(' › ')
}

/** Identifies a change in its list. */
export function keyOf({ path, kind, type }: ChangeRow): string {
  return `${path.map(({ name }) => name).join('.')} ${kind} ${type}`
}

function formatWords({ label, type, text, old, new: now }: FormatChange): string {
  return t.changes.format(label, type, text, old?.text ?? '', now?.text ?? '')
}
