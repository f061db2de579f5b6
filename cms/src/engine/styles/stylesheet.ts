import { hash } from 'node:crypto'
import { invalidFields } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject, UnknownObject } from '../../base/json.ts'
import type { Site, SiteStyles, Type } from '../../model/declared/types.ts'
import { declaredValues, toCss } from '../../model/styles/to-css.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import type { Locale, Mode } from '../../model/terms/document-id.ts'
import { readFields } from '../../model/values/schema.ts'
import type { Context } from '../context.ts'
import { type Actor, visitor } from '../permissions.ts'
import { present } from '../presentation/present.ts'
import { type Projection, projectsName } from '../presentation/projection.ts'
import { imageUrls } from '../rendering/style-images.ts'
import { missingDocuments } from '../values/drop-unusable.ts'
import { fixedId } from '../values/fixed-id.ts'
import { viewOf } from '../view.ts'

/** The global stylesheet of a locale and mode (§4.7). */
export interface SiteStylesheet {
  readonly css: string
  /** Classes of the body. */
  readonly classes: readonly string[]
  /** Another one whenever the CSS or the classes are others; empty without any. */
  readonly version: string
}

const EMPTY: SiteStylesheet = { css: '', classes: [], version: '' }

const VISITOR: Actor = { kind: 'anonymous', visits: true }

/** A stylesheet is for all who see a page, so it is made of what visitors may see. */
const FOR_ALL = {
  actor: VISITOR,
  isExternalFront: false,
  isStaticBuild: false,
  explicit: { locale: null, mode: null },
} as const

/**
 * The stylesheet that the values of `@cms/styles` make (§4.7). It is made of what is stored now, so it is right however
 * the values came to be, and cached until the content changes.
 */
export async function stylesheetOf(
  request: Context,
  { locale, mode }: { readonly locale: Locale; readonly mode: Mode },
): Promise<SiteStylesheet> {
  if (!hasStyles(request.site)) return EMPTY
  const ctx: Context = { ...request, ...FOR_ALL, locale, mode }
  return ctx.caches.parts.fill(`stylesheet ${locale} ${mode}`, async () => {
    const document = await storedStyles(ctx)
    return document === null ? EMPTY : madeOf(ctx, document, ctx.site.styles.getStylesheet)
  })
}

/**
 * The stylesheet of values that nobody has saved (§4.7 render); the site makes it by itself only where it says
 * `serverRendered`. Throws `invalid` with every wrong value.
 */
export async function previewStylesheet(ctx: Context, values: UnknownObject): Promise<SiteStylesheet> {
  const { serverRendered, getStylesheet } = ctx.site.styles
  const document = await unsavedStyles(ctx, values)
  return madeOf({ ...ctx, ...FOR_ALL }, document, serverRendered ? getStylesheet : null)
}

/** True for sites that declare global styles, or make their stylesheet by themselves. */
export function hasStyles({ styles }: Pick<Site, 'styles'>): boolean {
  return styles.fields.rules.length > 0 || styles.getStylesheet !== null
}

async function madeOf(
  ctx: Context,
  document: Document,
  getStylesheet: SiteStyles['getStylesheet'],
): Promise<SiteStylesheet> {
  const { fields } = ctx.site.styles
  const values = await shownStyles(ctx, document)
  const made =
    getStylesheet === null
      ? toCss(fields, values, { imageUrl: imageUrls(fields.fields, values) })
      : // `as`: the model cannot name what functions of the site are handed.
        checked(await getStylesheet(values as never, ctx as never))
  const { css, classes } = made
  if (css === '' && classes.length === 0) return EMPTY
  const version = hash('sha256', JSON.stringify([css, classes]), 'base64url').slice(0, 22)
  return { css, classes: [...classes], version }
}

function checked(made: unknown): Pick<SiteStylesheet, 'css' | 'classes'> {
  const { css, classes } = (made ?? {}) as Partial<SiteStylesheet>
  const isList = Array.isArray(classes) && classes.every((one) => typeof one === 'string')
  if (typeof css === 'string' && isList) return { css, classes }
  throw new TypeError('getStylesheet must return { css, classes }: a string and an array of strings')
}

/**
 * The properties of the stylesheet in the global document of its locale and mode (§4.7), narrowed to a projection: no
 * content, so no body can change it and no version holds it.
 */
export async function stylesheetProperties(
  ctx: Context,
  copy: { readonly locale: Locale; readonly mode: Mode },
  project: Projection | null,
): Promise<JsonObject> {
  const { css, classes, version } = await stylesheetOf(ctx, copy)
  const all = { stylesStylesheet: css, stylesClasses: [...classes], stylesStylesheetVersion: version }
  return Object.fromEntries(Object.entries(all).filter(([name]) => projectsName(project, name)))
}

/** The type of the document that holds the values of the global styles. */
export function stylesType({ types, namespace }: Pick<Site, 'types' | 'namespace'>): Type {
  const type = types.get(`${namespace}/styles`)
  if (type === undefined) throw new Error('Every site has the type of its global styles.')
  return type
}

/** The stored values of a locale and mode; null before they were made. */
function storedStyles(ctx: Context): Promise<Document | null> {
  const { locale, mode, site } = ctx
  return ctx.store.documents.get({ docId: fixedId(stylesType(site).name), locale, mode })
}

/** Values from outside, as a document that nobody has saved. Throws `invalid` with every wrong value. */
async function unsavedStyles(ctx: Context, input: UnknownObject): Promise<Document> {
  const { values, problems, mustExist } = readFields(ctx.site.styles.fields.fields, input, {
    newId,
    mayEdit: () => true,
    maxDepth: ctx.site.limits.depth,
    before: null,
    trusted: true,
  })
  const wrong = [...problems, ...(await missingDocuments(ctx, mustExist))]
  if (wrong.length > 0) throw invalidFields(wrong)
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
    wasPublished: true,
    modified: false,
    revision: 0,
  }
}

/**
 * The values as CSS is made of them: what was never saved has its default of now, inside objects too, and images are
 * filled in as far as the caller may see them.
 */
async function shownStyles(ctx: Context, document: Document): Promise<JsonObject> {
  const type: Type = { ...stylesType(ctx.site), viewRole: null, fields: ctx.site.styles.fields.fields }
  const values = declaredValues(type.fields, openValues(document))
  // Everybody sees what styles make.
  const access = viewOf(visitor(ctx.actor), type)
  if (access === null) return {}
  const [shown = {}] = await present(ctx, [{ ...document, fields: values }], { access, project: null })
  return shown
}
