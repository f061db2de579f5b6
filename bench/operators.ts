import { MOST_MINUTES } from './content.ts'
import type { Samples } from './samples.ts'

type Query = (article: Samples['articles'][number], index: number, topic: string) => string

const words = ({ title }: { readonly title: string }, from: number, to: number) =>
  encodeURIComponent(title.slice(from, to))
const minute = (index: number) => (index * 7) % MOST_MINUTES

/** A filter by each operator, by its name; `index` makes each query another one. */
export const operatorQueries: readonly (readonly [name: string, query: Query])[] = [
  ['$in', (article, index) => `title[$in][]=${words(article, 0, 200)}&title[$in][]=${index}`],
  ['$nin', (_, index) => `minutes[$nin][]=${minute(index)}&minutes[$nin][]=${index + 2 * MOST_MINUTES}`],
  ['$not', (_, index) => `minutes[$not][$gte]=${10 + index / 100}`],
  ['$gte', (_, index) => `minutes[$gte]=${MOST_MINUTES - 10 + index / 1000}`],
  ['$lt', (_, index) => `minutes[$lt]=${10 + index / 1000}`],
  ['$between', (_, index) => `minutes[$between][]=${minute(index)}&minutes[$between][]=${minute(index) + 3}`],
  ['$startsWith', (article) => `title[$startsWith]=${words(article, 0, 14)}`],
  ['$contains', (_, index) => `title[$contains]=e&minutes[$eq]=${minute(index)}`],
  ['$exists', (_, index) => `minutes[$exists]=true&minutes[$eq]=${minute(index)}`],
  ['$or', (article, index) => `where[$or][0][minutes]=${minute(index)}&where[$or][1][title]=${words(article, 0, 200)}`],
  ['a related field', (_, index, topic) => `_topics.slug[$ne]=x&_topics=${topic}&minutes[$lt]=${100 + index}`],
]
