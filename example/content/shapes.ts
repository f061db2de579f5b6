import type { pictures } from './pictures.ts'

/** A picture, by the name of its file. */
export type PictureName = (typeof pictures)[number]['file']

/** The words of an article in one language. */
export interface WrittenText {
  readonly title: string
  readonly subtitle: string
  readonly paragraphs: readonly string[]
  readonly quote?: { readonly words: string; readonly by: string }
  /** A picture within the text. */
  readonly figure?: { readonly picture: PictureName; readonly caption: string }
}

/** An article as it is written down here; names of authors and topics are their slugs. */
export interface WrittenArticle extends WrittenText {
  readonly section: 'report' | 'essay' | 'recipe' | 'portrait'
  readonly date: string
  readonly picture: PictureName
  readonly authors: readonly string[]
  readonly topics: readonly string[]
  readonly french?: WrittenText
}
