import { CmsError } from '../../base/errors.ts'
import { isObject, type Json } from '../../base/json.ts'
import { isHash } from '../../engine/access/secrets.ts'
import type { Context, Expected } from '../../engine/context.ts'
import { holdingFiles } from '../../engine/media/held-files.ts'
import { type ImportedDocument, importDocument, MissingParent } from '../../engine/operations/import-document.ts'
import { storedSingletonIds } from '../../engine/operations/singletons.ts'
import { tryOut, write } from '../../engine/write.ts'
import { TaskPool } from '../archive/concurrency.ts'
import { type Fetch, type IncomingFile, importMedia } from './import-media.ts'
import type { ImportReport } from './import-report.ts'
import { type ImportSelection, type IncomingLine, incomingDocument, isUnselectedUser } from './incoming.ts'
import type { DocumentLine } from './lines.ts'

/** Where content comes from: read from the beginning as often as is needed. */
export interface ContentSource {
  /** Pages after those above them, and after them no pieces. */
  documents(): AsyncIterable<DocumentLine>
  /** The ids of all files. */
  fileIds(): AsyncIterable<string>
  /** All files; `fetch` is called before the next one is asked for. */
  files(): AsyncIterable<IncomingFile & { readonly fetch: Fetch }>
}

/** How content is imported. */
export interface ImportOptions extends ImportSelection {
  readonly update: boolean
  readonly dryRun: boolean
  readonly report: ImportReport
  readonly onDocument: (done: number, total: number) => void
  readonly onFile: (done: number, total: number) => void
}

/** How many documents and files were added, were changed, were there already, and were refused. */
export interface ImportCounts {
  readonly documents: { added: number; changed: number; unchanged: number; refused: number }
  readonly files: { added: number; unchanged: number; refused: number }
}

const AT_ONCE = 8

/** The options, with the ids that the documents of singletons have here. */
type Importing = ImportOptions & Parameters<typeof incomingDocument>[2]

/**
 * Imports content as the operator, with hooks (§10.4): files first, then documents. What is there already stays, so an
 * import that was interrupted goes on where it was.
 */
export async function importContent(ctx: Context, source: ContentSource, given: ImportOptions): Promise<ImportCounts> {
  const options = { ...given, singletonId: await storedSingletonIds(ctx) }
  const counts: ImportCounts = {
    documents: { added: 0, changed: 0, unchanged: 0, refused: 0 },
    files: { added: 0, unchanged: 0, refused: 0 },
  }
  const { expected, lines } = await expectedOf(ctx, source, options)
  if (options.dryRun) {
    await new DocumentImport(ctx, options, expected, counts).run(source.documents(), lines)
    return counts
  }
  // Until documents name them, files are as unused as those that a cleaning removes.
  await holdingFiles(ctx.store, async () => {
    await importFiles(ctx, source, options, { counts, total: expected.attachments.size })
    // Files that were stored are in the database, and those that were refused will not be.
    const documents = new DocumentImport(ctx, options, { ...expected, attachments: new Set() }, counts)
    await documents.run(source.documents(), lines)
  })
  return counts
}

/** Collects everything that the import contains, so that documents may name later ones. */
async function expectedOf(ctx: Context, source: ContentSource, options: Importing) {
  const documents = new Map<string, string>()
  let lines = 0
  for await (const line of source.documents()) {
    const incoming = incomingDocument(ctx, line, options)
    if (typeof incoming === 'string') continue
    documents.set(incoming.docId, incoming.type.name)
    lines += 1
  }
  const attachments = new Set<string>()
  for await (const id of source.fileIds()) attachments.add(id)
  const expected: Expected = { documents, attachments }
  return { expected, lines }
}

async function importFiles(
  ctx: Context,
  source: ContentSource,
  { report, onFile }: ImportOptions,
  { counts, total }: { readonly counts: ImportCounts; readonly total: number },
): Promise<void> {
  let done = 0
  for await (const { fetch, ...file } of source.files()) {
    counts.files[await importMedia(ctx, file, report, fetch)] += 1
    onFile(++done, total)
  }
}

/** The documents of an import, some at a time; pages in order. */
class DocumentImport {
  readonly #ctx: Context
  readonly #options: Importing
  readonly #expected: Expected
  readonly #counts: ImportCounts
  readonly #tasks = new TaskPool(AT_ONCE)
  /** By type and locale, the documents that became the one of a singleton, by the ids that they have in the import. */
  readonly #singles = new Map<string, string>()

  constructor(ctx: Context, options: Importing, expected: Expected, counts: ImportCounts) {
    this.#ctx = ctx
    this.#options = options
    this.#expected = expected
    this.#counts = counts
  }

