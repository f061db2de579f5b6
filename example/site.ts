import { withTemplates } from 'quire-cms'
import { model } from './model.ts'
import { articleIndex, articleShow } from './views/articles.ts'
import { authorIndex, authorShow } from './views/authors.ts'
import { failed, notFound } from './views/failures.ts'
import { layout } from './views/layout.ts'
import { search } from './views/search.ts'
import { topicIndex, topicShow } from './views/topics.ts'
import { front, latest, shelf } from './views/widgets.ts'

// A small magazine in two languages, and the tutorial. What there is, is declared in model.ts and the folder `types`:
// read article.ts, widgets.ts and pages.ts there, in this order. How it looks is in `views` (functions), `templates`
// (files) and lantern.css, and in theme.ts as far as editors may change it.
export const site = withTemplates(model, [
  layout,
  articleIndex,
  articleShow,
  authorIndex,
  authorShow,
  topicIndex,
  topicShow,
  search,
  front,
  shelf,
  latest,
  notFound,
  failed,
])

/** Runs when the database is empty: the first content. */
export { seed } from './seed.ts'
