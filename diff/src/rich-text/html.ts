import { finish, type Steps } from '../words/steps.ts'

/** The attributes of an element. */
export type Attributes = { readonly [name: string]: string }

/** Receives what a rich text consists of, in order. */
export interface HtmlHandlers {
  /** An element begins; `tag` is its start tag as written. Void elements are closed right after. */
  readonly open?: (name: string, attributes: Attributes, tag: string) => void
  /** Text with its character references resolved; it may arrive in pieces. */
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/**
 * Parses HTML and passes its parts to the handlers, at once or in steps. False, possibly before the end, if the elements are nested too
 * deeply to be parsed in reasonable time; such a text is compared without its markup.
 */
export type HtmlReader = (html: string, handlers: HtmlHandlers) => boolean | Steps<boolean>

/** Parses HTML in the steps of its reader. */
export function* readInSteps(html: string, read: HtmlReader, handlers: HtmlHandlers): Steps<boolean> {
  const isWhole = read(html, handlers)
  return typeof isWhole === 'boolean' ? isWhole : yield* isWhole
}

/** Elements whose text is not displayed. */
export const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'title'])
/** Elements without content, which have no end tag. */
export const VOID: ReadonlySet<string> = new Set(['br', 'img', 'hr', 'col', 'wbr'])
/** Elements that stand within a line. */
export const IN_LINE: ReadonlySet<string> = new Set(
  'a abbr b code del em i ins mark s small span strike strong sub sup u'.split(' '),
)

/**
 * The words of HTML as a reader sees them: blocks and line breaks on lines of their own, no runs of space. Of HTML that
 * is nested too deeply, the text between its tags.
 */
export function plainText(html: string, read: HtmlReader): string {
  return finish(plainTextInSteps(html, read))
}

/** Returns the words of HTML, as `plainText` does, in steps. */
export function* plainTextInSteps(html: string, read: HtmlReader): Steps<string> {
  let text = ''
  let unseen = 0
  const isWhole = yield* readInSteps(html, read, {
    open(name) {
      if (UNSEEN.has(name)) unseen += 1
      else if (!IN_LINE.has(name)) text += '\n'
    },
    text(data) {
      if (unseen === 0) text += data
    },
    close(name) {
      if (UNSEEN.has(name)) unseen -= 1
      else if (!IN_LINE.has(name)) text += '\n'
    },
  })
  yield
  if (!isWhole) return withoutTags(html)
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** The text between tags, found without parsing: safe for HTML that is nested to any depth. */
export function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
