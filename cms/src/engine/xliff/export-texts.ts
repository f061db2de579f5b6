import { invalid } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, titleOf } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { LocatedText } from '../../model/values/document-texts.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { homeId, parkedPage } from '../pages/parked.ts'
import { translatableTexts } from '../values/translatable-texts.ts'
import { viewsOf } from '../view.ts'
import { type Untranslated, XLIFF_END, xliffFile, xliffHead } from './write-xliff.ts'

/** The texts to give to translators. */
export interface TextsToTranslate {
  readonly from: Locale
  readonly to: Locale
  /** Types with locales. */
  readonly types: readonly Type[]
  /** Only these documents; all when left out. */
  readonly docIds?: ReadonlySet<DocId>
  /** Only documents with a text that has no translation, or that was changed after it was translated. */
  readonly isOpenOnly?: boolean
}

/** How many documents are read at a time. */
const BATCH = 20

/**
 * The documents whose texts are given to translators, with what is translated already (§4.5): drafts that are not
 * archived, a page after the page above it; with the texts that the caller may write, if there are any.
 */
export async function* textsToTranslate(
  ctx: Context,
  selection: TextsToTranslate,
  onProgress: OnProgress = () => {},
): AsyncGenerator<Untranslated> {
  let read = 0
  const parts = await partsOf(ctx, selection)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  for (const { documents } of parts) {
    for await (const document of documents()) {
      const one = await untranslated(ctx, document, selection.to)
      if (one.texts.length > 0 && !(selection.isOpenOnly && isTranslated(one))) yield one
      read += 1
      onProgress(Math.min(read, total), total)
    }
  }
}

/** An XLIFF 2 file of documents, piece by piece. */
export async function* xliffOf(
  { site }: Context,
  { from, to }: Pick<TextsToTranslate, 'from' | 'to'>,
  documents: AsyncIterable<Untranslated>,
): AsyncGenerator<string> {
  const languages = { from, to, direction: site.locales.get(to)?.direction ?? 'ltr' }
  let written = 0
  yield xliffHead(languages)
  for await (const one of documents) {
    written += 1
    yield xliffFile(one, written, languages)
  }
  yield XLIFF_END
}

/** Asserts that these are two locales of the site. Throws `invalid`, naming the parameters as `prefix` says. */
export function assertLocales({ site }: Context, { from, to }: Record<'from' | 'to', unknown>, prefix = ''): void {
  const names = [...site.locales.keys()].join(', ')
  for (const [name, locale] of [
    ['from', from],
    ['to', to],
  ]) {
    if (typeof locale === 'string' && site.locales.has(locale)) continue
    throw invalid(`${prefix}${name} must be one of the locales of the site: ${names}.`)
  }
  if (from === to) throw invalid(`${prefix}from and ${prefix}to must be two locales.`)
}

/** Some of the documents, and how many. */
interface Part {
  readonly count: number
  documents(): AsyncIterable<Document>
}

async function partsOf(ctx: Context, selection: TextsToTranslate): Promise<Part[]> {
  const parts: Part[] = []
  for (const type of selection.types) if (type.family === 'piece') parts.push(await piecesOf(ctx, type, selection))
  const pageTypes = selection.types.filter(({ family }) => family === 'page')
  return pageTypes.length === 0 ? parts : [...parts, await pagesOf(ctx, pageTypes, selection)]
}

async function piecesOf({ store }: Context, type: Type, { from, docIds: named }: TextsToTranslate): Promise<Part> {
  const view = { type: type.name, locale: from, mode: 'draft', archived: false, visibility: null } as const
  const only = named && { docIds: [...named] }
  const all = { ...view, ...only, conditions: [], sort: [], offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { docIds } = await store.documents.ids(all)
  return {
    count: docIds.length,
    async *documents() {
      for (const batch of inBatches(docIds)) yield* await store.documents.many(view, batch)
    },
  }
}

async function pagesOf({ store }: Context, types: readonly Type[], { from, docIds }: TextsToTranslate): Promise<Part> {
  const names = new Set(types.map(({ name }) => name))
  const copies = await store.tree.copiesBelow(from, homeId)
  const isWanted = ({ docId, type }: { docId: DocId; type: string }) => names.has(type) && docIds?.has(docId) !== false
  const rows = copies.filter((one) => one.mode === 'draft' && !one.isArchived && isWanted(one)).map(({ row }) => row)
  const view = { locale: from, mode: 'draft', archived: false, visibility: null } as const
  return {
    count: rows.length,
    async *documents() {
      for (const batch of inBatches(rows)) {
        for (const { document } of await store.tree.ofRows(view, batch)) yield document
      }
    },
  }
}

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH)
}

async function untranslated(ctx: Context, document: Document, to: Locale): Promise<Untranslated> {
  const { site, store } = ctx
  const { id, type: typeName } = document
  const written = await filledTexts(ctx, document)
  const translation = await store.documents.get({ ...id, locale: to, mode: 'draft' })
  const fixed = parkedPage(site, id.docId)?.fixed ?? []
  const until = translation?.updatedAt ?? ''
  const isBehind = translation !== null && document.updatedAt > until
  const then = isBehind ? await store.versions.newestUntil(id.docId, id.locale, { until, mode: 'draft' }) : null
  const before = then && byPath(await filledTexts(ctx, { type: then.version.type, fields: then.content }))
  return {
    type: typeName,
    docId: id.docId,
    title: titleOf(viewsOf(ctx).of(typeName), document),
    texts: written.filter(({ path }) => !fixed.includes(path)),
    translated: translation ? byPath(await filledTexts(ctx, translation)) : new Map(),
    outdated: new Set(
      before === null ? [] : written.flatMap(({ path, text }) => (before.get(path) === text ? [] : path)),
    ),
  }
}

async function filledTexts(...content: Parameters<typeof translatableTexts>): Promise<LocatedText[]> {
  return (await translatableTexts(...content)).filter(({ text }) => text !== '')
}

function byPath(texts: readonly LocatedText[]): Map<string, string> {
  return new Map(texts.map(({ path, text }) => [path, text]))
}

/** Whether every text has a translation that is as new as the text; a copy of the original is none. */
function isTranslated({ texts, translated, outdated }: Untranslated): boolean {
  return texts.every(({ path, text }) => {
    const translation = translated.get(path) ?? ''
    return translation !== '' && translation !== text && !outdated.has(path)
  })
}
