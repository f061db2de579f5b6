import { type Shown, type TemplateData, templatesFor } from 'quire-cms'
import type { model } from '../model.ts'

/** Makes templates that know what the site declares. */
export const templates = templatesFor<typeof model>()

export type Topic = Shown<typeof model, 'topic'>
export type Author = Shown<typeof model, 'author'>
/** An article in a list: without its body. */
export type Article = Omit<Shown<typeof model, 'article'>, 'body'>

/** The data of the page of articles. */
export type ArticlesPage = TemplateData<typeof model, 'articles-page', 'index'>
/** The data of a page of any type, as the layout has them. */
export type AnyPage = TemplateData<typeof model>
/** A page in the navigation. */
export type MenuPage = NonNullable<AnyPage['home']>
