import { createReadStream } from 'node:fs'
import { CmsError, type Problem } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { localize } from '../../engine/operations/localize.ts'
import { localizePage } from '../../engine/operations/localize-page.ts'
import { setTexts } from '../../engine/operations/set-texts.ts'
import { parkedPage } from '../../engine/pages/parked.ts'
import { write } from '../../engine/write.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId, Locale } from '../../model/terms/document.ts'
import { isId } from '../../model/terms/document.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import { assertFile, UsageError } from '../command/failure.ts'
import { type Translated, XliffReader } from '../xliff/read-xliff.ts'
import { languageOf } from '../xliff/write-xliff.ts'
import { isUntouched, warningsOf } from './import-warnings.ts'

/** The outcome for the documents of a file. */
interface Imported {
  /** Drafts that were made or changed. */
  readonly documents: number
  /** Texts without a translation: left as they are. */
  readonly untranslated: number
  /** Documents that were not written at all, each with everything that is wrong with it. */
  readonly refused: readonly DocumentProblems[]
  /** Documents that were written, with what somebody should look at. */
  readonly warned: readonly DocumentProblems[]
}

/** The problems of a document. */
interface DocumentProblems {
  readonly document: string
  readonly problems: readonly string[]
}

interface Locales {
  readonly from: Locale
  readonly to: Locale
}

/**
 * Reads a translated XLIFF 2 file into drafts (§4.5). The file is read to its end before anything is written. A
 * document is written whole or not at all; one that is not in the locale yet is copied there first.
 */
export async function importTexts(ctx: Context, file: string, onProgress: OnProgress): Promise<Imported> {
  await assertFile(file, 'It is read twice, and must be a file.')
  let total = 0
  for await (const found of documentsIn(ctx, file)) total += found.documents.length
  let [done, written, untranslated] = [0, 0, 0]
  const refused: DocumentProblems[] = []
  const warned: DocumentProblems[] = []
  for await (const { locales, documents } of documentsIn(ctx, file)) {
    for (const document of documents) {
      const { isChanged, problems, warnings } = await importDocument(ctx, document, locales)
      const name = `${document.type}/${document.docId}`
      if (problems.length > 0) refused.push({ document: name, problems })
      if (warnings.length > 0) warned.push({ document: name, problems: warnings })
      if (isChanged) written += 1
      untranslated += document.untranslated
      done += 1
      onProgress(done, total)
    }
  }
  return { documents: written, untranslated, refused, warned }
}

interface Batch {
  readonly locales: Locales
  readonly documents: readonly Translated[]
}

async function* documentsIn(ctx: Context, file: string): AsyncGenerator<Batch> {
  const reader = new XliffReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw new UsageError('The file is not encoded in UTF-8. Save it so, then import it again.')
    }
  }
  for await (const bytes of createReadStream(file)) {
    const { languages, documents } = reader.write(decoded(bytes))
    if (languages !== null && documents.length > 0) yield { locales: localesOf(ctx, languages), documents }
  }
  const { languages, documents } = reader.write(decoded())
  reader.end()
  if (languages !== null) yield { locales: localesOf(ctx, languages), documents }
}

function localesOf({ site }: Context, { from, to }: { readonly from: string; readonly to: string }): Locales {
  const named = (language: string) => {
    const name = [...site.locales.keys()].find((one) => languageOf(one).toLowerCase() === language.toLowerCase())
    if (name === undefined) throw new UsageError(`The site has no locale for the language "${language}" of the file.`)
    return name
  }
  const locales = { from: named(from), to: named(to) }
  if (locales.from !== locales.to) return locales
  throw new UsageError(`The file translates ${locales.from} into itself. Its trgLang must be another language.`)
}

interface Outcome {
  readonly isChanged: boolean
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Writes one document; or, when anything is wrong with it, nothing of it. */
async function importDocument(ctx: Context, document: Translated, locales: Locales): Promise<Outcome> {
  const refused = (problems: string[]) => ({ isChanged: false, problems, warnings: [] })
  const type = ctx.site.types.get(document.type)
  if (!type?.localized || !isId(document.docId)) return refused(['The site has no such document.'])
  if (document.problems.length > 0) return refused(document.problems.map(({ path, message }) => `${path}: ${message}`))
  const texts = document.texts.filter((text) => !isUntouched(text))
  if (texts.length === 0) return refused([])
  const fixed = parkedPage(ctx.site, document.docId)?.fixed ?? []
  const kept = texts.filter(({ path }) => fixed.includes(path))
  if (kept.length > 0) return refused(kept.map(({ path }) => `${path}: This page is built in: its ${path} is fixed.`))
  try {
    const warnings = await warningsOf(ctx, { ...document, texts }, locales)
    return {
      isChanged: await write(ctx, (ctx) => writeTexts(ctx, type, { ...document, texts }, locales)),
      problems: [],
      warnings,
    }
  } catch (error) {
    if (error instanceof CmsError) return refused(problemsOf(error))
    throw error
  }
}

/** Copies the document to the locale where it is missing, and puts the texts in. Whether anything has changed. */
async function writeTexts(ctx: WriteContext, type: Type, { docId, texts }: Translated, { from, to }: Locales) {
  const isMissing = !(await isThere(ctx, docId, to)) && !(await isThereNow(ctx, type, docId, { from, to }))
  if (isMissing) {
    const source = { docId, locale: from, mode: 'draft' } as const
    const localization = { toLocale: to, update: false, publish: false, asDraft: true, related: new Set<string>() }
    if (type.family === 'page') await localizePage(ctx, source, localization)
    else await localize(ctx, type, source, localization)
  }
  const isChanged = await setTexts(ctx, { type, docId, locale: to }, texts)
  return isMissing || isChanged
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

function problemsOf({ name, message, data }: CmsError): string[] {
  if (name === 'notfound') return ['The site has no such document.']
  // `as`: engine and store put problems there, and nothing else (§0.2).
  const errors = (data.errors ?? []) as readonly Problem[]
  return errors.length === 0 ? [message] : errors.map((one) => `${one.path}: ${one.message}`)
}
