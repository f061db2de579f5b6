import { createRequire } from 'node:module'
import type * as htmlparser2 from 'htmlparser2'
import type * as quireDiff from 'quire-diff'
import type sanitizeHtml from 'sanitize-html'

// These libraries are large, and only writing, searching and comparing rich text needs them: loaded on first use,
// not at every start. That has to happen within one call, which `import()` cannot do.
// Looking a module up costs as much as parsing a paragraph: what was loaded is kept.
const require = createRequire(import.meta.url)
let parser: typeof htmlparser2 | undefined
let cleaner: typeof sanitizeHtml | undefined
let diff: typeof quireDiff | undefined

/** The HTML parser. */
export function htmlParser(): typeof htmlparser2 {
  parser ??= require('htmlparser2') as typeof htmlparser2
  return parser
}

/** The HTML sanitizer. */
export function sanitizer(): typeof sanitizeHtml {
  cleaner ??= require('sanitize-html') as typeof sanitizeHtml
  return cleaner
}

/** The library that compares texts. */
export function diffLibrary(): typeof quireDiff {
  diff ??= require('quire-diff') as typeof quireDiff
  return diff
}
