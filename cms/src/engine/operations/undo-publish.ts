import { invalid } from '../../base/errors.ts'
import type { Copies, Document } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import { cropProblems } from '../media/requested-crops.ts'
import { changeOf } from '../save/change.ts'
import { type DocumentRef, lockFor } from '../save/document-ref.ts'
import { restorableContent, restoredSlug } from '../save/restored-version.ts'
import { save } from '../save/save.ts'
import { withWholeSlug } from '../save/whole-slug.ts'
import { clean } from '../values/clean.ts'

/**
 * Puts the published copy back to the previous publication (§4.4); the draft stays, unless every save of it is
 * published. Fields that the caller may not write keep their present values. Returns both copies.
 */
export async function undoPublish(ctx: WriteContext, ref: DocumentRef): Promise<Copies> {
  const { type, docId, locale } = ref
  const before = await lockFor(ctx, ref, 'publish')
  const { published } = before
  if (published === null) throw invalid('This document is not published.')
  const previous = await previousPublication(ctx, ref, published)
  const slug = restoredSlug(type, previous.content.slug, published.fields.slug)
  const [values = {}] = await clean(
    ctx,
    type,
    [
      {
        values: { ...published.fields, ...restorableContent(ctx, type, previous), slug, ...stateOf(published) },
        before: published.fields,
        touched: null,
        mustBeComplete: false,
        keepsUnwritable: true,
      },
    ],
    cropProblems,
  )
  const fields = withWholeSlug(type, values)
  const both = type.autopublish ? { draft: fields, published: fields } : { published: fields }
  const given = { reason: 'reverted', type, docId, locale, before, fields: both, madeSlug: true } as const
  return save(ctx, changeOf(ctx, { ...given, restoredFrom: previous.version.id, isUndo: true }))
}

/** The previous publication. Throws `invalid` when there is none, or when the last one was undone already. */
async function previousPublication(ctx: WriteContext, { docId, locale }: DocumentRef, published: Document) {
  const { versions } = ctx.tx.read
  const last = await versions.publication({ docId, locale })
  if (last?.isUndo) {
    throw invalid('The last publication was undone already. To go further back, restore a version and publish it.')
  }
  const previous = last && (await versions.publicationBefore(last))
  if (previous === null) throw invalid('There is no other publication before this one.')
  if (previous.version.type !== published.type) {
    throw invalid('The publication before was of another type. Restore that version and publish it.')
  }
  return previous
}

function stateOf({ fields: { visibility = 'public', archived = false } }: Document) {
  return { visibility, archived }
}
