import { oncePer } from '../base/lazy.ts'
import type { Site, Type } from '../model/declared/types.ts'
import type { Field } from '../model/field-type/field-type.ts'
import type { DocumentReference } from '../model/field-type/value-terms.ts'
import type { Document } from '../model/terms/document.ts'
import type { Locale, Mode, Visibility } from '../model/terms/document-id.ts'
import { type DateName, isDateName, isScheduleTime, type ScheduleTime } from '../model/terms/document-times.ts'
import { type Audience, hasRole, ROLES, type Role } from '../model/terms/roles.ts'
import { isNamed, isNamedIn, targetsOf } from '../model/values/walk.ts'
import type { AttachmentUse, Scope, SearchScope, UsedAttachment, View } from '../store/contract/store.ts'
import {
  ACTIONS,
  type Action,
  type Actor,
  draftsOnly,
  isAnonymous,
  isContributor,
  may,
  roleOf,
  seenVisibility,
  seesLocale,
  type Viewer,
} from './permissions.ts'

// Decides what callers see, may write and must not learn of, once for each audience (§5.7). Everything that reads
// or writes values for somebody asks a view, and decides nothing.

/** Properties shown of related documents whose types are not public. */
export const MINIMAL: ReadonlySet<string> = new Set(['title', 'slug', '_url'])

/** The documents of a type that callers of one audience see, their visible properties, and the allowed actions. */
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
  /** The audiences of fields whose values are seen. */
  readonly audiences: readonly Audience[]
  /** The caller's rights on documents of the type. */
  readonly rights: ReadonlySet<Action>
  /** Whether the caller may know of every document, and so of its id. */
  readonly knowsAll: boolean
  /** The field of that name, where it is seen; hidden and unknown fields look alike. */
  field(name: string): Field | null
  /** Whether a property that is not a field is seen: a date, a URL, a place in the tree. */
  shows(name: string): boolean
  showsDate(name: string): name is DateName
  /** Whether drafts show a time of their schedule (§3.9). */
  showsSchedule(name: string): name is ScheduleTime
  /** Whether documents of this visibility are among those seen. */
  includes(visibility: unknown): boolean
}

/** Returns the caller's view of documents of a type; null when the type does not exist for this caller. */
export function viewOf(actor: Actor, type: Type): TypeView | null {
  return compiled(actor, type).own
}

/**
 * Returns the caller's view of documents of a type that a field leads to; null for none. Of types that are not public
 * it shows only title, slug and URL, unless the type needs a role.
 */
export function relatedViewOf(actor: Actor, type: Type): TypeView | null {
  return compiled(actor, type).related
}

const compiled = perAudience(compile)

/** Makes each view once for all callers of an audience. */
function perAudience<Subject extends object, Seen>(make: (actor: Actor, subject: Subject) => Seen): typeof make {
  const viewsOfSubject = oncePer<Subject, Map<number, Seen>>(() => new Map())
  return (actor, subject) => {
    const ofSubject = viewsOfSubject(subject)
    const audience = audienceNumber(actor)
    const known = ofSubject.get(audience) ?? make(actor, subject)
    ofSubject.set(audience, known)
    return known
  }
}

/** Callers of one number have the same views. */
function audienceNumber(actor: Actor): number {
  const role = roleOf(actor)
  const rank = role === null ? 0 : ROLES.indexOf(role) + 1
  return rank * 8 + (actor.visits ? 4 : 0) + (actor.kind === 'viewer' ? 2 : 0) + (draftsOnly(actor) ? 1 : 0)
}

function compile(actor: Actor, type: Type): Readonly<Record<'own' | 'related', TypeView | null>> {
  const role = roleOf(actor)
  if (type.viewRole && !hasRole(role, type.viewRole)) return { own: null, related: null }
  const extent = extentOf(actor, type)
  const own = extent && newView(actor, type, extent)
  const visibility = seenVisibility(actor)
  const related: Extent = { ...(extent ?? { kind: 'minimal' }), visibility }
  return { own, related: own?.visibility === visibility ? own : newView(actor, type, related) }
}

type Extent = Pick<TypeView, 'kind' | 'visibility'>

/** Returns the part that is seen of a type that needs no role above the caller's. */
function extentOf(actor: Actor, type: Type): Extent | null {
  const visibility = seenVisibility(actor)
  if (isContributor(actor)) return { kind: 'full', visibility: null }
  if (actor.visits) return { kind: 'full', visibility: actor.kind === 'viewer' ? null : visibility }
  if (!isAnonymous(actor) && type.guestApiAccess) return { kind: 'full', visibility: null }
  if (type.publicProjection === null) return null
  return { kind: 'public', visibility }
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
    showsDate: (name): name is DateName => isDateName(name) && shows(name),
    showsSchedule: (name): name is ScheduleTime =>
      isScheduleTime(name) && type.scheduling && kind === 'full' && rights.has('readDraft'),
    includes: (one) => visibility === null || one === visibility,
  }
}

