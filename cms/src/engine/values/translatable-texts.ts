import { openValues, type StoredValues } from '../../model/terms/document.ts'
import { type LocatedText, textsOf } from '../../model/values/document-texts.ts'
import type { Context } from '../context.ts'
import { viewsOf } from '../view.ts'
import { writableBy } from './field-access.ts'
import { unseenDocuments } from './unseen-documents.ts'

/** The values of a document or of a version, and their type. */
interface Content {
  readonly type: string
  readonly fields: StoredValues
}

/**
 * The texts of a document that the caller may write, empty ones too, at any depth (§4.5): none of fields that they may
 * not see or write, of related documents that they must not learn of, or of types that they do not see.
 */
export async function translatableTexts(ctx: Context, { type: name, fields }: Content): Promise<LocatedText[]> {
  const views = viewsOf(ctx)
  const type = views.of(name)?.type
  if (type === undefined) return []
  const values = writableBy(views, type.fields, openValues({ fields }))
  const unseen = await unseenDocuments(ctx, ctx.store.documents, [{ fields: type.fields, values }])
  const texts = textsOf(type.fields, unseen.without(type.fields, values))
  return [...texts].filter(({ field }) => views.mayWrite(field))
}
