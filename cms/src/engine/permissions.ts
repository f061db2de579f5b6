import { type CmsError, forbidden, unauthorized } from '../base/errors.ts'
import type { Site, Type } from '../model/declared/types.ts'
import type { Author } from '../model/terms/document.ts'
import type { DocId, Locale, Mode, Visibility } from '../model/terms/document-id.ts'
import { hasRole, type Role } from '../model/terms/roles.ts'

/** The caller. Never null: code without an actor does not compile, and there is no trusted default. */
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
  /**
   * A visitor with a preview link (§4.2b): anonymous, but sees one draft for as long as `makerRole`, the role of the user
   * who made the link, may read it.
   */
  | { readonly kind: 'preview'; readonly docId: DocId; readonly locale: Locale; readonly makerRole: Role }
  /** An anonymous visitor to whom a preview's draft is presented, whatever its `visibility` and locale. */
  | { readonly kind: 'viewer'; readonly locale: Locale }
  /** The command line, the service itself at start, and content migrations, which are named as authors. */
  | { readonly kind: 'operator'; readonly name?: string }

/** A caller without a credential. */
export const ANONYMOUS: Actor = { kind: 'anonymous' }

/** An actor and a site: all that decides what is visible. Every context is one. */
export interface Viewer {
  readonly site: Site
  readonly actor: Actor
}

/** The complete table: the lowest role for each action; a type may require a higher one. */
const NEEDED = {
  readDraft: 'contributor',
  createDraft: 'contributor',
  editDraft: 'contributor',
  deleteDraft: 'contributor',
  createPublished: 'editor',
  editPublished: 'editor',
  publish: 'editor',
  archive: 'editor',
  deletePublished: 'editor',
} as const

/** An action on documents of a type (§5.3). */
export type Action = keyof typeof NEEDED
// `as`: keys of an object that has no others.
export const ACTIONS = Object.keys(NEEDED) as readonly Action[]

/** The caller's role; null without one. The command line counts as an admin, the front end as an anonymous caller. */
export function roleOf(actor: Actor): Role | null {
  if (actor.kind === 'user' || actor.kind === 'key') return actor.role
  return actor.kind === 'operator' ? 'admin' : null
}

/** True for callers without a role; the external front end is one of them. */
export function isAnonymous(actor: Actor): boolean {
  return roleOf(actor) === null
}

/** Whether the caller works on content (§5.3): finds drafts and what is archived, and uploads. */
export function isContributor(actor: Actor): boolean {
  return hasRole(roleOf(actor), 'contributor')
}

/** The visibility of what callers see of types that are not shown to them whole; null for any. */
export function seenVisibility(actor: Actor): Visibility | null {
  return isAnonymous(actor) ? 'public' : null
}

/** Returns the caller as a visitor of the site's pages. */
export function visitor(actor: Actor): Actor {
  return { ...actor, visits: true }
}

/** Callers of one audience see the same, and may do the same. */
export function audienceOf(actor: Actor): string {
  const { kind } = actor
  const name = kind === 'user' || kind === 'key' ? actor.role : kind
  return `${name}${draftsOnly(actor) ? ', drafts only' : ''}${actor.visits ? ', visits' : ''}`
}

/** True when the caller's role allows the action on documents of this type. */
export function may(actor: Actor, action: Action, type: Type): boolean {
  const role = roleOf(actor)
  if (action === 'readDraft') return mayReadDraft(role, type)
  const isPublishing = NEEDED[action] === 'editor'
  if (!hasRole(role, NEEDED[action])) return false
  if (type.viewRole && !hasRole(role, type.viewRole)) return false
  if (draftsOnly(actor) && (isPublishing || !type.localized)) return false
  if (type.editRole && !hasRole(role, type.editRole)) return false
  return !(isPublishing && type.publishRole && !hasRole(role, type.publishRole))
}

/** True when callers of this role see drafts of the type. */
export function mayReadDraft(role: Role | null, { viewRole }: Type): boolean {
  return hasRole(role, NEEDED.readDraft) && (!viewRole || hasRole(role, viewRole))
}

/** Refuses, before anything is looked up, what the role can never do; see `refusal`. */
export function assertMay(actor: Actor, action: Action, type: Type): void {
  if (!may(actor, action, type)) throw refusal(actor)
}

/** Refuses users to all but admins, before anything is looked up, so that not even their existence is revealed (§5.3). */
export function assertMayRead({ site, actor }: Viewer, type: Type): void {
  if (type.name === `${site.namespace}/user` && !isAdmin(actor)) throw refusal(actor)
}

/** Refuses anonymous callers; see `refusal`. */
export function assertNotAnonymous({ actor }: Pick<Viewer, 'actor'>): void {
  if (isAnonymous(actor)) throw refusal(actor)
}

/** Refuses callers who may not work on content; see `refusal`. */
export function assertContributor({ actor }: Pick<Viewer, 'actor'>): void {
  if (!isContributor(actor)) throw refusal(actor)
}

/** Refuses all but admins; see `refusal`. */
export function assertAdmin({ actor }: Pick<Viewer, 'actor'>): void {
  if (!isAdmin(actor)) throw refusal(actor)
}

/** `unauthorized` for anonymous callers, who might sign in; `forbidden` for all others. */
export function refusal(actor: Actor): CmsError {
  return isAnonymous(actor) ? unauthorized() : forbidden()
}

/**
 * True for the site's locales, private ones only for callers who are not anonymous (§4.5). The external front end knows
 * them all, but shows anonymous visitors no page of a private one; a preview shows that of its draft.
 */
export function seesLocale({ site, actor }: LocaleViewer, locale: Locale): boolean {
  const options = site.locales.get(locale)
  if (options === undefined) return false
  if (!options.private || !isAnonymous(actor)) return true
  if (actor.kind === 'frontend') return !actor.visits
  return (actor.kind === 'preview' || actor.kind === 'viewer') && actor.locale === locale
}

/** The locales of the site that the caller may know of. */
export function seenLocales(viewer: LocaleViewer): Locale[] {
  return [...viewer.site.locales.keys()].filter((locale) => seesLocale(viewer, locale))
}

/** The locales that one falls back to (§4.5), the nearest first, as far as the caller may know of them. */
export function fallbacksOf(viewer: LocaleViewer, locale: Locale): Locale[] {
  return viewer.site.locales.get(locale)?.fallbacks.filter((name) => seesLocale(viewer, name)) ?? []
}

/** The site and the caller, which decide the locales there are. */
export interface LocaleViewer {
  readonly site: Pick<Site, 'locales'>
  readonly actor: Actor
}

/** Whether the caller looks after users, keys and the site: an admin, but no AI key that only writes drafts. */
export function isAdmin(actor: Actor): boolean {
  return roleOf(actor) === 'admin' && !draftsOnly(actor)
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
