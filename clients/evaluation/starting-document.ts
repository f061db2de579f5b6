import type { JsonObject } from '../../cms/src/index.ts'

/** A document of the newsroom as a task finds it. */
export interface StartingDocument {
  /** The id in all locales, in words: tasks name it. */
  readonly id: string
  readonly type: string
  /** English when left out; types without locales have none. */
  readonly locale?: string
  /** Not published. */
  readonly isDraft?: true
  /** Of a page: below which one. */
  readonly below?: string
  readonly values: JsonObject
}

/** A change that a person made before the agent came. */
export interface EarlierChange {
  readonly id: string
  readonly type: 'article' | 'topic'
  readonly by: string
  readonly locale?: 'en' | 'fr'
  /** Both copies when left out. */
  readonly mode?: 'draft'
  readonly patch: JsonObject
}

/** A rich text widget. */
export const text = (id: string, ...paragraphs: readonly string[]): JsonObject => ({
  _id: id,
  type: '@cms/rich-text',
  content: paragraphs.map((one) => `<p>${one}</p>`).join(''),
})

/** A quotation. */
export const quotation = (id: string, words: string, by: string): JsonObject => ({ _id: id, type: 'quote', words, by })

/** A notice. */
export const notice = (id: string, words: string): JsonObject => ({ _id: id, type: 'notice', text: words })

/** An area with these widgets. */
export const area = (...items: JsonObject[]): JsonObject => ({ items })
