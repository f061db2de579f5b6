import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../engine/context.ts'
import { homeId, parkedPage } from '../../engine/pages/parked.ts'
import { exportedTexts } from '../../engine/values/exported-values.ts'
import { viewsOf } from '../../engine/view.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import { stateOf, titleOf } from '../../model/terms/document.ts'
import type { LocatedText } from '../../model/values/document-texts.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import { UsageError } from '../command/failure.ts'
import { assertReplaceable, beginsLike, removedAfter } from '../command/replaceable.ts'
import { type Languages, type Untranslated, XLIFF_END, xliffFile, xliffHead } from '../xliff/write-xliff.ts'

/** The texts to give to translators. */
interface Export {
  readonly from: string
  readonly to: string
  /** Only documents of this type. */
  readonly type: string | undefined
}

/** How many documents are read at a time. */
const BATCH = 100
/** As this command, translators and their programs write it. */
const isXliff = beginsLike(/<xliff\s/)

/**
 * Writes the texts of all drafts of a locale into an XLIFF 2 file, with what is translated already (§4.5); a page after
 * the page above it. The file is there when it is whole. How many documents have texts.
 */
export async function exportTexts(
  ctx: Context,
  file: string,
  { from, to, type }: Export,
  onProgress: OnProgress,
): Promise<number> {
  const direction = assertLocales(ctx, from, to)
  await assertReplaceable(file, isXliff)
  const types = typesOf(ctx, type)
  const total = await countOf(ctx, types, from)
  let [read, written] = [0, 0]
  const languages = { from, to, direction }
  async function* pieces() {
    yield xliffHead(languages)
    for await (const document of draftsOf(ctx, types, from)) {
      const one = await untranslated(ctx, document, to)
      if (one.texts.length > 0) yield xliffFile(one, ++written, languages)
      onProgress(Math.min(++read, total), total)
    }
    yield XLIFF_END
  }
  const unfinished = `${file}.unfinished`
  await removedAfter(unfinished, async () => {
    await pipeline(Readable.from(pieces()), createWriteStream(unfinished))
    await rename(unfinished, file)
  })
  return written
}

function assertLocales({ site }: Context, from: string, to: string): Languages['direction'] {
  const known = [...site.locales.keys()].join(', ')
  if (!site.locales.has(from)) throw new UsageError(`--from must be one of the locales of the site: ${known}.`)
  const target = site.locales.get(to)
  if (!target) throw new UsageError(`--to must be one of the locales of the site: ${known}.`)
  if (from === to) throw new UsageError('--from and --to must be two locales.')
  return target.direction
}

function typesOf({ site }: Context, name: string | undefined): Type[] {
  const all = [...site.types.values()].filter((type) => type.localized)
  if (name === undefined) return all
  const found = all.filter((type) => type.name === name)
  if (found.length > 0) return found
  throw new UsageError(`--type must be one of: ${all.map((type) => type.name).join(', ')}.`)
}

const draftView = (type: Type, locale: string) => {
  return { type: type.name, locale, mode: 'draft', archived: false, visibility: null, conditions: [] } as const
}

async function countOf({ store }: Context, types: readonly Type[], locale: string): Promise<number> {
  const counts = await Promise.all(types.map((type) => store.documents.count(draftView(type, locale))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** All drafts of these types: pieces, then pages from the home page down. */
async function* draftsOf({ store }: Context, types: readonly Type[], locale: string): AsyncGenerator<Document> {
  const names = new Map(types.map((type) => [type.name, type.family]))
  for (let last = 0; [...names.values()].includes('piece'); ) {
    const stored = await store.documents.following(last, BATCH)
    for (const { document } of stored) {
      const { id, type } = document
      const isDraft = id.locale === locale && id.mode === 'draft' && !stateOf(document).isArchived
      if (isDraft && names.get(type) === 'piece') yield document
    }
    if (stored.length === 0) break
    last = stored.at(-1)?.row ?? last
  }
  if (![...names.values()].includes('page')) return
  const copies = await store.tree.copiesBelow(locale, homeId)
  const rows = copies.filter((one) => one.mode === 'draft' && !one.isArchived && names.has(one.type))
  const view = { locale, mode: 'draft', archived: false, visibility: null } as const
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH).map(({ row }) => row)
    for (const { document } of await store.tree.ofRows(view, batch)) yield document
  }
}

async function untranslated(ctx: Context, document: Document, to: string): Promise<Untranslated> {
  const { site, store } = ctx
  const { id, type: typeName } = document
  const written = exportedTexts(site, document)
  const translation = await store.documents.get({ ...id, locale: to, mode: 'draft' })
  const fixed = parkedPage(site, id.docId)?.fixed ?? []
  const until = translation?.updatedAt ?? ''
  const isBehind = translation !== null && document.updatedAt > until
  const then = isBehind ? await store.versions.newestUntil(id.docId, id.locale, { until, mode: 'draft' }) : null
  const before = then && new Map(pairsOf(exportedTexts(site, { type: then.version.type, fields: then.content })))
  return {
    type: typeName,
    docId: id.docId,
    title: titleOf(viewsOf(ctx).of(typeName), document),
    texts: written.filter(({ path }) => !fixed.includes(path)),
    translated: new Map(translation && pairsOf(exportedTexts(site, translation))),
    outdated: new Set(
      before === null ? [] : written.flatMap(({ path, text }) => (before.get(path) === text ? [] : path)),
    ),
  }
}

function pairsOf(texts: readonly LocatedText[]): (readonly [path: string, text: string])[] {
  return texts.map(({ path, text }) => [path, text])
}
