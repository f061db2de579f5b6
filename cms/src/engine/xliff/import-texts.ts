import { createReadStream } from 'node:fs'
import { CmsError, invalid, notFound, problemsIn } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { waitForTurn } from '../../base/turns.ts'
import type { Type } from '../../model/declared/types.ts'
import { type DocId, isId, type Locale } from '../../model/terms/document-id.ts'
import type { Context, WriteContext } from '../context.ts'
import { localize } from '../operations/localize.ts'
import { localizePage } from '../operations/localize-page.ts'
import { setTexts } from '../operations/set-texts.ts'
import { parkedPage } from '../pages/parked.ts'
import { may, seenLocales, seesLocale } from '../permissions.ts'
import { viewOf } from '../view.ts'
import { tryOut, write } from '../write.ts'
import { confirmed, decide, digestOfReplaced, isUntouched } from './decide-import.ts'
import { FINDINGS } from './import-findings.ts'
import type { FileLimits, Finding, ImportedDocument, ImportOptions, Locales, TranslatedFile } from './imported.ts'
import { type Translated, XliffReader } from './read-xliff.ts'
import { languageOf } from './write-xliff.ts'

/**
 * Reads a translated XLIFF 2 file to its end, before anything is written. Throws `invalid` for what is no such file, has
 * more documents than `most`, or is in languages that the site has no two locales for.
 */
export async function openTranslation(ctx: Context, path: string, limits: FileLimits = {}): Promise<TranslatedFile> {
  const { most = Number.POSITIVE_INFINITY, longest } = limits
  let total = 0
  let locales: Locales | null = null
  for await (const part of partsOf(path, longest)) {
    locales ??= part.languages && localesOf(ctx, part.languages)
    total += part.documents.length
    if (total > most) throw invalid(`The file has more than ${most} documents. Import it in parts.`)
  }
  if (locales === null) throw invalid('The file is not XLIFF 2.')
  return { path, locales, total, longest }
}

/**
 * Reads the documents of a translated file into drafts, one after another (§4.5). A document is written whole or not at
 * all; one that is not in the locale yet is copied there first.
 */
export async function* importTexts(
  ctx: Context,
  file: TranslatedFile,
  options: ImportOptions,
): AsyncGenerator<ImportedDocument> {
  const made = new Set<DocId>()
  for await (const document of documentsIn(file)) {
    const outcome = await importDocument(ctx, document, { ...file.locales, ...options, made })
    if (outcome.isNew) made.add(outcome.docId)
    yield outcome
  }
}

/** The translations that a file would replace, as `MayReplace` takes them; of documents that replace none, nothing. */
export async function replacedByDocument(ctx: Context, file: TranslatedFile): Promise<ReadonlyMap<DocId, string>> {
  const digests = new Map<DocId, string>()
  for await (const document of documentsIn(file)) {
    if (refusalOf(ctx, document) !== null) continue
    const { replaced } = await decide(ctx, document, file.locales)
    if (replaced.length > 0) digests.set(document.docId, digestOfReplaced(replaced))
  }
  return digests
}

/** The documents of a file, and for one that comes again a note. */
async function* documentsIn({ path, longest }: TranslatedFile): AsyncGenerator<Translated & { isRepeated: boolean }> {
  const seen = new Set<string>()
  for await (const { documents } of partsOf(path, longest)) {
    for (const document of documents) {
      await waitForTurn()
      yield { ...document, isRepeated: seen.has(document.docId) }
      seen.add(document.docId)
    }
  }
}

async function* partsOf(path: string, longest: number | undefined) {
  const reader = new XliffReader(longest)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw invalid('The file is not encoded in UTF-8. Save it so, then import it again.')
    }
  }
  let isEmpty = true
  for await (const bytes of createReadStream(path)) {
    isEmpty = false
    yield reader.write(decoded(bytes))
  }
  if (isEmpty) throw invalid('The file is empty. Choose the file that came back from translation; it is not XLIFF.')
  yield reader.write(decoded())
  reader.end()
}

function localesOf(ctx: Context, { from, to }: { readonly from: string; readonly to: string }): Locales {
  const named = (language: string) => {
    const isNamed = (one: Locale) => languageOf(one).toLowerCase() === language.toLowerCase() && seesLocale(ctx, one)
    const name = [...ctx.site.locales.keys()].find(isNamed)
    if (name !== undefined) return name
    const known = seenLocales(ctx).map(languageOf)
    const shown = language.slice(0, MOST_SHOWN)
    throw invalid(`The site has no locale for the language "${shown}" of the file. It has ${known.join(', ')}.`)
  }
  const locales = { from: named(from), to: named(to) }
  if (locales.from !== locales.to) return locales
  throw invalid(`The file translates ${locales.from} into itself. Its trgLang must be another language.`)
}

/** The most characters of a text of the file in a message. */
const MOST_SHOWN = 100

/** The options of importing a document. */
interface Importing extends Locales, ImportOptions {
  /** The documents that this import has brought to the locale; of a check, that it would bring. */
  readonly made: ReadonlySet<DocId>
}

