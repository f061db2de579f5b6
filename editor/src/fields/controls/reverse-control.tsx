import { documentPath } from '../../data/document-path.ts'
import { useEditor } from '../../data/editor.ts'
import { docIdOf } from '../../model/fields.ts'
import { chosenIn } from '../../model/related.ts'
import { t } from '../../words/words.ts'
import type { ControlProps } from '../control.ts'

/** The documents that refer to this one, as links. */
export function ReverseControl({ leaf }: ControlProps) {
  const { schema, link } = useEditor()
  const documents = chosenIn(leaf.value.value)
  if (documents.length === 0) return <p>{t.related.reverseEmpty}</p>
  return (
    <ul class="q-links">
      {documents.map((document) => {
        const typeName = String(document.type)
        const type = schema.value.types[typeName]
        const title = String(document.title || t.related.untitled)
        return (
          <li key={docIdOf(document)}>
            {type ? <a href={link(documentPath(typeName, type, docIdOf(document)))}>{title}</a> : title}
          </li>
        )
      })}
    </ul>
  )
}
