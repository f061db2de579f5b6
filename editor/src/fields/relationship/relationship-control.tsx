import { useSignal } from '@preact/signals'
import { useEditor } from '../../data/editor.ts'
import { t } from '../../words/words.ts'
import type { ControlProps } from '../control.ts'
import { AddRelated } from './add-related.tsx'
import { ChosenList } from './chosen-list.tsx'
import { MediaUpload } from './media-upload.tsx'
import { useChosen, useTypesOf } from './use-chosen.ts'
import './relationship.css'

/** Documents of other types, in order, each with what the relationship says of it; pictures and files with uploads. */
export function RelationshipControl({ leaf, id, describedBy }: ControlProps) {
  const { place } = useEditor()
  const chosen = useChosen(leaf)
  const types = useTypesOf(leaf)
  const [only = ''] = types.length === 1 ? types : []
  const media = only === `${place.namespace}/image` || only === `${place.namespace}/file` ? only : null
  const isPictures = only === `${place.namespace}/image`
  const newId = useSignal<string | null>(null)
  const amount = t.related.amount(chosen.min, chosen.max)
  return (
    <div class="q-relationship">
      {amount !== '' && <p class="q-field-help">{amount}</p>}
      {chosen.documents.length === 0 && <p class="q-field-help">{t.related.nothing}</p>}
      <ChosenList leaf={leaf} chosen={chosen} isPictures={isPictures} newId={newId.value} addId={id} />
      {!leaf.isLocked && (
        <>
          <AddRelated leaf={leaf} chosen={chosen} types={types} media={media} id={id} describedBy={describedBy} />
          {media && (
            <MediaUpload
              typeName={media}
              leaf={leaf}
              chosen={chosen}
              onMade={({ aposDocId }) => {
                newId.value = aposDocId
              }}
            />
          )}
        </>
      )}
    </div>
  )
}
