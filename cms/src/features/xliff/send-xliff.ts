import { didYouMean } from '../../base/did-you-mean.ts'
import { forbidden, invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { may, refusal } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import { assertLocales, type TextsToTranslate, textsToTranslate, xliffOf } from '../../engine/xliff/export-texts.ts'
import { flag, listParameter, textParameter } from '../../http/requests/read-parameters.ts'
import { type QueryValues, Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { type DocId, docIdOf } from '../../model/terms/document-id.ts'

/** The media type of XLIFF files. */
export const XLIFF_TYPE = 'application/xliff+xml'

/**
 * Answers the texts of drafts as an XLIFF 2 file (§4.5), as fast as the caller takes it. Throws `invalid` where there is
 * nothing to translate, and for documents and types that there are not or that the caller does not see, alike;
 * `forbidden` for types that they may not edit.
 */
export async function sendXliff(ctx: Context, { query }: Pick<RouteRequest, 'query'>): Promise<Reply> {
  const selection = await readSelection(ctx, query)
  const documents = textsToTranslate(ctx, selection)
  const first = await documents.next()
  if (first.done) throw invalid(nothingIn(selection))
  async function* all() {
    yield first.value
    yield* documents
  }
  return new Reply(xliffOf(ctx, selection, all()), {
    'Content-Type': `${XLIFF_TYPE}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${fileNameOf(selection)}"`,
  })
}

function nothingIn({ from, to, isOpenOnly }: TextsToTranslate): string {
  if (isOpenOnly) return `There is nothing to translate: all texts in ${from} are translated to ${to}.`
  return `There is nothing to translate: these documents have no texts in ${from} that you may edit.`
}

async function readSelection(ctx: Context, query: QueryValues): Promise<TextsToTranslate> {
  const [from, to] = [textParameter(query, 'from') ?? '', textParameter(query, 'to') ?? '']
  assertLocales(ctx, { from, to })
  const types = readTypes(ctx, listParameter(query, 'types'))
  const docIds = await readDocuments(ctx, types, from, listParameter(query, '_ids'))
  const named = docIds && new Set(docIds.keys())
  return { from, to, types, isOpenOnly: flag(query, 'untranslated'), ...(named && { docIds: named }) }
}

/** The types that are named, or all with locales that the caller may edit. */
function readTypes({ site, actor }: Context, names: readonly string[] | undefined): Type[] {
  const seen = [...site.types.values()].filter((type) => type.localized && viewOf(actor, type) !== null)
  const editable = seen.filter((type) => may(actor, 'editDraft', type))
  if (editable.length === 0) throw refusal(actor)
  if (names === undefined) return editable
  const known = seen.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const name = unknown.slice(0, 60)
    throw invalid(`types names types with locales: ${name} is none${didYouMean(unknown, known) || '.'}`)
  }
  const closed = seen.find((type) => names.includes(type.name) && !editable.includes(type))
  if (closed !== undefined) throw forbidden(`Your role does not allow editing documents of the type ${closed.name}.`)
  return editable.filter(({ name }) => names.includes(name))
}

/** The most documents that a message names. */
const MOST_NAMED = 20

/** The documents that are named, if all of them are there. */
async function readDocuments(
  ctx: Context,
  types: readonly Type[],
  from: string,
  texts: readonly string[] | undefined,
): Promise<ReadonlySet<DocId> | null> {
  if (texts === undefined) return null
  const docIds = new Set(texts.map((text) => docIdOf(text) ?? text))
  const names = new Set(types.map(({ name }) => name))
  const drafts = await ctx.store.documents.outlines([...docIds], { mode: 'draft', locale: from })
  const there = new Set(drafts.filter(({ type }) => names.has(type)).map(({ id }) => id.docId))
  const missing = [...docIds].filter((docId) => !there.has(docId))
  if (missing.length === 0 && docIds.size > 0) return docIds
  if (docIds.size === 0) throw invalid('_ids names the documents to translate: at least one.')
  const named = missing.slice(0, MOST_NAMED).map((docId) => docId.slice(0, 60))
  throw invalid(
    `_ids names drafts in ${from} that are not archived and that you may edit. These are none: ${named.join(', ')}. Leave them out.`,
  )
}

/** Such as `article-en-fr.xlf`. */
function fileNameOf({ types: [first, ...others], from, to }: TextsToTranslate): string {
  const what = first === undefined || others.length > 0 ? 'texts' : first.name
  return `${[what, from, to]
    .join('-')
    .replaceAll(/[^\w-]+/g, '-')
    .replace(/^-/, '')}.xlf`
}
