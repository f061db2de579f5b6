import { invalidFields, notFound, type Problem } from '../../base/errors.ts'
import { copyJson } from '../../base/json.ts'
import { type LocatedText, textsOf } from '../../model/values/document-texts.ts'
import type { WriteContext } from '../context.ts'
import { assertMay } from '../permissions.ts'
import type { DocumentRef } from '../save/copies.ts'
import { save } from '../save/save.ts'
import { clean } from '../values/clean.ts'

/** A new text for a place in a document: as plain text, and as HTML. */
export interface TranslatedInput {
  readonly path: string
  readonly text: string
  readonly html: string
  /** It has tags, which only rich text takes. */
  readonly hasTags: boolean
}

/**
 * Replaces texts of a draft, wherever they are, by those of a translator (§4.5). Nothing else changes: the published
 * copy stays, even of a type that publishes each save. Throws `invalid` with every text that the document has no place
 * for, or that its field does not accept. Returns whether anything has changed.
 */
export async function setTexts(
  ctx: WriteContext,
  { type, docId, locale }: Pick<DocumentRef, 'type' | 'docId' | 'locale'>,
  given: readonly TranslatedInput[],
): Promise<boolean> {
  assertMay(ctx.actor, 'editDraft', type)
  const before = await ctx.tx.documents.lockCopies(docId, locale)
  const { draft } = before
  if (draft?.type !== type.name) throw notFound()
  const values = copyJson(draft.fields)
  const places = new Map([...textsOf(type.fields, values)].map((one) => [one.path, one]))
  const problems = given.flatMap((one) => put(one, places.get(one.path)))
  if (problems.length > 0) throw invalidFields(problems)
  const touched = new Set(given.map(({ path }) => path.split('.')[0] ?? ''))
  const inputs = [{ values, before: draft.fields, touched }]
  const [fields] = await clean(ctx, { type, kind: 'copied', inputs })
  const changed = { ...(fields && { draft: fields }) }
  return (await save(ctx, { reason: 'saved', type, docId, locale, before, fields: changed })) !== before
}

function put({ path, text, html, hasTags }: TranslatedInput, place: LocatedText | undefined): Problem[] {
  if (place === undefined) {
    const message =
      'The document has no such text in this locale: it was removed, it was added since it was localized, or the site has changed its field.'
    return [{ path, name: 'invalid', message }]
  }
  if (place.kind === 'text' && hasTags) {
    return [{ path, name: 'invalid', message: `${place.field.label} is plain text and takes no tags.` }]
  }
  place.holder[place.field.name] = place.kind === 'html' ? html : text
  return []
}
