import { createRequire } from 'node:module'
import type * as htmlparser2 from 'htmlparser2'
import type sanitizeHtml from 'sanitize-html'

// They are large, and only writing and searching rich text needs them: loaded on first use, not at every start.
// That has to happen within one call, which `import()` cannot do.
const require = createRequire(import.meta.url)

/** The HTML parser. */
export function htmlParser(): typeof htmlparser2 {
  return require('htmlparser2')
}

/** The HTML sanitizer. */
export function sanitizer(): typeof sanitizeHtml {
  return require('sanitize-html')
}
