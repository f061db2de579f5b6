import type { FieldInfo, JsonObject, Schema, Version } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { useQuery } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { readVersion } from '../../../data/version-requests.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { textOf, wordsIn } from '../../parts/changes/value-text.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'

interface WholeDocumentProps {
  readonly version: Version
  readonly draft: OpenDraft
  readonly name: string
  readonly onClose: () => void
}

/** The document as it was in a version, to be read: field by field, and what the site no longer has as text. */
export function WholeDocument({ version, draft, name, onClose }: WholeDocumentProps) {
  const editor = useEditor()
  const { data, error, retry } = useQuery([draft.typeName, 'whole', version._id, version.updatedAt], () =>
    readVersion(editor, version._id),
  )
  const values = data === undefined ? [] : filledIn(draft.type.fields, data, editor.schema.value.widgets)
  return (
    <Dialog title={t.history.wholeTitle(name)} size="large" onClose={onClose}>
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={6} />}
      {data !== undefined && values.length === 0 && <p>{t.history.wholeEmpty}</p>}
      <dl class="q-whole">
        {values.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** The fields that hold something, each in words; state that no version has is left out. */
function filledIn(fields: readonly FieldInfo[], document: JsonObject, widgets: Schema['widgets']) {
  const isOfVersion = ({ name }: FieldInfo) => name !== 'archived' && name !== 'visibility'
  return fields.filter(isOfVersion).flatMap((field) => {
    const value = document[field.name]
    const isEmpty = typeof value !== 'boolean' && wordsIn(value, widgets).trim() === ''
    return isEmpty ? [] : [{ label: field.label, text: textOf(value, widgets) }]
  })
}
