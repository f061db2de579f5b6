import type { Site, Type } from '../../model/declared/types.ts'

/** The parameters of lists of images and files, in addition to those of their fields (§4.3). */
const UPLOAD_FILTERS = ['hasAlt', 'isUsed', 'extension'] as const

type UploadFilter = (typeof UPLOAD_FILTERS)[number]

/** Whether documents of a type are uploads: images or files. */
function isUploadType({ namespace }: Pick<Site, 'namespace'>, { name }: Pick<Type, 'name'>): boolean {
  return name === `${namespace}/image` || name === `${namespace}/file`
}

/** The parameter of that name, where lists of the type take it: a field of the site with that name wins. */
export function uploadFilter(site: Pick<Site, 'namespace'>, type: Type, name: string): UploadFilter | null {
  const filter = UPLOAD_FILTERS.find((one) => one === name)
  const isTaken = type.fields.byName.has(name) || type.queries.has(name)
  return filter !== undefined && !isTaken && isUploadType(site, type) ? filter : null
}