  async run(lines: AsyncIterable<DocumentLine>, total: number): Promise<void> {
    let done = 0
    for await (const line of lines) {
      const incoming = incomingDocument(this.#ctx, line, this.#options)
      if (typeof incoming === 'string') {
        if (incoming !== '') this.#refuse(line, 'not of this site', incoming)
        else if (isUnselectedUser(this.#ctx.site, line, this.#options)) this.#reportUser(line)
        continue
      }
      if (this.#isSecond(incoming)) {
        this.#refuse(
          line,
          'second of a singleton',
          `${incoming.type.name} has one document, which was imported before.`,
        )
        continue
      }
      const work = async () => {
        await this.#import(incoming)
        this.#options.onDocument(Math.min(++done, total), total)
      }
      // A page waits for the page above it, and keeps its place among its siblings.
      if (incoming.type.family === 'page') await work()
      else await this.#tasks.begin(work)
    }
    await this.#tasks.done()
  }

  /** Types that have many documents elsewhere may be mapped to one that has a single document here. */
  #isSecond({ type, locale, line }: IncomingLine): boolean {
    if (!type.singleton) return false
    const key = `${type.name} ${locale}`
    const first = this.#singles.get(key) ?? line.docId
    this.#singles.set(key, first)
    return first !== line.docId
  }

  async #import(incoming: IncomingLine): Promise<void> {
    try {
      const imported = await this.#attempt(incoming)
      this.#counts.documents[imported.outcome] += 1
      this.#report(incoming, imported)
    } catch (error) {
      // Without the database nothing goes on; what a hook has thrown refuses one document.
      if (error instanceof CmsError && error.name === 'unavailable') throw error
      const what = error instanceof MissingParent ? 'page without its parent' : 'refused'
      this.#refuse(incoming.line, what, messageOf(error))
    }
  }

  /** A slug that another document has gets a number. */
  async #attempt(incoming: IncomingLine): Promise<ImportedDocument> {
    try {
      return await this.#write(incoming, 'refuse')
    } catch (error) {
      if (!(error instanceof CmsError) || error.name !== 'conflict') throw error
      return this.#write(incoming, 'number')
    }
  }

  #write(incoming: IncomingLine, takenSlug: 'number' | 'refuse'): Promise<ImportedDocument> {
    const { update, dryRun } = this.#options
    const run = dryRun ? tryOut<ImportedDocument> : write<ImportedDocument>
    return run(this.#ctx, (ctx) =>
      importDocument({ ...ctx, expected: this.#expected }, incoming, { update, dryRun, takenSlug }),
    )
  }

  #report(
    { type: { name: type }, docId, locale, leftOut }: IncomingLine,
    { outcome, dropped, lost, otherSlugs }: ImportedDocument,
  ): void {
    const { report } = this.#options
    const id = locale === '' ? docId : `${docId}:${locale}`
    for (const { path, message, value } of dropped) {
      report.add({ what: 'value does not fit', type, id, path, message, value: shortened(value) })
    }
    const isRead = outcome !== 'unchanged' || this.#options.update
    for (const { path, message, value } of isRead ? leftOut : []) {
      report.add({ what: 'value not taken', type, id, path, message, value: shortened(value) })
    }
    for (const { path, value, now } of lost) {
      // A password, which is stored as its hash.
      if (isHash(now)) continue
      const what = now === undefined ? 'value not taken' : 'value changed'
      const message =
        now === undefined ? 'There is no such field, widget or document here.' : `Stored as ${textOf(now)}`
      report.add({ what, type, id, path, message, value: shortened(value) })
    }
    const taken = new Map(otherSlugs.map((one) => [JSON.stringify(one), one]))
    for (const { value, now = null } of taken.values()) {
      report.add({ what: 'slug taken', type, id, path: 'slug', message: `Stored as ${textOf(now)}.`, value })
    }
  }

  #reportUser({ docId, type }: DocumentLine): void {
    const message = 'Users are imported only where --type names them: who made the file would choose who may sign in.'
    this.#options.report.add({ what: 'user left out', type, id: docId, message })
  }

  #refuse({ docId, locale, type }: DocumentLine, what: string, message: string): void {
    this.#counts.documents.refused += 1
    this.#options.report.add({ what, type, id: locale === '' ? docId : `${docId}:${locale}`, message })
  }
}

const SHOWN = 500

function shortened(value: Json): Json {
  const text = JSON.stringify(value)
  return text.length <= SHOWN ? value : `${text.slice(0, SHOWN)}…`
}

function textOf(value: Json): string {
  return JSON.stringify(shortened(value))
}

function messageOf(error: unknown): string {
  if (error instanceof MissingParent) return error.message
  if (!(error instanceof CmsError)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const problems = Array.isArray(error.data.errors) ? error.data.errors.filter(isObject) : []
  return [error.message, ...problems.map(({ path, message }) => `${path}: ${message}`)].join(' ')
}
