import type { Denied, Reason, Action as SchemaAction } from 'quire-client'
import { whyRefused } from '../../engine/operations/refused-operations.ts'
import { isFixedType } from '../../engine/pages/parked.ts'
import { type Action, type Actor, draftsOnly, may, roleOf, type Viewer } from '../../engine/permissions.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { hasRole, ROLES, type Role } from '../../model/terms/roles.ts'

/** Why the caller may not do something that `isAllowed` decides; null where he may. */
export function reasonFor(actor: Actor, isAllowed: (actor: Actor) => boolean): Reason | null {
  if (isAllowed(actor)) return null
  const needs = ROLES.find((role) => isAllowed(userOf(role)))
  if (needs === undefined) return { reason: 'system' }
  return draftsOnly(actor) && hasRole(roleOf(actor), needs) ? { reason: 'draftsOnly' } : { reason: 'role', needs }
}

function userOf(role: Role): Actor {
  const nobody = { id: '', name: '', username: null, firstName: '', lastName: '', ai: false, draftsOnly: false }
  return { kind: 'user', role, ...nobody }
}

/** The actions that the caller may not take on documents of a type, with the reasons. */
export function deniedOf({ site, actor }: Viewer, type: Type): Denied {
  const reasons = Object.entries(type.localized ? OF_DRAFTS : WITHOUT_DRAFTS).flatMap(([name, action]) => {
    // `as`: these are the names of an object that has no others.
    const what = name as SchemaAction
    const reason = neverPossible(site, type, what) ?? reasonFor(actor, (one) => may(one, action, type))
    return reason === null ? [] : [[what, reason] as const]
  })
  return Object.fromEntries(reasons)
}

type Rules = { readonly [name in SchemaAction]?: Action }

/** The actions of the table of roles (§5.3) that decide. */
const OF_DRAFTS: Rules = {
  view: 'readDraft',
  createDraft: 'createDraft',
  editDraft: 'editDraft',
  publish: 'publish',
  archive: 'archive',
  deleteDraft: 'deleteDraft',
  delete: 'deletePublished',
}

/** The actions that decide for types without drafts: who sees such a type reads its documents. */
const WITHOUT_DRAFTS: Rules = {
  createDraft: 'createPublished',
  editDraft: 'editPublished',
  publish: 'publish',
  archive: 'archive',
  deleteDraft: 'deletePublished',
  delete: 'deletePublished',
}

const OPERATIONS = {
  createDraft: 'insert',
  publish: 'publish',
  archive: 'archive',
  deleteDraft: 'remove',
  delete: 'remove',
} as const

/** Home and archive are there once, and stay. */
const NEVER_OF_FIXED: ReadonlySet<SchemaAction> = new Set(['createDraft', 'archive', 'deleteDraft', 'delete'])

/** Why nobody can do something with documents of a type; null where somebody can. */
function neverPossible(site: Site, type: Type, what: SchemaAction): Reason | null {
  if (isFixedType(site, type.name)) return NEVER_OF_FIXED.has(what) ? { reason: 'parked' } : null
  if (what === 'view' || what === 'editDraft') return null
  return whyRefused(site, type, OPERATIONS[what]) === null ? null : { reason: 'system' }
}
