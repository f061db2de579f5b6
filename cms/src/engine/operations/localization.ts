import { invalid } from '../../base/errors.ts'
import { own, type UnknownObject } from '../../base/json.ts'
import type { Site } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document-id.ts'

/** The locale that a document is copied to, and options (§3.4). */
export interface Localization {
  readonly toLocale: string
  /** Overwrites the draft that is there. */
  readonly update: boolean
  /** Also publishes it there. */
  readonly publish: boolean
  /** Makes a draft even of a type that publishes every save. */
  readonly asDraft?: boolean
  /** The types whose related documents come along where they are not there yet; `all` for every type. */
  readonly related: ReadonlySet<string> | 'all'
  readonly ifMatch?: string | null
  /** Documents that do not come along as related ones: they are localized themselves. */
  readonly requested?: ReadonlySet<DocId>
}

/** Reads a body `{ toLocale, update?, publish?, related? }`. Throws `invalid` for unknown locales and types. */
export function readLocalization(site: Site, body: UnknownObject): Localization {
  const toLocale = own(body, 'toLocale')
  if (typeof toLocale !== 'string' || !site.locales.has(toLocale)) {
    throw invalid(`toLocale must be one of ${[...site.locales.keys()].join(', ')}.`)
  }
  return {
    toLocale,
    update: isSet(body, 'update'),
    publish: isSet(body, 'publish'),
    related: readRelated(site, own(body, 'related')),
  }
}

/**
 * An option of a body that is true or false, also as a text; false when left out. Throws `invalid` for anything else.
 */
export function isSet(body: UnknownObject, name: string): boolean {
  const value = own(body, name) ?? false
  if (value !== true && value !== false && value !== 'true' && value !== 'false') {
    throw invalid(`${name} must be true or false.`)
  }
  return value === true || value === 'true'
}

function readRelated(site: Site, related: unknown): Localization['related'] {
  if (related === undefined) return new Set([`${site.namespace}/image`, `${site.namespace}/file`])
  if (related === true || related === 'true') return 'all'
  if (related === false || related === 'false') return new Set()
  if (Array.isArray(related) && related.every((name) => typeof name === 'string' && site.types.has(name))) {
    return new Set(related)
  }
  throw invalid('related must be true, false, or a list of types.')
}
