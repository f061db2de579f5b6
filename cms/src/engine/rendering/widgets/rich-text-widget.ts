import { html, raw } from '../../../base/html.ts'
import { resolveLinks } from '../../../model/values/rich-text-links.ts'
import type { RenderBuiltIn } from './built-in-widget.ts'

/** Rich text: it was sanitised when it was written (§2.13). */
export const renderRichText: RenderBuiltIn = ({ content }, { links }) => {
  const text = typeof content === 'string' ? resolveLinks(content, links) : ''
  return text === '' ? html`` : html`<div data-rich-text>${raw(text)}</div>`
}
