import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { useQuery } from '../../data/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { documentPath } from '../parts/document-path.ts'
import { titleOf } from '../parts/list/row.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { type Use, usesOf } from './uses.ts'

interface UsesDialogProps {
  readonly name: string
  readonly row: JsonObject
  readonly onClose: () => void
}

/** The documents that use an image or a file, as links. */
export function UsesDialog({ name, row, onClose }: UsesDialogProps) {
  const editor = useEditor()
  const docId = String(row.aposDocId)
  const uses = useQuery(['documents', 'uses', editor.locale.value, docId], (signal) =>
    usesOf(editor, name, { docId, signal }),
  )
  return (
    <Dialog title={t.media.whereOf(titleOf(row))} onClose={onClose}>
      {uses.error !== null && <LoadFailure error={uses.error} onRetry={uses.retry} />}
      {uses.data === undefined && uses.error === null && <Skeleton rows={3} />}
      {uses.data?.length === 0 && <p>{t.media.unused}</p>}
      <ul class="q-media-uses">
        {uses.data?.map((use) => (
          <UseLink key={String(use.document._id)} use={use} />
        ))}
      </ul>
      {uses.data && <p class="q-media-note">{t.media.whereHelp}</p>}
    </Dialog>
  )
}

function UseLink({ use: { typeName, document } }: { readonly use: Use }) {
  const { schema, link } = useEditor()
  const type = schema.value.types[typeName]
  if (type === undefined) return null
  return (
    <li>
      <a href={link(documentPath(typeName, type, String(document.aposDocId)))}>{titleOf(document)}</a> {type.label}
    </li>
  )
}
