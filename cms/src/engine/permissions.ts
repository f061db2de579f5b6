import { type CmsError, forbidden, unauthorized } from '../base/errors.ts'
import type { Site, Type } from '../model/declared/types.ts'
import type { Author, DocId, Locale, Mode } from '../model/terms/document.ts'
import { hasRole, type Role } from '../model/terms/roles.ts'

/** Who is acting. Never null: code without an actor does not compile, and there is no trusted default. */
export type Actor = Identity & {
  /**
   * Reads the pages of the site (§4.2b): what is public is seen with all fields that need no role, whatever the public
   * projections show in the interface.
   */
  readonly visits?: true
}

type Identity =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user' | 'key'
      readonly id: string
      readonly role: Role
      readonly name: string
      readonly username: string | null
      readonly firstName: string
      readonly lastName: string
      /** Every save is marked as AI-written (§3.8). */
      readonly ai: boolean
      /** Writes go to the draft, and nothing is published. */
      readonly draftsOnly: boolean
    }
  /** The external front end, by its key. */
  | { readonly kind: 'frontend' }
  /** Whoever has a preview (§4.2b): an anonymous caller, but for one draft, which they see as `viewer` does. */
  | { readonly kind: 'preview'; readonly docId: DocId; readonly locale: Locale; readonly viewer: Viewing }
  /** What a draft is shown to in a preview: it reads with the role of the preview's maker, and may do nothing. */
  | Viewing
  /** The command line, the service itself at start, and content migrations, which are named as authors. */
  | { readonly kind: 'operator'; readonly name?: string }

/** See `Actor`. */
interface Viewing {
  readonly kind: 'viewer'
  readonly role: Role
}

/** An actor and a site: all that decides what is visible. Every context is one. */
export interface Viewer {
  readonly site: Site
  readonly actor: Actor
}

/** What a caller may do to documents of a type (§5.3). */
export type Action = (typeof ACTIONS)[number]
export const ACTIONS = [
  'readDraft',
  'createDraft',
  'editDraft',
  'deleteDraft',
  'createPublished',
  'editPublished',
  'publish',
  'archive',
  'deletePublished',
] as const

/** The complete table: the lowest role for each action; a type may require a higher one. */
const NEEDED: { readonly [action in Action]: 'contributor' | 'editor' } = {
  readDraft: 'contributor',
  createDraft: 'contributor',
  editDraft: 'contributor',
  deleteDraft: 'contributor',
  createPublished: 'editor',
  editPublished: 'editor',
  publish: 'editor',
  archive: 'editor',
  deletePublished: 'editor',
}

/** The caller's role; null without one. The command line counts as an admin, the front end as an anonymous caller. */
export function roleOf(actor: Actor): Role | null {
  if (actor.kind === 'user' || actor.kind === 'key' || actor.kind === 'viewer') return actor.role
  return actor.kind === 'operator' ? 'admin' : null
}

/** True for callers without a role; the external front end is one of them. */
export function isAnonymous(actor: Actor): boolean {
  return roleOf(actor) === null
}

/** The same caller, as a visitor of the site's pages. */
export function visitor(actor: Actor): Actor {
  return { ...actor, visits: true }
}

/** Callers of one audience see the same, and may do the same. */
export function audienceOf(actor: Actor): string {
  const { kind } = actor
  const name = kind === 'user' || kind === 'key' ? actor.role : kind === 'viewer' ? `${kind}, ${actor.role}` : kind
  return `${name}${draftsOnly(actor) ? ', drafts only' : ''}${actor.visits ? ', visits' : ''}`
}

/** True when the caller's role allows the action on documents of this type. */
export function may(actor: Actor, action: Action, type: Type): boolean {
  const role = roleOf(actor)
  const needed = NEEDED[action]
  const isPublishing = needed === 'editor'
  if (!hasRole(role, needed)) return false
  if (type.viewRole && !hasRole(role, type.viewRole)) return false
  if (action === 'readDraft') return true
  if (actor.kind === 'viewer') return false
  if (draftsOnly(actor) && (isPublishing || !type.localized)) return false
  if (type.editRole && !hasRole(role, type.editRole)) return false
  return !(isPublishing && type.publishRole && !hasRole(role, type.publishRole))
}

/** Refuses, before anything is looked up, what the role can never do; see `refusal`. */
export function assertMay(actor: Actor, action: Action, type: Type): void {
  if (!may(actor, action, type)) throw refusal(actor)
}

/** `unauthorized` for anonymous callers, who might sign in; `forbidden` for all others. */
export function refusal(actor: Actor): CmsError {
  return isAnonymous(actor) ? unauthorized() : forbidden()
}

/**
 * True for the site's locales, private ones only for callers who are not anonymous (§4.5). The external front end knows
 * them all, but shows anonymous visitors no page of a private one; a preview knows that of its draft.
 */
export function seesLocale({ site, actor }: LocaleViewer, locale: Locale): boolean {
  const options = site.locales.get(locale)
  if (options === undefined) return false
  if (!options.private || !isAnonymous(actor)) return true
  return actor.kind === 'frontend' ? !actor.visits : actor.kind === 'preview' && actor.locale === locale
}

/** All that decides which locales there are for somebody. */
export interface LocaleViewer {
  readonly site: Pick<Site, 'locales'>
  readonly actor: Actor
}

/** True for AI keys whose writes go to the draft (§3.8). */
export function draftsOnly(actor: Actor): boolean {
  return (actor.kind === 'user' || actor.kind === 'key') && actor.draftsOnly
}

/** The action of saving a copy in this mode. */
export function editAction(mode: Mode): Action {
  return mode === 'draft' ? 'editDraft' : 'editPublished'
}

/** The author that is recorded with a save. */
export function authorOf(actor: Actor): Author {
  if (actor.kind === 'user' || actor.kind === 'key') {
    const { id, firstName, lastName, username, name } = actor
    return { _id: id, firstName, lastName, username, title: name }
  }
  const title = (actor.kind === 'operator' ? actor.name : undefined) ?? 'System'
  return { _id: null, firstName: '', lastName: '', username: null, title }
}
