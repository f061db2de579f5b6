import type { PageData, Scene, ShownDocument, ShownImage } from 'quire-cms'
import type { words } from './words.ts'

/** What a page with an introduction is rendered from. */
export type IntroducedPage = PageData<ShownDocument & { intro: string }, ShownDocument>

/** What templates render with, where the type's `data` has loaded something. */
export type SceneWith<Data> = Scene & { readonly data: Data }

/** A topic as templates have it. */
export interface Topic extends ShownDocument {
  color: string
  blurb: string
  _url: string
}

/** An author as templates have it. */
export interface Author extends ShownDocument {
  town: string
  bio: string
  _url: string
}

/** An article as templates have it. Its body is there only where all of it is rendered. */
export interface Article extends ShownDocument {
  subtitle: string
  section: keyof typeof words.en.sections
  date: string
  minutes: number
  _url: string
  _image: ShownImage[]
  _authors: Author[]
  _topics: Topic[]
}

// `as`, in these: relationships and index pages hold what their declarations name.

/** Documents of a relationship or an index page to articles. */
export const articlesOf = (documents: readonly ShownDocument[] = []): Article[] => documents as Article[]

/** Documents of a relationship or an index page to topics. */
export const topicsOf = (documents: readonly ShownDocument[] = []): Topic[] => documents as Topic[]

/** Documents of a relationship or an index page to authors. */
export const authorsOf = (documents: readonly ShownDocument[] = []): Author[] => documents as Author[]
