import { createReadStream } from 'node:fs'
import { CmsError, conflict, invalid, type Problem } from '../../base/errors.ts'
import { waitForTurn } from '../../base/turns.ts'
import type { Type } from '../../model/declared/types.ts'
import { type DocId, isId, type Locale } from '../../model/terms/document.ts'
import type { Context, WriteContext } from '../context.ts'
import { localize } from '../operations/localize.ts'
import { localizePage } from '../operations/localize-page.ts'
import { setTexts } from '../operations/set-texts.ts'
import { parkedPage } from '../pages/parked.ts'
import { may, seesLocale } from '../permissions.ts'
import { viewOf } from '../view.ts'
import { tryOut, write } from '../write.ts'
import {
  confirmed,
  type Decision,
  decide,
  isUntouched,
  type Locales,
  type MayReplace,
  type Replaced,
} from './decide-import.ts'
import { FINDINGS, type Finding } from './import-findings.ts'
import { type Translated, XliffReader } from './read-xliff.ts'
import { languageOf } from './write-xliff.ts'

/** A file that was read to its end. */
export interface TranslatedFile {
  readonly path: string
  readonly locales: Locales
  /** How many documents it has. */
  readonly total: number
  /** The most characters of one document with its tags. */
  readonly longest: number | undefined
}

/** How a file is imported. */
export interface ImportOptions {
  /** Only tells what would change, and writes nothing. */
  readonly isCheck: boolean
  readonly mayReplace: MayReplace
}

/** The outcome for a document of a file. */
export interface ImportedDocument {
  readonly type: string
  readonly docId: string
  /** Empty where the caller does not see it. */
  readonly title: string
  /** Whether its draft was made or changed; of a check, whether it would be. */
  readonly isChanged: boolean
  /** It was not in the locale. */
  readonly isNew: boolean
  /** Texts with a translation that is another one than was exported. */
  readonly texts: number
  /** Texts without a translation: left as they are. */
  readonly untranslated: number
  readonly replaced: readonly Replaced[]
  /** What somebody should look at, of a document that was written. */
  readonly warnings: readonly Finding[]
  /** Why it was not written at all: everything that is wrong with it. */
  readonly problems: readonly Finding[]
}

/**
 * Reads a translated XLIFF 2 file to its end, before anything is written. Throws `invalid` for what is no such file, has
 * more documents than `most`, or is in languages that the site has no two locales for.
 */
export async function openTranslation(
  ctx: Context,
  path: string,
  limits: { readonly most?: number; readonly longest?: number } = {},
): Promise<TranslatedFile> {
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
    const known = [...ctx.site.locales.keys()].filter((one) => seesLocale(ctx, one)).map(languageOf)
    const shown = language.slice(0, MOST_SHOWN)
    throw invalid(`The site has no locale for the language "${shown}" of the file. It has ${known.join(', ')}.`)
  }
  const locales = { from: named(from), to: named(to) }
  if (locales.from !== locales.to) return locales
  throw invalid(`The file translates ${locales.from} into itself. Its trgLang must be another language.`)
}

/** The most characters of a text of the file in a message. */
const MOST_SHOWN = 100

/** A document of the file that may be written: its type, and what is decided. */
interface Permitted {
  readonly type: Type
  readonly decision: Decision
}

/** What a document is imported with. */
interface Importing extends Locales, ImportOptions {
  /** The documents that this import has brought to the locale; of a check, that it would bring. */
  readonly made: ReadonlySet<DocId>
}

/** How often a document is tried while others change it. */
const ATTEMPTS = 4

/** Writes one document; or, when anything is wrong with it, nothing of it. */
async function importDocument(
  ctx: Context,
  document: Translated & { readonly isRepeated: boolean },
  importing: Importing,
): Promise<ImportedDocument> {
  const refusal = refusalOf(ctx, document)
  if (refusal !== null) return outcomeOf(document, { problems: refusal })
  if (document.texts.every(isUntouched)) return outcomeOf(document, {})
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryDocument(ctx, document, importing)
    } catch (error) {
      if (!(error instanceof CmsError)) throw error
      if (error.name === 'conflict' && attempt < ATTEMPTS) continue
      return outcomeOf(document, { problems: problemsOf(error) })
    }
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

