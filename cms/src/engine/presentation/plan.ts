import type { JsonObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { openValues } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import { propertyNames, targetsOf } from '../../model/values/walk.ts'
import { editAction, isAnonymous, type Viewer } from '../permissions.ts'
import { type TypeView, type Views, viewsOf } from '../view.ts'
import type { FieldPlans, LinkName, PlannedField, Rights, ShownProperties, SystemValue, Task } from './prepare.ts'
import { ALWAYS, isOfIds, type Projection, projectsField, projectsName, within } from './projection.ts'

const ANNOTATIONS = new Set(['_create', '_edit', '_publish', '_delete'])
const PIECE_URLS = ['_url', '_parentUrl', '_parentSlug'] as const

/** The view and projection of a plan. */
export interface Planned {
  readonly access: TypeView
  /** The request's own projection, or that of a relationship; null for everything that the caller may see. */
  readonly project: Projection | null
}

/** How documents of a type are shown to callers of one audience: decided once, then followed for each document. */
export interface Plan extends ShownProperties {
  readonly type: Type
  /** Fields in which something is filled in, marked or removed. */
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
  { name: 'copyOfId', of: (document) => openValues(document).copyOfId },
  { name: 'updatedBy', of: ({ updatedBy }) => ({ ...updatedBy }) },
]

interface PlanContext extends Viewer {
  readonly hooks: { readonly names: { has(name: 'present'): boolean } }
}

/** Plans by view and projection: those of a request's own projection are dropped with it. */
const plansOf = oncePer<TypeView, WeakMap<Projection | TypeView, Plan>>(() => new WeakMap())

/** Plans how documents of a type are shown to the caller. */
export function planOf(ctx: PlanContext, planned: Planned): Plan {
  const { access, project } = planned
  const ofView = plansOf(access)
  const plan = ofView.get(project ?? access) ?? newPlan(ctx, planned)
  ofView.set(project ?? access, plan)
  return plan
}

function newPlan(ctx: PlanContext, { access, project }: Planned): Plan {
  const { actor, site } = ctx
  const { type } = access
  const areIds = isOfIds(project)
  const shows = (name: string) =>
    ALWAYS.has(name) || (ANNOTATIONS.has(name) ? !areIds : isSeen(access, name) && projectsName(project, name))
  const hasHooks = ctx.hooks.names.has('present')
  const isKnown = (name: string) => hasHooks || shows(name)
  const fields = access.fields.filter((field) => field.type.secret === undefined && projectsField(project, field))
  const fieldPlans = new NestedPlans(viewsOf(ctx), access)
  // Visitors of pages see every field, but need not know who writes them.
  const isVisitor = actor.visits === true && isAnonymous(actor)
  const isMedia = type.name === `${site.namespace}/image` || type.name === `${site.namespace}/file`
  const filledIn = [...fields.flatMap(namesOf), ...(isMedia ? ['_url'] : [])]
  return {
    type,
    fields: fields.map((field) => ({ field, names: propertyNames(field) })),
    prepared: fieldPlans.plan(fields, { of: type.fields, project }).filter(({ task }) => task !== 'none'),
    fieldPlans,
    hasHooks,
    values: SYSTEM.filter(({ name }) => isKnown(name) && !(isVisitor && name === 'updatedBy')),
    rights: !areIds && !isAnonymous(actor) && access.kind === 'full' ? rightsOf(access) : null,
    hasPageUrl: type.family === 'page' && isKnown('_url'),
    pieceUrls: type.family === 'piece' ? PIECE_URLS.filter(isKnown) : [],
    isMedia,
    removed: filledIn.filter((name) => !shows(name)),
    shows,
  }
}

/** The URL of a piece contains that of its index page. */
function isSeen(access: TypeView, name: string): boolean {
  const isOfIndex = name === '_parentUrl' || name === '_parentSlug'
  return access.shows(name) || (isOfIndex && access.kind === 'public' && access.shows('_url'))
}

/** Returns all names under which an answer may contain something of a field. */
function namesOf(field: Field): readonly string[] {
  return [field.name, ...propertyNames(field), ...(field.type.setByAreas ? LINK_NAMES : [])]
}

function rightsOf({ rights }: TypeView): Rights {
  const annotations = (mode: Mode, isFresh: boolean): JsonObject => ({
    ...(rights.has(mode === 'draft' ? 'createDraft' : 'createPublished') ? { _create: true } : {}),
    ...(rights.has(editAction(mode)) ? { _edit: true } : {}),
    ...(rights.has('publish') ? { _publish: true } : {}),
    ...(rights.has(isFresh ? 'deleteDraft' : 'deletePublished') ? { _delete: true } : {}),
  })
  return {
    published: annotations('published', false),
    draft: annotations('draft', false),
    fresh: annotations('draft', true),
  }
}

/** All names under which the ids that rich text links to are added. */
const LINK_NAMES: readonly LinkName[] = ['permalinkIds', 'imageIds']

/** A holder of fields, and what is shown of them. */
interface HolderPlan {
  readonly of: Fields
  readonly project: Projection | null
}

/** Plans for the fields of callers of one audience, at any depth; each set of fields is planned at the first use. */
class NestedPlans implements FieldPlans {
  readonly annotates: boolean
  readonly #views: Views
  readonly #whole = new Map<Fields, readonly PlannedField[]>()
  readonly #narrowed = oncePer<Projection, Map<Fields, readonly PlannedField[]>>(() => new Map())

  constructor(views: Views, { kind }: TypeView) {
    this.#views = views
    this.annotates = kind === 'full'
  }

  of(fields: Fields, project: Projection | null): readonly PlannedField[] {
    const ofProject = project === null ? this.#whole : this.#narrowed(project)
    const planned = ofProject.get(fields) ?? this.plan(fields.list, { of: fields, project })
    ofProject.set(fields, planned)
    return planned
  }

  /** Plans for some fields of a holder. */
  plan(shown: readonly Field[], { of: { list }, project }: HolderPlan): readonly PlannedField[] {
    const taskOf = (field: Field) => (projectsField(project, field) ? this.#taskOf(field) : 'hide')
    const texts = shown.filter((field) => taskOf(field) === 'link').map(({ name }) => name)
    // A relationship `_image` is stored as `imageIds`, too.
    const isFree = (name: LinkName) => !list.some((field) => propertyNames(field).includes(name))
    const names = LINK_NAMES.filter((name) => projectsName(project, name) && isFree(name))
    return shown.map((field) => {
      const targets = targetsOf(field)
      const seesIds = targets.length > 0 && targets.every((target) => this.#views.related(target)?.knowsAll === true)
      const links = field.name === texts[0] && names.length > 0 ? { texts, names } : null
      const task = taskOf(field)
      return {
        field,
        names: propertyNames(field),
        task: task === 'link' && !links ? 'none' : task,
        seesIds,
        links,
        project: within(project, field.name),
        isOpened: project?.opened?.has(field.name) ?? null,
      }
    })
  }

  #taskOf(field: Field): Task {
    const { type } = field
    if (!this.#views.shows(field)) return 'hide'
    if (type.relation !== undefined) return 'relate'
    if (type.file) return 'attach'
    if (type.children) return 'open'
    return type.setByAreas && this.annotates ? 'link' : 'none'
  }
}