function isHidden(role: Role | null, { viewRole }: Field): boolean {
  return viewRole !== null && !hasRole(role, viewRole)
}

/** The view of a site for callers of one audience: what they see and may write, at any depth of a document. */
export class Views {
  readonly #actor: Actor
  readonly #types: Site['types']

  constructor({ actor, site }: SiteViewer) {
    this.#actor = actor
    this.#types = site.types
  }

  /** Returns the view of a type of the site; null for unknown types and those that the caller may not see. */
  of(typeName: string): TypeView | null {
    const type = this.#types.get(typeName)
    return type === undefined ? null : viewOf(this.#actor, type)
  }

  /** Returns the view of documents that a relationship leads to. */
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
   * what they may write; and what they are asked for says whether its condition holds.
   */
  asksFor(field: Field, isNew: boolean): boolean {
    return this.isFor(field.ifRole) && (isNew ? !this.hides(field) : this.mayWrite(field))
  }

  /** Whether a field relates to a type that the caller must not learn of, perhaps among others. */
  leadsUnseen(field: Field): boolean {
    return field.type.computed !== true && targetsOf(field).some((target) => this.hidesType(target))
  }

  /** Whether a reference takes a type that the caller sees: who does not must not learn which documents it has. */
  mayPointTo({ types }: DocumentReference, type: string | undefined): boolean {
    return type !== undefined && types.includes(type) && this.of(type) !== null
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

const viewsOfTypes = perAudience((actor, types: Site['types']) => new Views({ actor, site: { types } }))

/** Returns all views of a caller. */
export function viewsOf({ actor, site }: SiteViewer): Views {
  return viewsOfTypes(actor, site.types)
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
  readonly shown: TypeView
  /** Selects the copies. `fallbackOf`: the locale that does not have them, for which they stand in (§4.5). */
  readonly view: View
  readonly fallbackOf?: Locale
}

/** A relationship, and how the caller sees documents that it leads to. */
export type RelatedBy = { readonly field: Field; readonly access: RelatedAccess }

/** The documents of a type in a locale and mode; types without locales have one list only. */
export function scopeOf(type: Type, locale: Locale, mode: Mode): Scope {
  return type.localized ? { type: type.name, locale, mode } : { type: type.name, locale: '', mode: 'published' }
}

/** Whether a copy of a document is one of those in a scope. */
export function isInScope({ type, locale, mode }: SearchScope, document: Pick<Document, 'id' | 'type'>): boolean {
  return document.type === type && document.id.locale === locale && document.id.mode === mode
}

/**
 * Returns the caller's view of documents that a visible field leads to; null for none. Callers who may not read drafts
 * get the published copies.
 */
export function relatedAccess(ctx: Viewer & CopyScope, typeName: string, from: CopyScope): RelatedAccess | null {
  const shown = viewsOf(ctx).related(typeName)
  if (shown === null) return null
  const { locale, mode } = from.locale === '' ? ctx : from
  const scope = scopeOf(shown.type, locale, shown.rights.has('readDraft') ? mode : 'published')
  return { shown, view: { ...scope, archived: false, visibility: shown.visibility } }
}

/** `relatedAccess` for those of several types that the caller sees. */
export function relatedAccesses(ctx: Viewer & CopyScope, field: Field, from: CopyScope): RelatedAccess[] {
  return targetsOf(field).flatMap((typeName) => relatedAccess(ctx, typeName, from) ?? [])
}

/**
 * True when the caller may take an attachment for a document of their own, or crop it: it is unused, or the
 * caller may know of a document that uses it. For all others it does not exist.
 */
export function mayTake(viewer: Viewer, { uses }: UsedAttachment): boolean {
  return uses.length === 0 || uses.some((use) => knowsUse(viewer, use))
}

/**
 * Whether the caller may know of a document that uses an attachment, and of the field it lies in (§5.8: nothing hidden
 * leaks): anonymous callers and guests hear of what is published and theirs to read, never of drafts or archived
 * documents.
 */
export function knowsUse(viewer: Viewer, { id, type, archived, visibility, indexName }: AttachmentUse): boolean {
  const views = viewsOf(viewer)
  const view = views.of(type)
  const [name = '', neededRole = null] = indexName.split(':')
  if (!view?.includes(visibility) || view.field(name) === null) return false
  // `as`: behind the colon stands a role, put there when the document was saved.
  if (!views.isFor(neededRole as 'guest' | null)) return false
  if (!view.rights.has('readDraft') && (id.mode === 'draft' || archived)) return false
  return id.locale === '' || seesLocale(viewer, id.locale)
}
