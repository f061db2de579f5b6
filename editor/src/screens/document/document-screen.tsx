import { useRoute } from 'preact-iso'
import { useEditor } from '../../data/editor.ts'
import { NoPlace } from '../parts/no-place.tsx'
import { FoundDocument } from './found-document.tsx'

/** A piece at `/content/:type/:docId`, a new one at `/content/:type/new`, a page at `/pages/:docId`. */
export function DocumentScreen() {
  const { type: typeName, docId = '' } = useRoute().params
  const { schema, locale, place } = useEditor()
  const type = typeName === undefined ? null : schema.value.types[typeName]
  if (type === undefined || type?.family === 'page') return <NoPlace />
  const isNew = docId === 'new'
  const path = typeName ?? `${place.namespace}/page`
  const wanted = {
    path,
    docId: isNew ? null : docId,
    locale: locale.value,
    ...(typeName === undefined ? {} : { typeName }),
  }
  return <FoundDocument key={`${path} ${docId} ${locale.value}`} wanted={wanted} />
}
