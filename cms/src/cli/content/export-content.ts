import { counted } from '../../base/text.ts'
import { userType } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { notServed } from '../../engine/lists/not-served.ts'
import { fileName } from '../../engine/media/file-names.ts'
import { holdingFiles } from '../../engine/media/held-files.ts'
import { homeId } from '../../engine/pages/parked.ts'
import { exportedValues } from '../../engine/values/exported-values.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, Document } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Attachment, OnProgress, StoreReader } from '../../store/contract/store.ts'
import { MANIFEST, manifestText } from '../archive/manifest.ts'
import { writeArchive } from '../archive/output.ts'
import type { ArchiveWriter } from '../archive/write-archive.ts'
import { type CopyLine, DOCUMENTS, type DocumentLine, MEDIA } from './lines.ts'

/** The types and locales to export: all where these are null. */
interface ExportSelection {
  readonly types: ReadonlySet<string> | null
  readonly locales: ReadonlySet<Locale> | null
}

/** The counts of an export. */
interface Exported {
  readonly documents: number
  readonly attachments: number
  /** Files that are not where they should be. */
  readonly missing: readonly string[]
  /** Values that are kept to oneself, by type. */
  readonly secrets: readonly string[]
  /** Documents that the site does not declare, in words: `2 documents of the type recipe`. */
  readonly undeclared: readonly string[]
}

const BATCH = 100
const PART_CHARACTERS = 1024 * 1024

/**
 * Writes content and the files it names into one archive, as it is at one moment: documents of all types, in
 * draft and published, without values that are secret (§10.3).
 */
export async function exportContent(
  ctx: Context,
  file: string,
  selection: ExportSelection,
  onProgress: OnProgress,
): Promise<Exported> {
  return holdingFiles(ctx.store, () =>
    writeArchive(file, ctx.now(), async (archive) => {
      const { site } = ctx
      const about = { namespace: site.namespace, locales: [...site.locales.keys()], defaultLocale: site.defaultLocale }
      await archive.addText(MANIFEST, manifestText('export', site.name, ctx.now(), about))
      const content = await ctx.store.snapshot((reader) =>
        new ContentExport(ctx, archive, selection).run(reader, onProgress),
      )
      const missing = await addFiles(ctx, archive, content.attachments, onProgress)
      const attachments = content.attachments.length - missing.length
      const undeclared = await undeclaredIn(ctx, selection)
      return { documents: content.documents, attachments, missing, secrets: content.secrets, undeclared }
    }),
  )
}

/** The documents that would be exported if the site declared them: those of names that were asked for, it does. */
async function undeclaredIn(ctx: Context, selection: ExportSelection): Promise<string[]> {
  if (selection.types !== null) return []
  const { types, locales, misplaced } = await notServed(ctx)
  return [
    ...types.map(({ type, documents }) => `${counted(documents, 'document')} of the type ${type}`),
    ...(selection.locales === null ? locales : []).map(
      ({ locale, documents }) => `${counted(documents, 'document')} in the locale ${locale}`,
    ),
    ...misplaced.map(
      ({ type, documents }) => `${counted(documents, 'document')} of the type ${type}, whose “localized” has changed`,
    ),
  ]
}

/** The documents of an export, and what they name. */
class ContentExport {
  readonly #ctx: Context
  readonly #archive: ArchiveWriter
  readonly #selection: ExportSelection
  readonly #attachments = new Set<string>()
  readonly #secrets = new Set<string>()
  #text = ''
  #parts = 0
  #documents = 0

  constructor(ctx: Context, archive: ArchiveWriter, selection: ExportSelection) {
    this.#ctx = ctx
    this.#archive = archive
    this.#selection = selection
  }

