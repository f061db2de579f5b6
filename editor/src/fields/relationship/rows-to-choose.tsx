import { useEditor } from '../../data/editor.ts'
import type { RelatedRow } from '../../data/related.ts'
import { PictureGrid } from '../../ui/picture-grid.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { t } from '../../words/words.ts'
import { titleOf } from './use-chosen.ts'

interface RowsToChooseProps {
  readonly label: string
  readonly rows: readonly RelatedRow[]
  readonly types: readonly string[]
  readonly media: string | null
  readonly isPicked: (docId: string) => boolean
  /** No more can be chosen. */
  readonly isFull: boolean
  readonly onPick: (row: RelatedRow, isPicked: boolean) => void
}

/** Documents with a checkbox each; pictures as a grid. */
export function RowsToChoose({ label, rows, types, media, isPicked, isFull, onPick }: RowsToChooseProps) {
  const { place, schema } = useEditor()
  if (media === `${place.namespace}/image`)
    return (
      <PictureGrid
        label={label}
        pictures={rows.map((row) => ({
          id: row.aposDocId,
          title: titleOf(row),
          src: row._thumbnail ?? null,
          isChosen: isPicked(row.aposDocId),
        }))}
        onChoose={(docId, isChosen) => {
          const row = rows.find((one) => one.aposDocId === docId)
          if (row) onPick(row, isChosen)
        }}
      />
    )
  return (
    <ul class="q-choose-rows" aria-label={label}>
      {rows.map((row) => (
        <li key={row.aposDocId}>
          <label class="q-choose-row">
            <input
              type="checkbox"
              aria-label={t.list.select(titleOf(row))}
              checked={isPicked(row.aposDocId)}
              disabled={isFull && !isPicked(row.aposDocId)}
              onChange={({ currentTarget }) => onPick(row, currentTarget.checked)}
            />
            <span class="q-choose-title">{titleOf(row)}</span>
            {types.length > 1 && <span>{schema.value.types[row.type]?.label}</span>}
            {row.state && <StateMark state={row.state} />}
          </label>
        </li>
      ))}
    </ul>
  )
}