/** Decides what to do with a document, and does it. Throws `conflict` when somebody changes it meanwhile. */
async function tryDocument(ctx: Context, document: Translated, importing: Importing): Promise<ImportedDocument> {
  const type = ctx.site.types.get(document.type)
  if (type === undefined) throw new Error('The type of a document was looked up.')
  const decision = confirmed(await decide(ctx, document, importing), { ...document, ...importing })
  const run = importing.isCheck ? tryOut : write
  const isChanged =
    decision.texts.length > 0 && (await run(ctx, (ctx) => writeTexts(ctx, { type, decision }, document, importing)))
  const { title, isMissing, texts, replaced, warnings } = decision
  return outcomeOf(document, {
    title,
    isChanged,
    isNew: isChanged && isMissing,
    texts: texts.length,
    replaced,
    warnings,
  })
}

function outcomeOf({ type, docId, untranslated }: Translated, known: Partial<ImportedDocument>): ImportedDocument {
  const nothing = { title: '', isChanged: false, isNew: false, texts: 0, replaced: [], warnings: [], problems: [] }
  return { type, docId, untranslated, ...nothing, ...known }
}

/** Copies the document to the locale where it is missing, and puts the texts in. Whether anything has changed. */
async function writeTexts(
  ctx: WriteContext,
  { type, decision }: Permitted,
  { docId }: Translated,
  { from, to, made }: Importing,
): Promise<boolean> {
  const { isMissing, texts } = decision
  if (isMissing) {
    if ((await isThere(ctx, docId, to)) || (await isThereNow(ctx, type, docId, { from, to }))) throw conflict(MADE)
    if (type.family === 'page') await bringAncestors(ctx, docId, { from, to, made })
    await bring(ctx, type, docId, { from, to })
  }
  const isChanged = await setTexts(ctx, { type, docId, locale: to }, texts)
  return isMissing || isChanged
}

const MADE = 'Somebody has localized the document just now. Import the file again.'

async function bring(ctx: WriteContext, { family, ...type }: Type, docId: DocId, { from, to }: Locales): Promise<void> {
  const source = { docId, locale: from, mode: 'draft' } as const
  const localization = { toLocale: to, update: false, publish: false, asDraft: true, related: new Set<string>() }
  if (family === 'page') await localizePage(ctx, source, localization)
  else await localize(ctx, { family, ...type }, source, localization)
}

async function isThere({ tx }: WriteContext, docId: DocId, locale: Locale): Promise<boolean> {
  const { draft, published } = await tx.documents.lockCopies(docId, locale)
  return draft !== null || published !== null
}

/** Locks the document as other processes that copy it do, in the same order, and returns whether it exists now. */
async function isThereNow(ctx: WriteContext, type: Type, docId: DocId, { from, to }: Locales): Promise<boolean> {
  if (type.family === 'page') await ctx.tx.tree.lock([from, to])
  await ctx.tx.documents.lockCopies(docId, from)
  return isThere(ctx, docId, to)
}

/** Of a check: brings the pages above along that it would have brought before. They are there in an import. */
async function bringAncestors(
  ctx: WriteContext,
  docId: DocId,
  { from, to, made }: Pick<Importing, 'from' | 'to' | 'made'>,
): Promise<void> {
  const { tree, documents } = ctx.tx.read
  const above = ((await tree.position(from, docId))?.path ?? '').split('/').slice(0, -1)
  const brought = above.filter((one) => made.has(one))
  if (brought.length === 0) return
  const there = await tree.nodes(to, brought)
  const missing = brought.filter((one) => !there.has(one))
  const types = await documents.types(missing)
  for (const one of missing) {
    const type = ctx.site.types.get(types.get(one) ?? '')
    if (type) await bring(ctx, type, one, { from, to })
  }
}

function problemsOf({ name, message, data }: CmsError): Finding[] {
  if (name === 'notfound') return [FINDINGS.noDocument()]
  // `as`: engine and store put problems there, and nothing else (§0.2).
  const errors = (data.errors ?? []) as readonly Problem[]
  if (errors.length === 0) return [FINDINGS.refused('', message)]
  return errors.map((one) => FINDINGS.refused(one.path, one.message))
}
