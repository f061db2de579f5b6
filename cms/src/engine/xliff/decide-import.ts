import { hash } from 'node:crypto'
import { type Document, titleOf } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { LocatedText } from '../../model/values/document-texts.ts'
import type { DocumentReader } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { translatableTexts } from '../values/translatable-texts.ts'
import { viewsOf } from '../view.ts'
import { isWriting } from '../write.ts'
import { FINDINGS, isText, originalFindings, tagFindings } from './import-findings.ts'
import type { Finding, Locales, MayReplace, Replaced } from './imported.ts'
import type { Translated } from './read-xliff.ts'
import type { TranslatedText } from './translation.ts'
import { digestOf } from './xliff-xml.ts'

/** The decision about a document of a file. */
export interface Decision {
  /** Of the translation, or of the original where there is none yet, as far as the caller sees it. */
  readonly title: string
  /** The other locale does not have the document yet. */
  readonly isMissing: boolean
  readonly texts: readonly TranslatedText[]
  readonly replaced: readonly Replaced[]
  readonly warnings: readonly Finding[]
}

/** True for a translation that came back as it was exported: whatever was written since then stays. */
export function isUntouched({ text, html, exported }: TranslatedText): boolean {
  return exported !== null && (exported === digestOf(text) || exported === digestOf(html))
}

/** Identifies the translations of a document that would be replaced, as they are now. */
export function digestOfReplaced(replaced: readonly Replaced[]): string {
  return hash('sha256', JSON.stringify(replaced.map(({ path, before }) => [path, before])), 'base64url')
}

/** Decides which texts of a document are written, and lists what to look at before this is published (§4.5). */
export async function decide(ctx: Context, document: Translated, { from, to }: Locales): Promise<Decision> {
  const { docId } = document
  const [original, translation] = await Promise.all([copyIn(ctx, document, from), copyIn(ctx, document, to)])
  const source = original && (await filledTexts(ctx, original))
  const present = new Map(translation && (await translatableTexts(ctx, translation)).map((one) => [one.path, one]))
  const isMissing = translation === null && !(await isThere(ctx, docId, to))
  const texts = document.texts.filter((one) => !isUntouched(one))
  const sources = new Map(document.sources.map((one) => [one.path, one]))
  const isCopy = (path: string, text: string) => {
    const exported = sources.get(path)
    return text === '' || text === source?.get(path) || (exported !== undefined && isText(exported, text))
  }
  const shown = translation ?? original
  return {
    title: shown === null ? '' : titleOf(viewsOf(ctx).of(document.type), shown),
    isMissing,
    texts,
    replaced: texts.flatMap((one) => replacedBy(one, present.get(one.path), isCopy)),
    warnings: originalFindings(ctx, document, { original: source, from }),
  }
}

/** A decision without the translations that may not be replaced; its warnings name those that are replaced, and those that are kept. */
export function confirmed(
  { texts, replaced, warnings, ...decision }: Decision,
  { docId, to, mayReplace }: { readonly docId: DocId; readonly to: Locale; readonly mayReplace: MayReplace },
): Decision {
  const isConfirmed =
    replaced.length === 0 || mayReplace === 'all' || mayReplace.get(docId) === digestOfReplaced(replaced)
  const kept = new Set(isConfirmed ? [] : replaced.map(({ path }) => path))
  const written = texts.filter(({ path }) => !kept.has(path))
  const reported = isConfirmed ? replaced.filter(({ isChanged }) => isChanged) : replaced
  const findings = reported.map(({ path, wasThere }) => {
    if (!isConfirmed) return FINDINGS.kept(path, to)
    return wasThere ? FINDINGS.replaced(path, to) : FINDINGS.replacedUnknown(path, to)
  })
  return {
    ...decision,
    texts: written,
    replaced: isConfirmed ? replaced : [],
    warnings: [...warnings, ...findings, ...tagFindings(written)],
  }
}

/** A copy of the original, as it is now or as it was exported, is no translation. */
function replacedBy(
  one: TranslatedText,
  present: LocatedText | undefined,
  isCopy: (path: string, text: string) => boolean,
): Replaced[] {
  const { path, text, html, exported } = one
  if (present === undefined || isText(one, present.text) || isCopy(path, present.text)) return []
  const isChanged = exported === null || digestOf(present.text) !== exported
  const [before, after] = [present.text, present.kind === 'html' ? html : text]
  return [{ path, label: present.field.label, before, after, isChanged, wasThere: exported !== null }]
}

/** The draft; null where there is none of this type. */
async function copyIn(ctx: Context, { docId, type }: Translated, locale: Locale): Promise<Document | null> {
  const document = await documentsOf(ctx).get({ docId, locale, mode: 'draft' })
  return document?.type === type ? document : null
}

async function isThere(ctx: Context, docId: DocId, locale: Locale): Promise<boolean> {
  const { draft, published } = await documentsOf(ctx).copies(docId, locale)
  return draft !== null || published !== null
}

/** As the transaction sees them, where there is one. */
function documentsOf(ctx: Context): DocumentReader {
  return isWriting(ctx) ? ctx.tx.read.documents : ctx.store.documents
}

/** Texts that are not empty, by path. */
async function filledTexts(ctx: Context, document: Document): Promise<ReadonlyMap<string, string>> {
  const texts = await translatableTexts(ctx, document)
  return new Map(texts.flatMap(({ path, text }) => (text === '' ? [] : [[path, text] as const])))
}
