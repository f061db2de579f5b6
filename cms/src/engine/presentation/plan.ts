import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { Mode } from '../../model/terms/document.ts'
import { propertyNames } from '../../model/values/property-names.ts'
import type { Context } from '../context.ts'
import {
  type Actor,
  audienceOf,
  editAction,
  isAnonymous,
  isHiddenFrom,
  may,
  type ReadAccess,
  seesField,
} from '../permissions.ts'
import { MINIMAL, relatedAccess, seesAllRelated } from '../related.ts'
import { FieldPlans, LINK_NAMES, type PlannedField } from './field-plans.ts'
import { isNamed, onlyNames, type Projection, projectsField, projectsName } from './projection.ts'
import type { Rights, ShownProperties, SystemValue } from './shown-values.ts'

/** The names that every answer has, whatever the projection (§2.1). */
export const ALWAYS = new Set(['_id', 'aposDocId', 'aposLocale', 'aposMode', 'type', 'metaType'])
const ANNOTATIONS = new Set(['_create', '_edit', '_publish', '_delete'])
const PIECE_URLS = ['_url', '_parentUrl', '_parentSlug'] as const

/** The projection for documents of types that are not public (§2.15). */
export const MINIMAL_ANSWER = onlyNames(MINIMAL)

/** What a plan is made for. */
export interface Planned {
  readonly type: Type
  readonly access: ReadAccess
  readonly project: Projection | null
}

/** How documents of a type are shown to callers of one audience: decided once, then followed for each document. */
export interface Plan extends ShownProperties {
  readonly type: Type
  /** Those of them in which something is filled in, marked or removed. */
  readonly prepared: readonly PlannedField[]
  readonly fieldPlans: FieldPlans
  /** Hooks see the whole document and may add to it: it is narrowed after they have run. */
  readonly hasHooks: boolean
  readonly hasPageUrl: boolean
  /** The URLs shown of a piece. */
  readonly pieceUrls: readonly string[]
  /** Its `_url` is that of its file (§4.3). */
  readonly isMedia: boolean
  /** Names that are filled in and yet not shown. */
  readonly removed: readonly string[]
  /** True for the names that answers may hold, fields' and computed ones. */
  shows(name: string): boolean
}

const SYSTEM: readonly SystemValue[] = [
  { name: 'createdAt', of: ({ createdAt }) => createdAt },
  { name: 'updatedAt', of: ({ updatedAt }) => updatedAt },
  { name: 'lastPublishedAt', of: ({ id, lastPublishedAt }) => (id.locale === '' ? undefined : lastPublishedAt) },
  { name: 'modified', of: ({ id, modified }) => (id.mode === 'draft' ? modified : undefined) },
  { name: 'copyOfId', of: ({ fields }) => fields.copyOfId },
  { name: 'updatedBy', of: ({ updatedBy }) => ({ ...updatedBy }) },
]

/** Of what scope documents are does not matter to what a caller may know of their type. */
const ANY_SCOPE = { locale: '', mode: 'published' } as const

type PlanContext = Pick<Context, 'actor' | 'site' | 'hooks'>

/** Plans by type and projection: those of a request's own projection are dropped with it. */
const plans = new WeakMap<Type, WeakMap<Projection | Type, Map<string, Plan>>>()

/** The plan for the caller. */
export function planOf(ctx: PlanContext, planned: Planned): Plan {
  const known = plansFor(planned)
  const key = `${planned.access.fields} ${audienceOf(ctx.actor)}`
  const plan = known.get(key) ?? newPlan(ctx, planned)
  known.set(key, plan)
  return plan
}

/** Those for one type and projection; some projections are those of every site in this process. */
function plansFor({ type, project }: Planned): Map<string, Plan> {
  const ofType = plans.get(type) ?? new WeakMap<Projection | Type, Map<string, Plan>>()
  plans.set(type, ofType)
  const known = ofType.get(project ?? type) ?? new Map<string, Plan>()
  ofType.set(project ?? type, known)
  return known
}

function newPlan(ctx: PlanContext, planned: Planned): Plan {
  const { actor, site } = ctx
  const { type, access } = planned
  const shows = (name: string) => isShown(planned, name)
  const hasHooks = ctx.hooks.has('present')
  const isKnown = (name: string) => hasHooks || shows(name)
  const fields = type.fields.list.filter((field) => isShownField(actor, planned, field))
  const fieldPlans = new FieldPlans({
    annotates: access.fields === 'full',
    isHidden: (field) => isHiddenFrom(actor, field),
    seesAllOf: (typeName) =>
      seesAllRelated({ actor, site }, relatedAccess({ actor, site, ...ANY_SCOPE }, typeName, ANY_SCOPE)),
  })
  // Visitors of pages see every field, but need not know who writes them.
  const isVisitor = actor.visits === true && isAnonymous(actor)
  const isMedia = type.name === `${site.namespace}/image` || type.name === `${site.namespace}/file`
  const filledIn = [...fields.flatMap(namesOf), ...(isMedia ? ['_url'] : [])]
  return {
    type,
    fields: fields.map((field) => ({ field, names: propertyNames(field) })),
    prepared: fieldPlans.plan(fields, type.fields).filter(({ task }) => task !== 'none'),
    fieldPlans,
    hasHooks,
    values: SYSTEM.filter(({ name }) => isKnown(name) && !(isVisitor && name === 'updatedBy')),
    rights: !isAnonymous(actor) && access.fields === 'full' ? rightsOf(actor, type) : null,
    hasPageUrl: type.family === 'page' && isKnown('_url'),
    pieceUrls: type.family === 'piece' ? PIECE_URLS.filter(isKnown) : [],
    isMedia,
    removed: filledIn.filter((name) => !shows(name)),
    shows,
  }
}

function isShownField(actor: Actor, { type, access, project }: Planned, field: Field): boolean {
  if (field.type.secret) return false
  if (project === MINIMAL_ANSWER) return MINIMAL.has(field.name) && !isHiddenFrom(actor, field)
  return seesField(actor, access, type, field) && projectsField(project, field)
}

/** Whether answers hold a name: the public projection and the request's own decide on all that are not fields, too. */
function isShown({ type, access, project }: Planned, name: string): boolean {
  if (ALWAYS.has(name) || ANNOTATIONS.has(name)) return true
  const isPublicName = access.fields === 'full' || project === MINIMAL_ANSWER || isPublic(type, name)
  return isPublicName && projectsName(project, name)
}

/** What the public projection names; the URL of a piece contains that of its index page. */
function isPublic({ publicProjection }: Type, name: string): boolean {
  const isOfIndex = name === '_parentUrl' || name === '_parentSlug'
  return isNamed(publicProjection, name) || (isOfIndex && isNamed(publicProjection, '_url'))
}

/** All names under which an answer may hold something of a field. */
function namesOf(field: Field): readonly string[] {
  return [field.name, ...propertyNames(field), ...(field.type.setByAreas ? LINK_NAMES : [])]
}

function rightsOf(actor: Actor, type: Type): Rights {
  const rights = (mode: Mode, isFresh: boolean): JsonObject => ({
    ...(may(actor, mode === 'draft' ? 'createDraft' : 'createPublished', type) ? { _create: true } : {}),
    ...(may(actor, editAction(mode), type) ? { _edit: true } : {}),
    ...(may(actor, 'publish', type) ? { _publish: true } : {}),
    ...(may(actor, isFresh ? 'deleteDraft' : 'deletePublished', type) ? { _delete: true } : {}),
  })
  return { published: rights('published', false), draft: rights('draft', false), fresh: rights('draft', true) }
}
