import type { Context } from '../../engine/context.ts'
import { parkedPage } from '../../engine/pages/parked.ts'
import { exportedTexts } from '../../engine/values/exported-values.ts'
import type { Locale } from '../../model/terms/document.ts'
import type { Translated } from '../xliff/read-xliff.ts'
import type { TranslatedText } from '../xliff/translation.ts'
import { digestOf, digestOfAll } from '../xliff/xliff-xml.ts'

/** True for a translation that came back as it was exported: whatever was written since then stays. */
export function isUntouched({ text, html, exported }: TranslatedText): boolean {
  return exported !== null && isDigestOf(exported, { text, html })
}

/**
 * Lists what to review before this translation is published (§4.5): originals that are others now, translations
 * that others have changed meanwhile, tags that were lost. One sentence for each text.
 */
export async function warningsOf(
  ctx: Context,
  { docId, texts, sources, exported }: Translated,
  { from, to }: { readonly from: Locale; readonly to: Locale },
): Promise<string[]> {
  const [original, translation] = await Promise.all([textsIn(ctx, docId, from), textsIn(ctx, docId, to)])
  if (original === null) return [`It is not in ${from} any more.`]
  const changed = sources
    .filter(({ path, text, html }) => original.has(path) && ![text, html].includes(original.get(path) ?? ''))
    .map(({ path }) => path)
  const gone = sources.filter(({ path }) => !original.has(path)).map(({ path }) => path)
  const fixed = parkedPage(ctx.site, docId)?.fixed ?? []
  const all = [...original].filter(([path]) => !fixed.includes(path)).map(([path, text]) => ({ path, text }))
  const isOther = exported !== null && exported !== digestOfAll(all) && changed.length + gone.length === 0
  return [
    ...changed.map((path) => `${path}: The text in ${from} was changed since the export.`),
    ...gone.map((path) => `${path}: The text in ${from} was removed since the export.`),
    ...(isOther ? [`Texts were added in ${from} since the export.`] : []),
    ...texts
      .filter((one) => isReplaced(one, translation?.get(one.path)))
      .map(({ path }) => `${path}: The text in ${to} was changed since the export; the imported one replaces it.`),
    ...texts
      .filter(({ missingTags }) => missingTags.length > 0)
      .map(({ path, missingTags }) => `${path}: These tags are missing: ${[...new Set(missingTags)].join(' ')}`),
  ]
}

function isReplaced({ text, html, exported }: TranslatedText, now: string | undefined): boolean {
  if (exported === null || now === undefined || now === text || now === html) return false
  return digestOf(now) !== exported
}

function isDigestOf(digest: string, { text, html }: { readonly text: string; readonly html: string }): boolean {
  return digest === digestOf(text) || digest === digestOf(html)
}

/** The texts of a draft that are not empty, by path; null when there is none. */
async function textsIn({ store, site }: Context, docId: string, locale: Locale) {
  const document = await store.documents.get({ docId, locale, mode: 'draft' })
  if (!document || !site.types.has(document.type)) return null
  return new Map(exportedTexts(site, document).map(({ path, text }) => [path, text]))
}
