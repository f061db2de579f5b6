import { attributes, html, raw, styleText } from '../../base/html.ts'
import type { Context } from '../context.ts'
import { isAnonymous } from '../permissions.ts'
import { hasStyles, type SiteStylesheet, stylesheetOf } from './stylesheet.ts'

/** The additions of the global styles to a page (§4.7). */
interface PageStyles {
  /** HTML for the beginning of the body. */
  readonly prependBody: string
  readonly bodyClasses: string
}

const NONE: PageStyles = { prependBody: '', bodyClasses: '' }

/**
 * The global styles in a page: visitors get a link, whose URL changes with the stylesheet, and all others the styles
 * themselves: an editor can replace them while they are changed, and previews have no origin that may load a file.
 */
export async function pageStyles(ctx: Context): Promise<PageStyles> {
  if (!hasStyles(ctx.site)) return NONE
  const sheet = await stylesheetOf(ctx, ctx)
  const isVisit = isAnonymous(ctx.actor) && ctx.actor.kind !== 'preview' && ctx.mode === 'published'
  const element = sheet.css === '' ? '' : isVisit ? link(ctx, sheet) : inline(sheet)
  return { prependBody: `${element}<div id="apos-styles"></div>`, bodyClasses: sheet.classes.join(' ') }
}

/** The path of a locale's stylesheet, below the site's prefix: static exports write it to a file of this name. */
export function stylesheetPath({ site, locale, mode }: Pick<Context, 'site' | 'locale' | 'mode'>): string {
  return `/api/v1/${site.namespace}/styles/stylesheet/locale/${encodeURIComponent(locale)}/${mode}`
}

function link(ctx: Context, { version }: SiteStylesheet): string {
  const href = `${ctx.site.prefix}${stylesheetPath(ctx)}?version=${version}`
  return `<link${attributes({ rel: 'stylesheet', href }).text}>`
}

function inline({ css }: SiteStylesheet): string {
  return html`<style id="apos-styles-stylesheet">${raw(styleText(css))}</style>`.text
}
