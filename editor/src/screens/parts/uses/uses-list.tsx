import { useEditor } from '../../../data/editor.ts'
import { t } from '../../../words/words.ts'
import { documentPath } from '../document-path.ts'
import type { Use, Uses } from './uses.ts'
import './uses.css'

/** The documents that use one, as links, with the fields where they do. */
export function UsesList({ uses: { documents, total } }: { readonly uses: Uses }) {
  return (
    <ul class="q-uses">
      {documents.map((use) => (
        <UseLink key={use.docId} use={use} />
      ))}
      {total > documents.length && <li>{t.uses.more(total - documents.length)}</li>}
    </ul>
  )
}

function UseLink({ use: { typeName, docId, title, places } }: { readonly use: Use }) {
  const { schema, link } = useEditor()
  const type = schema.value.types[typeName]
  if (type === undefined) return <li>{title}</li>
  return (
    <li>
      <a href={link(documentPath(typeName, type, docId))}>{title}</a> {type.label}
      {places.length > 0 && <span class="q-uses-places">{places.join(', ')}</span>}
    </li>
  )
}
