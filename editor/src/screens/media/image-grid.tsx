import { TriangleAlert } from 'lucide'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { Icon } from '../../ui/icon.tsx'
import { PictureGrid } from '../../ui/picture-grid.tsx'
import { StateMark, stateOf } from '../../ui/state-mark.tsx'
import { t } from '../../words/words.ts'
import { documentPath } from '../parts/document-path.ts'
import { idOf, titleOf } from '../parts/list/row.ts'
import { type OpenList, toggled } from '../parts/list/use-list.ts'
import { MediaActions } from './media-actions.tsx'
import { fileOf } from './media-file.ts'

interface ImageGridProps {
  readonly list: OpenList
  readonly rows: readonly JsonObject[]
}

/** Images as pictures: a link to each, its state, and whether its alternative text is missing. */
export function ImageGrid({ list, rows }: ImageGridProps) {
  const { link } = useEditor()
  const { name, type, chosen } = list
  return (
    <PictureGrid
      label={type.pluralLabel}
      pictures={rows.map((row) => ({
        id: idOf(row),
        title: titleOf(row),
        src: fileOf(row).thumbnail,
        isChosen: chosen.value.has(idOf(row)),
        href: link(documentPath(name, type, String(row.aposDocId))),
        detail: <Detail list={list} row={row} />,
      }))}
      onChoose={(id) => {
        const row = rows.find((one) => idOf(one) === id)
        if (row) chosen.value = toggled(chosen.value, id, titleOf(row))
      }}
    />
  )
}

function Detail({ list, row }: { readonly list: OpenList; readonly row: JsonObject }) {
  return (
    <>
      <StateMark state={stateOf(row)} />
      {!row.alt && (
        <span class="q-media-warning">
          <Icon of={TriangleAlert} /> {t.media.noAlternativeText}
        </span>
      )}
      <MediaActions name={list.name} row={row} />
    </>
  )
}
