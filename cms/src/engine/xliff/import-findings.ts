import type { Locale } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { parkedPage } from '../pages/parked.ts'
import type { Finding } from './imported.ts'
import type { Translated } from './read-xliff.ts'
import type { Original, TranslatedText } from './translation.ts'
import { digestOfAll } from './xliff-xml.ts'

/** Problems of a translation, and warnings. `path` and names of locales are texts of the file. */
export const FINDINGS = {
  noDocument: (): Finding => ({
    path: '',
    message: 'The site has no such document.',
    advice:
      'It was deleted, or the file is of another site. Take the document out of the file, or import the file there.',
  }),
  notAllowed: (): Finding => ({
    path: '',
    message: 'Your role does not allow editing documents of this type.',
    advice: 'Ask somebody who may edit them to import the file.',
  }),
  repeatedDocument: (): Finding => ({
    path: '',
    message: 'The file has this document twice; the first one was taken.',
    advice: 'Leave one of them in the file, and import it again.',
  }),
  unreadable: ({ path, message }: Pick<Finding, 'path' | 'message'>): Finding => ({
    path,
    message,
    advice: 'Correct the text in the translation program, and import the file again.',
  }),
  fixed: (path: string): Finding => ({
    path,
    message: `This page is built in: its ${path} is fixed.`,
    advice: 'Leave the text without a translation.',
  }),
  refused: (path: string, message: string): Finding => ({
    path,
    message,
    advice: 'Correct it in the file or in the document, and import the file again.',
  }),
  failed: (message: string): Finding => ({
    path: '',
    message,
    advice: 'Import the file again: documents that are imported already stay as they are.',
  }),
  originalGone: (from: Locale): Finding => ({
    path: '',
    message: `It is not in ${from} any more.`,
    advice: 'Look whether the translation is still needed.',
  }),
  changed: (path: string, from: Locale): Finding => ({
    path,
    message: `The text in ${from} was changed since the export.`,
    advice: 'Compare the translation with the new text before you publish it.',
  }),
  removed: (path: string, from: Locale): Finding => ({
    path,
    message: `The text in ${from} was removed since the export.`,
    advice: 'Remove it from the translation, too, if nobody needs it there.',
  }),
  added: (from: Locale): Finding => ({
    path: '',
    message: `Texts were added in ${from} since the export.`,
    advice: 'Export the document again to have them translated.',
  }),
  replaced: (path: string, to: Locale): Finding => ({
    path,
    message: `The text in ${to} was changed since the export; the imported one replaces it.`,
    advice: 'The history of the document has the former text.',
  }),
  replacedUnknown: (path: string, to: Locale): Finding => ({
    path,
    message: `There is another text in ${to}; the imported one replaces it.`,
    advice: 'The history of the document has the former text.',
  }),
  kept: (path: string, to: Locale): Finding => ({
    path,
    message: `There is another text in ${to}, which was kept.`,
    advice: 'To replace it, check the file first, and then import it with the confirmation of the check.',
  }),
  missingTags: (path: string, tags: readonly string[]): Finding => ({
    path,
    message: `These tags are missing: ${[...new Set(tags)].join(' ')}`,
    advice: 'Compare formats and links with those of the original.',
  }),
} as const

/** The original of a document, by path, as far as the caller may write it; null where there is none any more. */
type Present = ReadonlyMap<string, string> | null

/**
 * Lists how the original differs from the one that was translated (§4.5): texts that were changed, removed or added
 * since the export.
 */
export function originalFindings(
  { site }: Pick<Context, 'site'>,
  { docId, sources, exported }: Pick<Translated, 'docId' | 'sources' | 'exported'>,
  { original, from }: { readonly original: Present; readonly from: Locale },
): Finding[] {
  if (original === null) return [FINDINGS.originalGone(from)]
  const known = sources.filter(({ path }) => original.has(path))
  const changed = known.filter((source) => !isText(source, original.get(source.path)))
  const gone = sources.filter(({ path }) => !original.has(path))
  const fixed = parkedPage(site, docId)?.fixed ?? []
  const all = [...original].filter(([path]) => !fixed.includes(path)).map(([path, text]) => ({ path, text }))
  const isOther = exported !== null && exported !== digestOfAll(all) && changed.length + gone.length === 0
  return [
    ...changed.map(({ path }) => FINDINGS.changed(path, from)),
    ...gone.map(({ path }) => FINDINGS.removed(path, from)),
    ...(isOther ? [FINDINGS.added(from)] : []),
  ]
}

/** One finding for each text that lacks tags of its original. */
export function tagFindings(texts: readonly TranslatedText[]): Finding[] {
  return texts.flatMap(({ path, missingTags }) =>
    missingTags.length > 0 ? [FINDINGS.missingTags(path, missingTags)] : [],
  )
}

/** Whether this is the text, as plain text or as HTML. */
export function isText({ text, html }: Pick<Original, 'text' | 'html'>, stored: string | undefined): boolean {
  return stored === text || stored === html
}
