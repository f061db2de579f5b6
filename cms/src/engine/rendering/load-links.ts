import { isObject, type JsonObject } from '../../base/json.ts'
import { type DocId, DocumentId } from '../../model/terms/document.ts'
import { type LinkTarget, type LinkTargets, linkedIds, MOST_LINKS } from '../../model/values/rich-text-links.ts'
import type { Context } from '../context.ts'
import { present } from '../presentation/present.ts'
import { onlyNames } from '../presentation/projection.ts'
import { type CopyScope, MINIMAL, relatedAccess } from '../view.ts'
import type { AnswerAreas, AnswerWidget } from './find-areas.ts'

const SHOWN = onlyNames([...MINIMAL, 'attachment'])

/** Loads the targets of links in rich texts that the caller may see: some statements for each type of document. */
export async function loadLinks(ctx: Context, found: AnswerAreas): Promise<LinkTargets> {
  const texts = found.widgets.get(`${ctx.site.namespace}/rich-text`) ?? []
  const ids = new Set<DocId>()
  for (const { widget } of texts) {
    const { permalinkIds, imageIds } = linkedIds(typeof widget.content === 'string' ? widget.content : '')
    for (const id of [...permalinkIds, ...imageIds]) ids.add(id)
  }
  return targetsOf(ctx, scopeOf(ctx, texts), [...ids].slice(0, MOST_LINKS))
}

/** Links lead to documents of the same locale and mode. */
function scopeOf(ctx: Context, [text]: readonly AnswerWidget[]): CopyScope {
  const id = DocumentId.parse(String(text?.document._id))
  return { locale: id?.locale ?? ctx.locale, mode: id?.mode ?? ctx.mode }
}

async function targetsOf(ctx: Context, scope: CopyScope, ids: readonly DocId[]): Promise<LinkTargets> {
  const targets = new Map<DocId, LinkTarget>()
  if (ids.length === 0) return targets
  const types = await ctx.store.documents.types(ids)
  for (const [name, some] of Map.groupBy(types, ([, type]) => type)) {
    const access = relatedAccess(ctx, name, scope)
    if (access === null) continue
    const documents = await ctx.store.documents.many(
      access.view,
      some.map(([docId]) => docId),
    )
    const shown = await present(ctx, documents, {
      access: access.shown,
      project: SHOWN,
    })
    for (const document of shown) targets.set(String(document.aposDocId), targetOf(document))
  }
  return targets
}

function targetOf({ title, _url, attachment }: JsonObject): LinkTarget {
  const target = { title: String(title ?? ''), url: String(_url ?? '') }
  if (!isObject(attachment) || !isObject(attachment._urls)) return target
  const { width, height, _urls } = attachment
  const { full, original } = _urls
  return {
    ...target,
    url: String(full ?? original ?? target.url),
    ...(typeof width === 'number' && typeof height === 'number' ? { width, height } : {}),
  }
}
