import type { JobRequest } from './children.ts'
import { articleBody } from './content.ts'
import { type Samples, spread } from './samples.ts'

/** One line of the table: what is asked, and what the issue wants of it on SQLite. */
export interface Row {
  readonly name: string
  readonly kind: 'read' | 'write'
  readonly target: Target | null
  /** Distinct requests; those of writes are each sent once. */
  requests(samples: Samples, amount: number): JobRequest[]
}

export type Target =
  /** At least this part of what bare node:http answers. */
  | { readonly ofBare: number }
  | { readonly perSecond: number }
  /** At least this part of another row. */
  | { readonly ofRow: string; readonly part: number }

const LIST = '/api/v1/article'
const URLS = 2000
const PAGE = 10
const SORTS = ['', '&sort[title]=1']

const get = (path: string): JobRequest => ({ method: 'GET', path })
const write = (method: 'POST' | 'PATCH', path: string, body: object): JobRequest => ({
  method,
  path,
  body: JSON.stringify(body),
})

export const rows: readonly Row[] = [
  {
    name: 'one by id',
    kind: 'read',
    target: { ofBare: 0.3 },
    requests: (samples) => spread(samples.articles, URLS).map(({ id }) => get(`${LIST}/${id}`)),
  },
  {
    name: 'one by slug',
    kind: 'read',
    target: null,
    requests: (samples) => spread(samples.articles, URLS).map(({ slug }) => get(`${LIST}?slug=${slug}`)),
  },
  { name: 'list, page 1', kind: 'read', target: { ofBare: 0.1 }, requests: () => [get(LIST)] },
  {
    name: 'list, page 300',
    kind: 'read',
    target: { ofRow: 'list, page 1', part: 0.8 },
    requests: () => [get(`${LIST}?page=300`)],
  },
  {
    name: 'list of 10, any page, two orders',
    kind: 'read',
    target: { ofBare: 0.1 },
    requests: (samples) => anyPage(samples).flatMap((page) => SORTS.map((sort) => get(`${LIST}?page=${page}${sort}`))),
  },
  {
    name: 'list by relationship',
    kind: 'read',
    target: null,
    requests: ({ total, topics }) => {
      const pages = Math.floor((total * 2) / topics.length / PAGE)
      return Array.from({ length: URLS / 2 }, (_, index) => {
        const topic = topics[index % topics.length]
        const page = 1 + (Math.floor(index / topics.length) % pages)
        return get(`${LIST}?_topics=${topic?.id}&page=${page}`)
      })
    },
  },
  {
    name: 'search',
    kind: 'read',
    target: { perSecond: 1000 },
    requests: (samples) =>
      spread(samples.articles, URLS / 2).map(({ title }, index) =>
        get(`${LIST}?search=${words(title, 1 + (index % 2))}`),
      ),
  },
  {
    name: 'autocomplete',
    kind: 'read',
    target: { perSecond: 1000 },
    requests: (samples) =>
      spread(samples.articles, URLS).map(({ title }) => get(`${LIST}?autocomplete=${words(title, 1).slice(0, 4)}`)),
  },
  {
    name: 'POST',
    kind: 'write',
    target: { perSecond: 500 },
    requests: ({ total, topics }, amount) =>
      Array.from({ length: amount }, (_, index) => {
        const ids = topics.map((topic) => topic.id)
        return write('POST', LIST, articleBody(total + index, ids))
      }),
  },
  {
    name: 'PATCH',
    kind: 'write',
    target: { perSecond: 500 },
    requests: ({ articles }, amount) =>
      Array.from({ length: amount }, (_, index) =>
        write('PATCH', `${LIST}/${articles[index % articles.length]?.id}`, { subtitle: `Changed ${index}` }),
      ),
  },
  {
    name: 'PATCH of a draft',
    kind: 'write',
    target: { perSecond: 500 },
    requests: (samples, amount) =>
      spread(samples.articles, amount).map(({ id }, index) =>
        write('PATCH', `${LIST}/${id}?aposMode=draft`, { subtitle: `Draft ${index}` }),
      ),
  },
  {
    name: 'publish (of those drafts)',
    kind: 'write',
    target: { perSecond: 500 },
    requests: (samples, amount) =>
      spread(samples.articles, amount).map(({ id }) => write('POST', `${LIST}/${id}/publish`, {})),
  },
]

/** Page numbers from the first to the last, spread evenly. */
function anyPage({ total }: Samples): number[] {
  const pages = Math.floor(total / PAGE)
  const count = Math.min(pages, URLS / 4)
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * pages) / count))
}

/** The first words of a title, for a query. */
function words(title: string, count: number): string {
  return title.split(' ').slice(0, count).join('+').toLowerCase()
}
