import { invalid, invalidFields, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { shownField } from '../../engine/answers/shown-documents.ts'
import type { Context } from '../../engine/context.ts'
import { resolveId } from '../../engine/locate.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import { assertMay, editAction } from '../../engine/permissions.ts'
import { annotateAreas } from '../../engine/rendering/annotate-areas.ts'
import { openScene } from '../../engine/rendering/open-scene.ts'
import { viewOf, viewsOf } from '../../engine/view.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import type { Document } from '../../model/terms/document.ts'
import { requiredProblems } from '../../model/values/required.ts'
import { readFields } from '../../model/values/schema.ts'
import { pageData } from './page-data.ts'

/** The answer to an editor while a widget is not complete (`livePreview`): clients look for these bytes. */
const NOT_YET_VALID = 'aposLivePreviewSchemaNotYetValid'

/** The area of a widget that somebody edits. */
interface Edited {
  readonly field: Field
  /** The type, or widget type, that declares the area. */
  readonly declaredBy: string
  /** `doc.article.body`. */
  readonly path: string
}

/**
 * A widget as it would look, for callers who may edit the document: HTML, or what an external front end renders it
 * with (§4.2b). Throws `invalid` for values that could not be saved.
 */
export async function renderWidget(ctx: Context, { body, sender, url, query }: RouteRequest): Promise<unknown> {
  const { document, type } = await editedDocument(ctx, body._docId)
  const edited = areaField(ctx.site, body.areaFieldId)
  const read = readArea(ctx, edited.field, body)
  if (read.problems.length > 0) {
    if (body.livePreview === true) return textReply(NOT_YET_VALID, 'text/plain')
    throw invalidFields(read.problems)
  }
  const { answer, area, widget } = await shownWidget(ctx, {
    document,
    type,
    field: edited.field,
    values: read.values,
  })
  const areas = [{ ...edited, area, document: answer }]
  if (!sender.isFrontend) {
    const { scene } = await openScene(ctx, { documents: [], areas, page: null, isMarked: flag(query, 'aposEdit') })
    return textReply(scene.widget(widget).text, 'text/html')
  }
  await annotateAreas(ctx, [], areas)
  const data = await pageData(ctx, { kind: 'notFound' }, { url, path: '', query: {} })
  return { ...data, template: '', options: widget._options ?? {}, widget }
}

function textReply(text: string, type: string): Reply {
  return new Reply(text, { 'Content-Type': `${type}; charset=utf-8` })
}

async function editedDocument(ctx: Context, given: unknown): Promise<{ document: Document; type: Type }> {
  const id = typeof given === 'string' ? parsePartialId(given) : null
  if (id === null) throw invalid('"_docId" must be the _id of the document that the widget lies in.')
  const name = (await ctx.store.documents.types([id.docId])).get(id.docId)
  const type = ctx.site.types.get(name ?? '')
  if (type === undefined || viewOf(ctx.actor, type) === null) throw notFound()
  const copy = resolveId(ctx, type, id)
  assertMay(ctx.actor, editAction(copy.mode), type)
  const document = await ctx.store.documents.get(copy)
  if (document === null) throw notFound()
  return { document, type }
}

/** The area that an id like `doc.article.body` or `widget.quote.inner` names, at any depth of objects and lists. */
function areaField(site: Site, id: unknown): Edited {
  const [kind, name = '', ...steps] = typeof id === 'string' ? id.slice(0, 1000).split('.') : []
  const holder = kind === 'doc' ? site.types.get(name) : kind === 'widget' ? site.widgets.get(name) : undefined
  let fields: Fields | undefined = holder?.fields
  let field: Field | undefined
  for (const step of steps) {
    field = fields?.byName.get(step)
    fields = field?.type.innerFields?.(field.options)
  }
  if (field?.type.strays === undefined) throw invalid('"areaFieldId" names no area of this site.')
  return { field, declaredBy: name, path: [kind, name, ...steps].join('.') }
}

/** The widget as the only one of its area, read like a body. */
function readArea(ctx: Context, field: Field, { widget, type }: RouteRequest['body']) {
  if (!isObject(widget)) throw invalid('"widget" must be an object with the values of the widget.')
  const views = viewsOf(ctx)
  const fields = { list: [field], byName: new Map([[field.name, field]]) }
  const items = [{ ...widget, type: widget.type ?? type }]
  const { values, problems } = readFields(
    fields,
    { [field.name]: { metaType: 'area', items } },
    {
      newId,
      mayEdit: (one) => views.mayWrite(one),
      maxDepth: ctx.site.limits.depth,
      before: null,
    },
  )
  const asks = (one: Field) => views.asksFor(one, true)
  return { values, problems: problems.length > 0 ? problems : requiredProblems(fields, values, { asks }) }
}

/** The widget with what it relates to, as an answer about its document would hold it. */
async function shownWidget(
  ctx: Context,
  { document, type, field, values }: { document: Document; type: Type; field: Field; values: JsonObject },
): Promise<{ answer: JsonObject; area: JsonObject; widget: JsonObject }> {
  const answer = await shownField(ctx, { document: { ...document, fields: values }, type, field })
  const area = answer[field.name]
  const widget = isObject(area) && Array.isArray(area.items) ? area.items[0] : null
  if (!isObject(area) || !isObject(widget)) throw notFound()
  // `as`: an answer is JSON.
  return { answer, area: area as JsonObject, widget: widget as JsonObject }
}
