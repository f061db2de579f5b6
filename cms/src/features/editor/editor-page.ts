import { escapeHtml, html } from '../../base/html.ts'
import type { Context } from '../../engine/context.ts'
import { Reply } from '../../http/requests/route.ts'
import type { SiteEditor } from '../../model/declared/editor-options.ts'
import type { Site } from '../../model/declared/types.ts'
import { readPage } from './built-files.ts'

/** The facts of a site that its editor needs before it can ask for anything. */
type Facts = Pick<Site, 'prefix' | 'namespace'> & { readonly editor: SiteEditor }

/** The page of the editor, the same at each of its addresses; never stored, since it names the files of one build. */
export async function answerEditorPage(ctx: Context, editor: SiteEditor): Promise<Reply> {
  const facts = { ...ctx.site, editor }
  const built = await readPage()
  const headers = { ...PAGE_HEADERS, 'Content-Security-Policy': policyOf(uploadsOrigin(ctx), editor) }
  return built === null ? new Reply(notBuilt(facts), headers, 503) : new Reply(filledIn(built, facts), headers)
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
}

/**
 * Scripts and styles are files of this service, and nothing becomes a script but by the editor's own policy; the library
 * of rich text has one of its own for what is pasted, which it parses in a document that runs nothing.
 */
function policyOf(uploads: readonly string[], { imageHosts, frontends }: SiteEditor): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", 'data:', 'blob:', ...uploads, ...imageHosts].join(' '),
    ['media-src', "'self'", 'blob:', ...uploads].join(' '),
    // Whether a front end answers is asked before it is said that it does not.
    ['connect-src', "'self'", ...uploads, ...frontends].join(' '),
    ['frame-src', "'self'", ...frontends].join(' '),
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types quire ProseMirrorClipboard',
  ].join('; ')
}

/** The origin of uploads, where browsers fetch them elsewhere. */
function uploadsOrigin({ files }: Pick<Context, 'files'>): readonly string[] {
  const url = files.url('file')
  return URL.canParse(url) ? [new URL(url).origin] : []
}

/** The built page, whose addresses are relative, for any depth below the editor's path. */
function filledIn(page: string, { prefix, namespace, editor }: Facts): string {
  const base = prefix + editor.path
  const data = { api: `${prefix}/api/v1`, base, namespace, title: editor.title }
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  return page
    .replaceAll(/ (src|href)="\.\//g, (_, name: string) => ` ${name}="${escapeHtml(base)}/`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(editor.title)}</title>`)
    .replace('<div id="app"', (element) => element + attributes.join(''))
}

function notBuilt({ editor }: Facts): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${editor.title}</title>
<main>
<h1>The editor is not built</h1>
<p>Build it, and load this page again:</p>
<pre>npm run build -w quire-editor</pre>
</main>
</html>
`.text
}