/** Writes one document; or, when anything is wrong with it, nothing of it. */
async function importDocument(
  ctx: Context,
  document: Translated & { readonly isRepeated: boolean },
  importing: Importing,
): Promise<ImportedDocument> {
  const refusal = refusalOf(ctx, document)
  if (refusal !== null) return outcomeOf(document, { problems: refusal })
  if (document.texts.every(isUntouched)) return outcomeOf(document, {})
  try {
    const run = importing.isCheck ? tryOut : write
    return await run(ctx, (ctx) => writeDocument(ctx, document, importing))
  } catch (error) {
    if (error instanceof CmsError) return outcomeOf(document, { problems: problemsOf(error) })
    // Others are written already: who imports must hear of them.
    const requestId = newId()
    ctx.log.error({ error, requestId }, 'A document of a translated file could not be imported.')
    return outcomeOf(document, {
      problems: [FINDINGS.failed(`Something went wrong: ${requestId} finds it in the log.`)],
    })
  }
}

/** Why a document cannot be imported, whatever the state of the site; null where it can. */
function refusalOf(
  { site, actor }: Context,
  { type: name, docId, isRepeated, problems, texts }: Translated & { readonly isRepeated: boolean },
): readonly Finding[] | null {
  const type = site.types.get(name)
  if (!type?.localized || viewOf(actor, type) === null || !isId(docId)) return [FINDINGS.noDocument()]
  if (!may(actor, 'editDraft', type)) return [FINDINGS.notAllowed()]
  if (isRepeated) return [FINDINGS.repeatedDocument()]
  if (problems.length > 0) return problems.map(FINDINGS.unreadable)
  const fixed = parkedPage(site, docId)?.fixed ?? []
  const kept = texts.filter((text) => fixed.includes(text.path) && !isUntouched(text))
  return kept.length === 0 ? null : kept.map(({ path }) => FINDINGS.fixed(path))
}

/** Locks a document, decides what to do with it, and does it. */
async function writeDocument(ctx: WriteContext, document: Translated, importing: Importing): Promise<ImportedDocument> {
  const type = ctx.site.types.get(document.type)
  if (type === undefined) throw notFound()
  await lock(ctx, type, document.docId, importing)
  const { title, isMissing, texts, replaced, warnings } = confirmed(await decide(ctx, document, importing), {
    ...document,
    ...importing,
  })
  if (texts.length === 0) return outcomeOf(document, { title, warnings })
  if (isMissing) await bringWhole(ctx, type, document.docId, importing)
  const hasSet = await setTexts(ctx, { type, docId: document.docId, locale: importing.to }, texts)
  const isChanged = isMissing || hasSet
  return outcomeOf(document, { title, isChanged, isNew: isMissing, texts: texts.length, replaced, warnings })
}

function outcomeOf({ type, docId, untranslated }: Translated, known: Partial<ImportedDocument>): ImportedDocument {
  const nothing = { title: '', isChanged: false, isNew: false, texts: 0, replaced: [], warnings: [], problems: [] }
  return { type, docId, untranslated, ...nothing, ...known }
}

/** Locks the translation; where there is none yet the original first, as others do that copy it. */
async function lock(ctx: WriteContext, { family }: Type, docId: DocId, { from, to }: Locales): Promise<void> {
  if (family === 'page') await ctx.tx.tree.lock([from, to])
  const { draft, published } = await ctx.tx.documents.lockCopies(docId, to)
  if (draft !== null || published !== null) return
  await ctx.tx.documents.lockCopies(docId, from)
  await ctx.tx.documents.lockCopies(docId, to)
}

/** Copies a document to the other locale; of a check, with the pages above it that it would have copied before. */
async function bringWhole(
  ctx: WriteContext,
  type: Type,
  docId: DocId,
  importing: Pick<Importing, 'from' | 'to' | 'made'>,
): Promise<void> {
  if (type.family === 'page') await bringAncestors(ctx, docId, importing)
  await bring(ctx, type, docId, importing)
}

async function bring(ctx: WriteContext, { family, ...type }: Type, docId: DocId, { from, to }: Locales): Promise<void> {
  const source = { docId, locale: from, mode: 'draft' } as const
  const localization = { toLocale: to, update: false, publish: false, asDraft: true, related: new Set<string>() }
  if (family === 'page') await localizePage(ctx, source, localization)
  else await localize(ctx, { family, ...type }, source, localization)
}

/** Copies the pages above that a check has found missing before. In an import they are there. */
async function bringAncestors(
  ctx: WriteContext,
  docId: DocId,
  { from, to, made }: Pick<Importing, 'from' | 'to' | 'made'>,
): Promise<void> {
  const { tree, documents } = ctx.tx.read
  const above = ((await tree.position(from, docId))?.path ?? '').split('/').slice(0, -1)
  const copiedBefore = above.filter((one) => made.has(one))
  if (copiedBefore.length === 0) return
  const existing = await tree.nodes(to, copiedBefore)
  const missing = copiedBefore.filter((one) => !existing.has(one))
  const types = await documents.types(missing)
  for (const one of missing) {
    const type = ctx.site.types.get(types.get(one) ?? '')
    if (type) await bring(ctx, type, one, { from, to })
  }
}

function problemsOf(error: CmsError): Finding[] {
  if (error.name === 'notfound') return [FINDINGS.noDocument()]
  if (error.name === 'unavailable') return [FINDINGS.failed(error.message)]
  const problems = problemsIn(error)
  if (problems.length === 0) return [FINDINGS.refused('', error.message)]
  return problems.map((one) => FINDINGS.refused(one.path, one.message))
}
