import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { fieldsOf } from '../../model/field-type/options.ts'
import type { Document } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { SCHEDULE_PROPERTIES } from '../../model/terms/property-labels.ts'
import type { Page } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { pageAccess, visibilityOf } from '../pages/page-access.ts'
import { type FormerUrls, positionValues, shownInTree } from '../pages/present-pages.ts'
import { type Presentation, present } from '../presentation/present.ts'
import { type Projection, projectsName } from '../presentation/projection.ts'
import { viewOf } from '../view.ts'

/** How documents of any types are shown, and as what. */
interface ShownForm extends Omit<Presentation, 'access'> {
  /**
   * `answer`: as they are stored now, with schedules; `pageData`: for templates; `version`: as of a version, which
   * records none.
   */
  readonly as: 'answer' | 'pageData' | 'version'
}

/**
 * Documents as objects for the caller; those of types that the caller may not see are left out. Answers are made of
 * their texts (`Fragments`); templates, and marks of changes, need the objects.
 */
export async function shownDocuments(
  ctx: Context,
  documents: readonly Document[],
  { as, ...presentation }: ShownForm,
): Promise<ReadonlyMap<Document, JsonObject>> {
  const shown = new Map<Document, JsonObject>()
  for (const [name, ofType] of Map.groupBy(documents, ({ type }) => type)) {
    const type = ctx.site.types.get(name)
    const access = type && viewOf(ctx.actor, type)
    if (!access) continue
    const answers = await present(ctx, ofType, { access, ...presentation })
    if (as === 'answer' && access.type.scheduling && access.kind === 'full') {
      await addSchedules(ctx, { documents: ofType, answers, project: presentation.project })
    }
    for (const [index, document] of ofType.entries()) shown.set(document, answers[index] ?? {})
  }
  return shown
}

/** One document; null where the caller may not see its type. */
export async function shownDocument(ctx: Context, document: Document, form: ShownForm): Promise<JsonObject | null> {
  return (await shownDocuments(ctx, [document], form)).get(document) ?? null
}

/** True for the type of the global document, whose answers say what the stylesheet is (§4.7). */
export function isGlobal({ namespace }: Pick<Site, 'namespace'>, { name }: Pick<Type, 'name'>): boolean {
  return name === `${namespace}/global`
}

/**
 * Pages as objects with their position in the tree (§2.2), by aposDocId; those that the caller may not see are left
 * out.
 */
export async function shownPages(
  ctx: Context,
  pages: readonly Page[],
  { former = new Map(), ...form }: ShownForm & { readonly former?: FormerUrls },
): Promise<ReadonlyMap<DocId, JsonObject>> {
  const seen = pages.flatMap((page) => {
    const access = pageAccess(ctx, visibilityOf(page.document))
    return access ? [{ ...page, access }] : []
  })
  const documents = seen.map(({ document }) => document)
  const shown = await shownDocuments(ctx, documents, form)
  return new Map(
    seen.map(({ document, position, access }) => {
      const names = shownInTree(access, form.project)
      const values = positionValues(ctx, position, { names, former })
      return [document.id.docId, Object.assign(shown.get(document) ?? {}, values)]
    }),
  )
}

/** A document of which nothing is shown but one field, with values that nobody has saved. Throws `notfound`. */
export async function shownField(
  ctx: Context,
  { document, type, field }: { readonly document: Document; readonly type: Type; readonly field: Field },
): Promise<JsonObject> {
  const access = viewOf(ctx.actor, { ...type, fields: fieldsOf([field]) })
  if (access === null) throw notFound()
  const [answer = {}] = await present(ctx, [document], { access, project: null })
  return answer
}

/** Adds to drafts when they are published and archived by themselves, and which of that has failed (§3.9). */
async function addSchedules(ctx: Context, { documents, answers, project }: DocumentAnswers): Promise<void> {
  const [first] = documents
  const names = SCHEDULE_PROPERTIES.filter((name) => projectsName(project, name))
  if (first?.id.mode !== 'draft' || names.length === 0) return
  const docIds = documents.map(({ id }) => id.docId)
  const found = await ctx.store.schedules.of(docIds, first.id.locale)
  const byId = new Map(found.map((schedule) => [schedule.docId, schedule]))
  for (const [index, docId] of docIds.entries()) {
    const { publishAt = null, archiveAt = null, failures = {} } = byId.get(docId) ?? {}
    const [action, failure] = Object.entries(failures).at(-1) ?? []
    const values: JsonObject = {
      publishAt: timeOf(publishAt),
      archiveAt: timeOf(archiveAt),
      scheduleError: action && failure ? { action, at: timeOf(failure.at), message: failure.message } : null,
    }
    for (const name of names) Object.assign(answers[index] ?? {}, { [name]: values[name] })
  }
}

/** Documents, and the answers about them in the same order. */
interface DocumentAnswers {
  readonly documents: readonly Document[]
  readonly answers: readonly JsonObject[]
  readonly project: Projection | null
}

function timeOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
