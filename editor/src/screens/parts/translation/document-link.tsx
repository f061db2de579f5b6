import { useEditor } from '../../../data/editor.ts'
import type { ImportedDocument, ImportReport } from '../../../data/translation.ts'
import { t } from '../../../words/words.ts'
import { documentPath } from '../document-path.ts'

interface DocumentLinkProps {
  readonly document: ImportedDocument
  readonly report: ImportReport
}

/** A document of a file, which leads to its translation, beside the original, where it is there. */
export function DocumentLink({ document, report }: DocumentLinkProps) {
  const { schema, link } = useEditor()
  const { type: name, aposDocId, title, texts, isNew, isChanged } = document
  const type = schema.value.types[name]
  const label = title || `${name}/${aposDocId}`
  const isThere = type !== undefined && title !== '' && !(report.isCheck && isNew)
  return (
    <p>
      {isThere ? (
        <a href={link(documentPath(name, type, aposDocId), { locale: report.to, with: report.from })}>{label}</a>
      ) : (
        <strong>{label}</strong>
      )}{' '}
      <span class="q-translation-quiet">
        {[type?.label ?? '', isChanged ? t.translation.texts(texts) : '', isNew ? t.translation.isNew : '']
          .filter((one) => one !== '')
          .join(', ')}
      </span>
    </p>
  )
}
