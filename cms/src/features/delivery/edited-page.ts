import { html } from '../../base/html.ts'
import type { Context } from '../../engine/context.ts'
import { isContributor } from '../../engine/permissions.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import type { PageData, PageTarget } from '../../model/declared/page-data-types.ts'

/** True where a draft is drawn for somebody who works on content, and is to say where its parts come from (§11.4). */
export function isMarked({ actor, mode }: Context, query: QueryValues): boolean {
  return mode === 'draft' && isContributor(actor) && flag(query, 'aposEdit')
}

/**
 * The script that lets the editor talk to a page, for those who may edit what the page shows; none for all others. For an
 * external front end its address is whole, and it is left out where the site does not say where its editor is opened.
 */
export function insideScript(
  { site }: Context,
  data: PageData,
  { isFrontend }: { readonly isFrontend: boolean },
): readonly string[] {
  const { editor, prefix } = site
  const base = isFrontend ? editor?.origin : ''
  if (!editor || base === null || (data.piece ?? data.page)?._edit !== true) return []
  return [html`<script src="${base}${prefix}${editor.path}/inside.js" defer></script>`.text]
}

/** Headers of a marked draft: the editor may read it, wherever it is opened, to put into the page in its frame what has changed. */
export function editorReads({ site }: Context): Readonly<Record<string, string>> {
  const origin = site.editor?.origin ?? null
  return origin === null ? {} : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
}

/** A page with the script, at its very end: no layout has to name it, and nothing in the page can take it in. */
export function withInsideScript(ctx: Context, text: string, { target, data }: Drawn): string {
  const { isMarked, isRefresh } = target
  return isMarked && !isRefresh ? [text, ...insideScript(ctx, data, { isFrontend: false })].join('') : text
}

/** A page that was rendered. */
interface Drawn {
  readonly target: PageTarget
  readonly data: PageData
}
