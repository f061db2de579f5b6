import { invalidFields } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Document } from '../../model/document.ts'
import { readFields } from '../../model/schema.ts'
import type { Site, Type } from '../../model/types.ts'
import type { Context } from '../context.ts'
import { fixedId } from '../documents/fixed-id.ts'
import { present } from '../presentation/present.ts'

/** The type of the document that holds the values of the global styles. */
export function stylesType({ types, namespace }: Pick<Site, 'types' | 'namespace'>): Type {
  const type = types.get(`${namespace}/styles`)
  if (type === undefined) throw new Error('Every site has the type of its global styles.')
  return type
}

/** The stored values of a locale and mode; null before they were made. */
export function storedStyles(ctx: Context): Promise<Document | null> {
  const { locale, mode, site } = ctx
  return ctx.store.documents.get({ docId: fixedId(stylesType(site).name), locale, mode })
}

/** Values from outside, as a document that nobody has saved. Throws `invalid` with every wrong value. */
export function unsavedStyles(ctx: Context, input: { readonly [name: string]: unknown }): Document {
  const { values, problems } = read(ctx, input)
  if (problems.length > 0) throw invalidFields(problems)
  const { locale, mode, site } = ctx
  const time = ctx.now().toISOString()
  const { name } = stylesType(site)
  return {
    id: { docId: fixedId(name), locale, mode },
    type: name,
    fields: values,
    createdAt: time,
    updatedAt: time,
    updatedBy: { _id: null, firstName: '', lastName: '', username: null, title: '' },
    lastPublishedAt: null,
    modified: false,
    revision: 0,
  }
}

/**
 * The values as CSS is made of them: what was never saved has its default of now, inside objects too, and images are
 * filled in as far as the caller may see them.
 */
export async function shownStyles(ctx: Context, document: Document): Promise<JsonObject> {
  const type: Type = { ...stylesType(ctx.site), fields: ctx.site.styles.fields.fields }
  const { values } = read(ctx, document.fields)
  const access = { fields: 'full', visibility: null } as const
  const [shown = {}] = await present(ctx, [{ ...document, fields: values }], { type, access, project: null })
  return shown
}

function read(ctx: Context, input: { readonly [name: string]: unknown }) {
  return readFields(ctx.site.styles.fields.fields, input, {
    newId,
    mayEdit: () => true,
    maxDepth: ctx.site.limits.depth,
    before: null,
    trusted: true,
  })
}
