import { createHash } from 'node:crypto'
import type { Document, Locale, Mode } from '../../model/document.ts'
import { toCss } from '../../model/styles/to-css.ts'
import type { Site } from '../../model/types.ts'
import type { Context } from '../context.ts'
import type { Actor } from '../permissions.ts'
import { imageUrls } from './style-images.ts'
import { shownStyles, storedStyles, unsavedStyles } from './style-values.ts'

/** The global stylesheet of a locale and mode (§4.7). */
export interface SiteStylesheet {
  readonly css: string
  /** Classes of the body. */
  readonly classes: readonly string[]
  /** Another one whenever the CSS or the classes are others; empty without any. */
  readonly version: string
}

const EMPTY: SiteStylesheet = { css: '', classes: [], version: '' }

/** A stylesheet is for all who see a page, so it is made of what visitors may see. */
const VISITOR: Actor = { kind: 'anonymous', visits: true }

/**
 * The stylesheet that the values of `@cms/styles` make (§4.7). It is made of what is stored now, so it is right however
 * the values came to be, and cached while the content stands.
 */
export async function stylesheetOf(
  asked: Context,
  { locale, mode }: { readonly locale: Locale; readonly mode: Mode },
): Promise<SiteStylesheet> {
  if (!hasStyles(asked.site)) return EMPTY
  const ctx: Context = { ...asked, actor: VISITOR, locale, mode, explicit: { locale: null, mode: null } }
  return ctx.memory.get(`stylesheet ${locale} ${mode}`, async () => {
    const document = await storedStyles(ctx)
    return document === null ? EMPTY : madeOf(ctx, document)
  })
}

/** The stylesheet of values that nobody has saved (§4.7 render). Throws `invalid` with every wrong value. */
export async function previewStylesheet(
  ctx: Context,
  values: { readonly [name: string]: unknown },
): Promise<SiteStylesheet> {
  return madeOf(ctx, unsavedStyles(ctx, values))
}

/** True for sites that declare global styles, or make their stylesheet by themselves. */
export function hasStyles({ styles }: Pick<Site, 'styles'>): boolean {
  return styles.fields.rules.length > 0 || styles.getStylesheet !== null
}

async function madeOf(ctx: Context, document: Document): Promise<SiteStylesheet> {
  const { fields, getStylesheet } = ctx.site.styles
  const values = await shownStyles(ctx, document)
  const made =
    getStylesheet === null
      ? toCss(fields, values, { imageUrl: imageUrls(fields.fields, values) })
      : // `as`: the model cannot name what functions of the site are handed.
        checked(await getStylesheet(values as never, ctx as never))
  const { css, classes } = made
  if (css === '' && classes.length === 0) return EMPTY
  const version = createHash('sha256')
    .update(JSON.stringify([css, classes]))
    .digest('base64url')
    .slice(0, 22)
  return { css, classes: [...classes], version }
}

function checked(made: unknown): Pick<SiteStylesheet, 'css' | 'classes'> {
  const { css, classes } = (made ?? {}) as Partial<SiteStylesheet>
  const isList = Array.isArray(classes) && classes.every((one) => typeof one === 'string')
  if (typeof css === 'string' && isList) return { css, classes }
  throw new TypeError('getStylesheet must return { css, classes }: a text and a list of texts')
}
