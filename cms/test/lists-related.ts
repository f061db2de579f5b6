import { type KnownType, TYPES } from './lists-site.ts'
import { isAtLeast, relatedSeenBy, type Seen, type Stored, sees } from './lists-truth.ts'

/** What a relationship leads to, as a caller sees it. */
export interface Led {
  readonly to: KnownType
  /** Null where the caller sees none of them. */
  readonly seen: Seen | null
  readonly seesTitle: boolean
  readonly seesSlug: boolean
  idsOf(document: Stored): string[]
  targets(document: Stored): Stored[]
}

/** The documents that there are, and how the caller of a list sees them. */
export interface NaiveView {
  readonly all: readonly Stored[]
  readonly seen: Seen
  readonly isVisit: boolean
}

/** The relationships of documents of a list, as its caller sees them. */
export class NaiveRelationships {
  readonly #view: NaiveView

  constructor(view: NaiveView) {
    this.#view = view
  }

  /** By its name, with `_` or without; null where the caller does not see it. */
  find(named: string): Led | null {
    const name = named.startsWith('_') ? named : `_${named}`
    const relationship = this.#view.seen.type.relationships[name]
    const to = TYPES[relationship?.to ?? '']
    const { seen: asked, isVisit } = this.#view
    if (relationship === undefined || to === undefined || !sees(asked, relationship.sees)) return null
    const seen = relatedSeenBy(asked.role, to, isVisit)
    const targets = (document: Stored) => (seen === null ? [] : this.#targets(document, name, seen))
    const shows = (field: 'title' | 'slug') => seen !== null && sees(seen, to.fields[field]?.sees ?? 'full')
    const idsOf = (document: Stored) => targets(document).map(({ docId }) => docId)
    return { to, seen, seesTitle: shows('title'), seesSlug: shows('slug'), idsOf, targets }
  }

  /** By relationship, the ids of what is populated in a document. */
  populated(document: Stored): Record<string, string[]> {
    const names = Object.keys(this.#view.seen.type.relationships)
    return Object.fromEntries(names.map((name) => [name, this.find(name)?.idsOf(document) ?? []]))
  }

  #targets({ locale, mode, fields }: Stored, name: string, { type, role, onlyPublic }: Seen): Stored[] {
    const ids = fields[`${name.slice(1)}Ids`]
    const place = type.isLocalized ? `${locale}:${isAtLeast(role, 'contributor') ? mode : 'published'}` : ':published'
    const isShown = (one: Stored) =>
      TYPES[one.type] === type &&
      `${one.locale}:${one.mode}` === place &&
      !one.isArchived &&
      (one.isPublic || !onlyPublic)
    return (Array.isArray(ids) ? ids : []).flatMap((id) =>
      this.#view.all.filter((one) => one.docId === id && isShown(one)),
    )
  }
}
