import { documentPath } from '../../data/document-path.ts'
import { useEditor } from '../../data/editor.ts'
import type { Left } from '../../data/saving/journal.ts'
import { t } from '../../words/words.ts'
import { When } from './when.tsx'

/** Documents with changes on this device only, each with the way to it. */
export function LeftList({ left, onChosen }: { readonly left: readonly Left[]; readonly onChosen?: () => void }) {
  const { schema, link } = useEditor()
  const { types } = schema.value
  return (
    <ul>
      {left.map(({ place, writer, title, time }) => {
        const type = types[place.type]
        if (type === undefined) return null
        const docId = place.docId === `new ${place.type}` ? 'new' : place.docId
        const query = place.locale === null ? {} : { locale: place.locale }
        return (
          <li key={`${place.docId} ${writer}`} class="q-card-row">
            <a href={link(documentPath(place.type, type, docId), query)} onClick={onChosen}>
              {title || t.document.newOf(type.label)}
            </a>
            <span>{type.label}</span>
            <When time={new Date(time).toISOString()} />
          </li>
        )
      })}
    </ul>
  )
}
