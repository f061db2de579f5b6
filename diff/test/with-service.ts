import { sanitizeAny } from '../../cms/src/model/values/clean-rich-text.ts'
import { readHtml } from '../../cms/src/model/values/html-text.ts'
import * as diff from '../src/index.ts'
import * as marking from '../src/marking/mark-rich-text.ts'

// The functions with the parser and the sanitiser that the service passes to them.

const options: diff.MarkOptions = { read: readHtml, clean: sanitizeAny }

export const compareRichText = (older: string, newer: string) => diff.compareRichText(older, newer, readHtml)
export const isSameRichText = (older: string, newer: string) => diff.isSameRichText(older, newer, readHtml)
export const markRichText = (older: string, newer: string) => diff.markRichText(older, newer, options)
export const markWords = (older: string, newer: string) => diff.finish(marking.markWords(older, newer, options))
