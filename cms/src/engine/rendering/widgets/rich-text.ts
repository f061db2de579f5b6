import { type Html, html, raw } from '../../../base/html.ts'
import type { JsonObject } from '../../../base/json.ts'
import { type LinkTargets, resolveLinks } from '../rich-text-links.ts'

/** Rich text: it was sanitised when it was written (§2.13). */
export function drawRichText({ content }: JsonObject, targets: LinkTargets): Html {
  const text = typeof content === 'string' ? resolveLinks(content, targets) : ''
  return text === '' ? html`` : html`<div data-rich-text>${raw(text)}</div>`
}
