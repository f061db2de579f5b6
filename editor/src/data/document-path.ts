import type { TypeInfo } from 'quire-client'

/** Where a document is edited, below the editor's own path. `docId` is the bare id. */
export function documentPath(typeName: string, type: TypeInfo, docId: string): string {
  return type.family === 'page' ? `/pages/${docId}` : `/content/${encodeURIComponent(typeName)}/${docId}`
}

/** Where the list is that the documents of a type stand in, below the editor's own path. */
export function listPath(typeName: string, type: TypeInfo, namespace: string): string {
  if (type.family === 'page') return '/pages'
  if (typeName === `${namespace}/image`) return '/media/images'
  if (typeName === `${namespace}/file`) return '/media/files'
  return `/content/${encodeURIComponent(typeName)}`
}
