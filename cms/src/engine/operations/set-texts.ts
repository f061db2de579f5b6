import { invalidFields, invalidValue, type Problem } from '../../base/errors.ts'
import { copyJson, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { type LocatedText, textsOf } from '../../model/values/document-texts.ts'
import type { WriteContext } from '../context.ts'
import { followSlugs } from '../pages/follow.ts'
import { lockPage } from '../pages/locate-page.ts'
import { parentAmong, slugAbove } from '../pages/tree-rules.ts'
import { assertMay } from '../permissions.ts'
import { type DocumentRef, type Target, target } from '../save/copies.ts'
import { save } from '../save/save.ts'
import { withoutFormerSlug, withWholeSlug } from '../save/slugs.ts'
import { clean } from '../values/clean.ts'
import { translatableTexts } from '../values/translatable-texts.ts'

/** A new text for a place in a document: as plain text, and as HTML. */
interface TranslatedInput {
  readonly path: string
  readonly text: string
  readonly html: string
  /** It has tags, which only rich text takes. */
  readonly hasTags: boolean
}

/**
 * Replaces texts of a draft, wherever they are, by those of a translator (§4.5). Nothing else changes but the slug of one
 * that was never published, which may follow its title (§2.12): the published copy stays, even of a type that publishes
 * each save. Throws `invalid` with every text that the document has no place for, that the caller may not write, or that
 * its field does not accept. Returns whether anything has changed.
 */
export async function setTexts(ctx: WriteContext, ref: TextsRef, given: readonly TranslatedInput[]): Promise<boolean> {
  const { type, locale } = ref
  const page = type.family === 'page' ? await lockPage(ctx, draftOf(ref), { action: 'editDraft' }) : null
  const { copies: before, document } = page ?? (await lock(ctx, ref))
  const fields = await plan(ctx, { type, draft: document.fields }, given)
  const parent = page && page.position.parent !== '' ? parentAmong(page.nodes, page.position) : null
  const parentSlug = slugAbove(parent, 'draft') ?? '/'
  const draft = withWholeSlug(type, withoutFormerSlug(type, before, { fields, parentSlug }), parentSlug)
  const after = await save(ctx, { reason: 'saved', ...ref, before, fields: { draft }, takenSlug: 'number' })
  if (page) await followSlugs(ctx, { locale, position: page.position, before, after })
  return after !== before
}

/** Whose texts. */
type TextsRef = Pick<DocumentRef, 'type' | 'docId' | 'locale'>

function draftOf({ docId, locale }: TextsRef): DocumentId {
  return { docId, locale, mode: 'draft' }
}

function lock(ctx: WriteContext, ref: TextsRef): Promise<Target> {
  assertMay(ctx.actor, 'editDraft', ref.type)
  return target(ctx, { type: ref.type, id: draftOf(ref) })
}

/** Clean fields of the draft with the new texts. */
async function plan(
  ctx: WriteContext,
  { type, draft }: { readonly type: Type; readonly draft: JsonObject },
  given: readonly TranslatedInput[],
): Promise<JsonObject> {
  const values = copyJson(draft)
  const writable = new Set((await translatableTexts(ctx, { type: type.name, fields: draft })).map(({ path }) => path))
  const texts = [...textsOf(type.fields, values)].filter(({ path }) => writable.has(path))
  const places = new Map(texts.map((one) => [one.path, one]))
  const problems = given.flatMap((one) => put(one, places.get(one.path)))
  if (problems.length > 0) throw invalidFields(problems)
  const touched = new Set(given.map(({ path }) => path.split('.')[0] ?? ''))
  const [fields = draft] = await clean(ctx, { type, kind: 'copied', inputs: [{ values, before: draft, touched }] })
  return fields
}

function put({ path, text, html, hasTags }: TranslatedInput, place: LocatedText | undefined): Problem[] {
  if (place === undefined) {
    const message =
      'The document has no such text in this locale: it was removed, it was added since it was localized, the site has changed its field, or your role does not allow changing it.'
    return [invalidValue(path, message)]
  }
  if (place.kind === 'text' && hasTags) {
    return [invalidValue(path, `${place.field.label} is plain text and takes no tags.`)]
  }
  place.holder[place.field.name] = place.kind === 'html' ? html : text
  return []
}
