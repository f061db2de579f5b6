import type { Site, Type } from '../model/declared/types.ts'
import type { Field } from '../model/field-type/field-type.ts'
import type { Reference } from '../model/field-type/reference.ts'
import type { Locale, Mode, Visibility } from '../model/terms/document.ts'
import { type Audience, hasRole, ROLES, type Role } from '../model/terms/roles.ts'
import { isNamed, isNamedIn } from '../model/values/property-names.ts'
import { targetOf } from '../model/values/target.ts'
import type { Scope, View } from '../store/contract/store.ts'
import { ACTIONS, type Action, type Actor, draftsOnly, may, roleOf, type Viewer } from './permissions.ts'

// What callers see, may write and must not learn of is decided here, once for each audience (§5.7). Everything that reads
// or writes values for somebody asks a view, and decides nothing.

/** What is shown of related documents of types that are not public. */
export const MINIMAL: ReadonlySet<string> = new Set(['title', 'slug', '_url'])

/** Which documents of a type callers of one audience see, which of their properties, and what they may do to them. */
export interface TypeView {
  readonly type: Type
  /**
   * `full`: every field but those above the caller's role; `public`: what the public projection names; `minimal`:
   * `title`, `slug` and `_url` of a related document whose type is not public (§2.15).
   */
  readonly kind: 'full' | 'public' | 'minimal'
  /** The only visibility of the documents seen; null for all. */
  readonly visibility: Visibility | null
  /** The top-level fields that are seen. Secrets among them are never shown. */
  readonly fields: readonly Field[]
  /** Whose values are seen, by the audiences of fields. */
  readonly audiences: readonly Audience[]
  /** What the caller may do to documents of the type. */
  readonly rights: ReadonlySet<Action>
  /** Whether the caller may know of every document, and so of its id. */
  readonly knowsAll: boolean
  /** The field of that name, where it is seen; hidden and unknown fields look alike. */
  field(name: string): Field | null
  /** Whether a property that is not a field is seen: a date, a URL, a place in the tree. */
  shows(name: string): boolean
  showsDate(name: string): name is DateColumn
  /** Whether documents of this visibility are among those seen. */
  includes(visibility: unknown): boolean
}

type DateColumn = 'createdAt' | 'updatedAt'

/** True for the names of the dates that every document has. */
export function isDateColumn(name: string): name is DateColumn {
  return name === 'createdAt' || name === 'updatedAt'
}

/** How the caller sees documents of a type; null when the type does not exist for this caller. */
export function viewOf(actor: Actor, type: Type): TypeView | null {
  return compiled(actor, type).own
}

/**
 * How the caller sees documents of a type to which a field leads; null for nothing. Of types that are not public they
 * see who is meant, unless the type needs a role.
 */
export function relatedViewOf(actor: Actor, type: Type): TypeView | null {
  return compiled(actor, type).related
}

interface Compiled {
  readonly own: TypeView | null
  readonly related: TypeView | null
}

/** By type and audience. */
const views = new WeakMap<Type, Map<number, Compiled>>()

function compiled(actor: Actor, type: Type): Compiled {
  const ofType = views.get(type) ?? new Map<number, Compiled>()
  views.set(type, ofType)
  const audience = audienceNumber(actor)
  const known = ofType.get(audience) ?? compile(actor, type)
  ofType.set(audience, known)
  return known
}

/** Callers of one number have the same views. */
function audienceNumber(actor: Actor): number {
  const role = roleOf(actor)
  const rank = role === null ? 0 : ROLES.indexOf(role) + 1
  return rank * 8 + (actor.visits ? 4 : 0) + (actor.kind === 'viewer' ? 2 : 0) + (draftsOnly(actor) ? 1 : 0)
}

function compile(actor: Actor, type: Type): Compiled {
  const role = roleOf(actor)
  if (type.viewRole && !hasRole(role, type.viewRole)) return { own: null, related: null }
  const extent = extentOf(actor, type)
  const own = extent && newView(actor, type, extent)
  const visibility = hasRole(role, 'guest') ? null : 'public'
  return { own, related: own ?? newView(actor, type, { kind: 'minimal', visibility }) }
}

type Extent = Pick<TypeView, 'kind' | 'visibility'>

/** How much is seen of a type that needs no role above the caller's. */
function extentOf(actor: Actor, type: Type): Extent | null {
  const role = roleOf(actor)
  const isKnown = hasRole(role, 'guest')
  if (hasRole(role, 'contributor')) return { kind: 'full', visibility: null }
  if (actor.visits) return { kind: 'full', visibility: isKnown ? null : 'public' }
  if (isKnown && type.guestApiAccess) return { kind: 'full', visibility: null }
  if (type.publicProjection === null) return null
  return { kind: 'public', visibility: isKnown ? null : 'public' }
}

