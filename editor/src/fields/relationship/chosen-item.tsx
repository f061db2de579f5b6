import { X } from 'lucide'
import { useId } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import { documentPath } from '../../data/document-path.ts'
import { useEditor } from '../../data/editor.ts'
import type { RelatedImage, RelatedRow } from '../../data/related.ts'
import { docIdOf } from '../../model/fields.ts'
import type { Leaf } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { AlternativeText } from './alternative-text.tsx'
import { ChosenPicture } from './chosen-picture.tsx'
import { CropUse } from './crop-use.tsx'
import { MoveButtons } from './move-buttons.tsx'
import { RelatedFields } from './related-fields.tsx'
import { titleOf } from './use-chosen.ts'

interface ChosenItemProps {
  readonly leaf: Leaf
  readonly document: JsonObject
  /** The document as it is now; undefined while it is unknown, or where the caller does not see it. */
  readonly row: RelatedRow | undefined
  readonly isKnown: boolean
  /** Of a picture, once it is known. */
  readonly image: RelatedImage | undefined
  /** Whether it was just uploaded. */
  readonly isNew: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: 1 | -1, button: HTMLElement) => void
  readonly onRemove: () => void
}

/** One chosen document: its title and state, its place in the order, and what the relationship says of it. */
export function ChosenItem(props: ChosenItemProps) {
  const { leaf, document, row, isKnown, image, isNew, isFirst, isLast, onMove, onRemove } = props
  const id = useId()
  const docId = docIdOf(document)
  const title = titleOf(row ?? document)
  return (
    <li>
      <fieldset class="q-chosen" aria-labelledby={id}>
        <div class="q-chosen-head">
          {image?.picture ? (
            <ChosenPicture leaf={leaf} docId={docId} picture={image.picture} />
          ) : (
            row?._thumbnail && <img class="q-thumbnail" src={row._thumbnail} alt="" />
          )}
          <span class="q-chosen-title">
            <DocumentLink id={id} docId={docId} typeName={String(row?.type ?? document.type ?? '')} title={title} />
            {isKnown && <StateNote row={row} />}
          </span>
          {!leaf.isLocked && (
            <span class="q-chosen-tools">
              {leaf.field.options.max !== 1 && <MoveButtons isFirst={isFirst} isLast={isLast} onMove={onMove} />}
              <Button kind="quiet" label={t.blocks.remove} onPress={onRemove} attributes={{ 'data-remove': '' }}>
                <Icon of={X} />
              </Button>
            </span>
          )}
        </div>
        {image?.picture && <CropUse leaf={leaf} docId={docId} title={title} picture={image.picture} />}
        {image && <AlternativeText docId={docId} stored={image.alternative} isNew={isNew} />}
        <RelatedFields leaf={leaf} docId={docId} />
      </fieldset>
    </li>
  )
}

interface DocumentLinkProps {
  readonly id: string
  readonly docId: string
  readonly typeName: string
  readonly title: string
}

function DocumentLink({ id, docId, typeName, title }: DocumentLinkProps) {
  const { schema, link } = useEditor()
  const type = schema.value.types[typeName]
  if (type === undefined) return <span id={id}>{title}</span>
  return (
    <a id={id} href={link(documentPath(typeName, type, docId))}>
      {title}
    </a>
  )
}

/** Says why visitors do not see the document. */
function StateNote({ row }: { readonly row: RelatedRow | undefined }) {
  if (row === undefined) return <small class="q-warning">{t.related.missing}</small>
  if (row.archived === true) return <small class="q-warning">{t.related.archived}</small>
  return row.state === 'draft' ? <small class="q-warning">{t.related.draft}</small> : null
}
