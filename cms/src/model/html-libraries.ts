import { createRequire } from 'node:module'
import type * as htmlparser2 from 'htmlparser2'
import type sanitizeHtml from 'sanitize-html'

// They are large, and only what writes or searches rich text needs them: read at the first use, not at every start.
// That has to happen within one call, which `import()` cannot do.
const require = createRequire(import.meta.url)

/** The library that takes HTML apart. */
export function htmlParser(): typeof htmlparser2 {
  return require('htmlparser2')
}

/** The library that takes out of HTML what is not allowed. */
export function sanitizer(): typeof sanitizeHtml {
  return require('sanitize-html')
}
