import { conflict, invalid, notFound } from '../../base/errors.ts'
import type { DocumentId, Mode } from '../../model/document.ts'
import type { Site, Type } from '../../model/types.ts'
import type { WriteContext } from '../context.ts'
import { assertMay } from '../permissions.ts'
import { changeOf } from './change.ts'
import { assertMayOverwrite, type Saved, writtenModes } from './copies.ts'
import { mergedFor } from './field-access.ts'
import { save } from './save.ts'

/** Where a document is copied to; `update` overwrites the draft that is there. */
export interface Localization {
  readonly toLocale: string
  readonly update: boolean
  /** Pages: their slug in that locale, where it is not the one they have here. */
  readonly slug?: string
}

/** Reads a body `{ toLocale, update? }`. Throws `invalid` for unknown locales. */
export function readLocalization(site: Site, toLocale: unknown, update: unknown): Localization {
  if (typeof toLocale !== 'string' || !site.locales.has(toLocale)) {
    throw invalid(`toLocale must be one of ${[...site.locales.keys()].join(', ')}.`)
  }
  return { toLocale, update: update === true || update === 'true' }
}

/** Copies a document's draft to another locale's draft (§3), and answers that. */
export async function localize(
  ctx: WriteContext,
  type: Type,
  id: DocumentId,
  { toLocale, update, slug }: Localization,
): Promise<Saved> {
  assertMay(ctx.actor, 'editDraft', type)
  if (!type.localized) throw invalid(`${type.label} has no locales.`)
  if (toLocale === id.locale) throw invalid('toLocale must be another locale than the document is in.')
  const source = await ctx.tx.documents.copies(id.docId, id.locale)
  const original = source.draft ?? source.published
  if (original === null || original.type !== type.name) throw notFound()
  const before = await ctx.tx.documents.copies(id.docId, toLocale)
  assertMayOverwrite(ctx, before, 'editDraft')
  if (before.draft && !update)
    throw conflict(`The document is in ${toLocale} already. Send update: true to overwrite it.`)
  const state = { archived: before.draft?.fields.archived ?? false, ...(slug && { slug }) }
  const modes = writtenModes(ctx, type, 'draft')
  const fieldsIn = (mode: Mode) => ({ ...mergedFor(ctx, type, original, before[mode]), ...state })
  const after = await save(
    ctx,
    changeOf(ctx, {
      reason: 'localized',
      type,
      docId: id.docId,
      locale: toLocale,
      before,
      fields: Object.fromEntries(modes.map((mode) => [mode, fieldsIn(mode)])),
      madeSlug: true,
    }),
  )
  if (after.draft === null) throw notFound()
  return { document: after.draft, copies: after }
}
