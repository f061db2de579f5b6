import type { Site, Type } from '../../model/declared/types.ts'

/** The parameters of lists of images and files, in addition to those of their fields (§4.3). */
const UPLOAD_FILTERS = ['hasAlt', 'isUsed', 'extension', 'minWidth', 'minHeight'] as const
const OF_IMAGES: ReadonlySet<UploadFilter> = new Set(['minWidth', 'minHeight'])

type UploadFilter = (typeof UPLOAD_FILTERS)[number]

/** The parameter of that name, where lists of the type take it: a field of the site with that name wins. */
export function uploadFilter(site: Pick<Site, 'namespace'>, type: Type, name: string): UploadFilter | null {
  const filter = UPLOAD_FILTERS.find((one) => one === name)
  if (filter === undefined || type.fields.byName.has(name) || type.queries.has(name)) return null
  const isImage = type.name === `${site.namespace}/image`
  const takesIt = isImage || (type.name === `${site.namespace}/file` && !OF_IMAGES.has(filter))
  return takesIt ? filter : null
}