  async run(reader: StoreReader, onProgress: OnProgress) {
    const types = [...this.#ctx.site.types.values()].filter((type) => this.#isSelected(type))
    const total = types.length + this.#ctx.site.locales.size
    let done = 0
    for (const type of types.filter(({ family }) => family !== 'page')) {
      const locales = type.localized ? [...this.#ctx.site.locales.keys()] : ['']
      for (const locale of locales.filter((one) => this.#isLocaleSelected(one)))
        await this.#addPieces(reader, type, locale)
      onProgress(Math.min(++done, total - 1), total)
    }
    for (const locale of this.#ctx.site.locales.keys()) {
      if (this.#isLocaleSelected(locale)) await this.#addPages(reader, locale)
    }
    await this.#flush()
    const attachments: Attachment[] = []
    const ids = [...this.#attachments].toSorted()
    for (let from = 0; from < ids.length; from += BATCH) {
      const found = await reader.attachments.byIds(ids.slice(from, from + BATCH))
      attachments.push(...Array.from(found.values(), ({ attachment }) => attachment))
    }
    onProgress(total, total)
    return { documents: this.#documents, attachments, secrets: [...this.#secrets] }
  }

  /** Selects the types to export: users only on request, since each database has its own. */
  #isSelected(type: Type): boolean {
    const { types } = this.#selection
    return types === null ? type !== userType(this.#ctx.site) : types.has(type.name)
  }

  #isLocaleSelected(locale: Locale): boolean {
    const { locales } = this.#selection
    return locales === null || locale === '' || locales.has(locale)
  }

  async #addPieces(reader: StoreReader, type: Type, locale: Locale): Promise<void> {
    const view = (mode: 'draft' | 'published') => {
      return { type: type.name, locale, mode, archived: 'any', visibility: null } as const
    }
    const first = type.localized ? 'draft' : 'published'
    for (let after = ''; ; ) {
      const listed = await reader.documents.bySlug(view(first), after, BATCH)
      const ids = listed.map(({ id }) => id.docId)
      const drafts = type.localized ? await reader.documents.many(view('draft'), ids) : []
      const published = await reader.documents.many(view('published'), ids)
      const [byDraft, byPublished] = [drafts, published].map((all) => new Map(all.map((one) => [one.id.docId, one])))
      for (const docId of ids) {
        const copies = { draft: byDraft?.get(docId) ?? null, published: byPublished?.get(docId) ?? null }
        await this.#add(docId, locale, copies)
      }
      after = listed.at(-1)?.key ?? ''
      if (listed.length < BATCH) return
    }
  }

  /** A page after the page above it, and siblings in their order. */
  async #addPages(reader: StoreReader, locale: Locale): Promise<void> {
    const copies = await reader.tree.copiesBelow(locale, homeId)
    const pages = [...new Map(copies.map((copy) => [copy.docId, copy])).values()]
    for (let from = 0; from < pages.length; from += BATCH) {
      const some = pages.slice(from, from + BATCH)
      const former = await reader.tree.formerUrls(
        locale,
        some.map(({ docId }) => docId),
      )
      for (const { docId, parent } of some) {
        const both = await reader.documents.copies(docId, locale)
        const type = this.#ctx.site.types.get((both.draft ?? both.published)?.type ?? '')
        if (type !== undefined && !this.#isSelected(type)) continue
        const formerUrls = former.get(docId) ?? []
        await this.#add(docId, locale, both, { parent, ...(formerUrls.length > 0 && { formerUrls }) })
      }
    }
  }

  async #add(docId: DocId, locale: Locale, { draft, published }: Copies, place = {}): Promise<void> {
    const type = (draft ?? published)?.type
    if (type === undefined) return
    const line: DocumentLine = {
      docId,
      type,
      locale,
      draft: this.#copy(draft),
      published: this.#copy(published),
      ...place,
    }
    this.#documents += 1
    this.#text += `${JSON.stringify(line)}\n`
    if (this.#text.length > PART_CHARACTERS) await this.#flush()
  }

  #copy(document: Document | null): CopyLine | null {
    if (document === null) return null
    const { createdAt, updatedAt, updatedBy, lastPublishedAt, wasPublished } = document
    const { fields, attachments, secrets } = exportedValues(this.#ctx.site, document)
    for (const id of attachments) this.#attachments.add(id)
    for (const name of secrets) this.#secrets.add(`${document.type}.${name}`)
    return { createdAt, updatedAt, updatedBy, lastPublishedAt, wasPublished, fields }
  }

  async #flush(): Promise<void> {
    if (this.#text === '') return
    this.#parts += 1
    const text = this.#text
    this.#text = ''
    await this.#archive.addText(`${DOCUMENTS}${String(this.#parts).padStart(6, '0')}.jsonl`, text)
  }
}

/** The originals, each after what is known of it. Sizes and crops are made of them again. The names of missing ones. */
async function addFiles(
  ctx: Context,
  archive: ArchiveWriter,
  attachments: readonly Attachment[],
  onProgress: OnProgress,
): Promise<string[]> {
  const missing: string[] = []
  for (const [index, attachment] of attachments.entries()) {
    const name = fileName(attachment)
    const file = await ctx.files.open(name)
    if (file === null) missing.push(name)
    else {
      await archive.addText(`${MEDIA}${attachment.id}.json`, `${JSON.stringify(attachment)}\n`)
      const { bytes, stream, length } = file
      await archive.add(`${MEDIA}${attachment.id}.${attachment.extension}`, length, bytes === null ? stream : [bytes])
    }
    onProgress(index + 1, attachments.length)
  }
  return missing
}