function newView(actor: Actor, type: Type, { kind, visibility }: Extent): TypeView {
  const role = roleOf(actor)
  const names = kind === 'minimal' ? MINIMAL : kind === 'public' ? type.publicProjection : null
  const isWithin = (field: Field) =>
    names === null || (kind === 'minimal' ? names.has(field.name) : isNamedIn(field, names))
  const fields = type.fields.list.filter((field) => !isHidden(role, field) && isWithin(field))
  const byName = new Map(fields.map((field) => [field.name, field]))
  const rights = new Set(ACTIONS.filter((action) => may(actor, action, type)))
  const isPublic = type.publicProjection !== null
  const shows = (name: string) => names === null || isNamed(names, name)
  return {
    type,
    kind,
    visibility,
    fields,
    audiences: [
      ...(isPublic ? (['public'] as const) : []),
      ...(kind === 'full' ? [null, ...ROLES.filter((one) => hasRole(role, one))] : []),
    ],
    rights,
    knowsAll: kind === 'full' && visibility === null && rights.has('readDraft'),
    field: (name) => byName.get(name) ?? null,
    shows,
    showsDate: (name): name is DateColumn => isDateColumn(name) && shows(name),
    includes: (one) => visibility === null || one === visibility,
  }
}

function isHidden(role: Role | null, { viewRole }: Field): boolean {
  return viewRole !== null && !hasRole(role, viewRole)
}

/** What callers of one audience see of a site, and what they may write, at any depth of a document. */
export class Views {
  readonly #actor: Actor
  readonly #types: Site['types']

  constructor({ actor, site }: SiteViewer) {
    this.#actor = actor
    this.#types = site.types
  }

  /** How documents of a type of the site are seen; null for unknown types and those that the caller may not see. */
  of(typeName: string): TypeView | null {
    const type = this.#types.get(typeName)
    return type === undefined ? null : viewOf(this.#actor, type)
  }

  /** How documents are seen to which a relationship leads. */
  related(typeName: string): TypeView | null {
    const type = this.#types.get(typeName)
    return type === undefined ? null : relatedViewOf(this.#actor, type)
  }

  /** Whether a type is one that the caller must not learn of. */
  hidesType(typeName: string): boolean {
    return this.#types.has(typeName) && this.of(typeName) === null
  }

  /** Whether the caller may not see a field, wherever it lies. */
  hides(field: Field): boolean {
    return isHidden(roleOf(this.#actor), field)
  }

  /** Whether values of a field are shown: secrets never are. */
  shows(field: Field): boolean {
    return field.type.secret === undefined && !this.hides(field)
  }

  /** Whether the caller may write a field: not one that they may not see. */
  mayWrite(field: Field): boolean {
    return !this.hides(field) && this.isFor(field.editRole)
  }

  /**
   * Whether the caller is asked to fill in this field where it is required. In a stored document they can fill in only
   * what they may write; and what they are asked for tells whether its condition holds.
   */
  asksFor(field: Field, isNew: boolean): boolean {
    return this.isFor(field.ifRole) && (isNew ? !this.hides(field) : this.mayWrite(field))
  }

  /** Whether a field relates to a type that the caller must not learn of. */
  leadsUnseen(field: Field): boolean {
    const target = field.type.computed ? null : targetOf(field)
    return target !== null && this.hidesType(target)
  }

  /** Whether the caller may point to something: who may not see a type must not learn which documents it has. */
  mayPointTo(reference: Reference): boolean {
    return reference.kind === 'attachment' || this.of(reference.type) !== null
  }

  /** Whether the caller belongs to an audience, of those who see the whole document. */
  isFor(audience: Audience): boolean {
    return audience === null || audience === 'public' || hasRole(roleOf(this.#actor), audience)
  }
}

/** An actor and the types of a site: all that decides what is seen of documents. */
interface SiteViewer {
  readonly site: Pick<Site, 'types'>
  readonly actor: Actor
}

/** By site and audience. */
const viewsOfSites = new WeakMap<Site['types'], Map<number, Views>>()

/** All views of a caller. */
export function viewsOf(viewer: SiteViewer): Views {
  const ofSite = viewsOfSites.get(viewer.site.types) ?? new Map<number, Views>()
  viewsOfSites.set(viewer.site.types, ofSite)
  const audience = audienceNumber(viewer.actor)
  const known = ofSite.get(audience) ?? new Views(viewer)
  ofSite.set(audience, known)
  return known
}

/**
 * The locale and mode of a document that refers to others: those are looked up in the same ones. Types without locales
 * have an empty locale; then those of the request count.
 */
export interface CopyScope {
  readonly locale: Locale
  readonly mode: Mode
}

/** How a caller sees the documents that a relationship leads to. */
export interface RelatedAccess {
  /** What is seen of them. */
  readonly shown: TypeView
  /** Which ones. */
  readonly view: View
}

/** A relationship, and how the caller sees what it leads to. */
export interface RelatedBy {
  readonly field: Field
  readonly access: RelatedAccess
}

/** The documents of a type in a locale and mode; types without locales have one list only. */
export function scopeOf(type: Type, locale: Locale, mode: Mode): Scope {
  return type.localized ? { type: type.name, locale, mode } : { type: type.name, locale: '', mode: 'published' }
}

/**
 * What the caller may see of documents of a type when a field that the caller sees leads to them; null for nothing.
 * Callers who may not read drafts get the published copies.
 */
export function relatedAccess(ctx: Viewer & CopyScope, typeName: string, from: CopyScope): RelatedAccess | null {
  const shown = viewsOf(ctx).related(typeName)
  if (shown === null) return null
  const { locale, mode } = from.locale === '' ? ctx : from
  const scope = scopeOf(shown.type, locale, shown.rights.has('readDraft') ? mode : 'published')
  return { shown, view: { ...scope, archived: false, visibility: shown.visibility } }
}
