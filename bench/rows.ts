import type { JobRequest } from './children.ts'
import { mixedRequests } from './mixed.ts'
import { operatorQueries } from './operators.ts'
import type { Row } from './row.ts'
import { type Samples, spread } from './samples.ts'
import { changes, drafts, patches, posts, publications } from './writes.ts'

/** A row and what is wanted of it, on SQLite. */
export interface TargetRow extends Row {
  /** Processor time of the service at most, in microseconds for each request; the second one at 100,000 documents. */
  readonly target?: readonly [small: number, large: number]
  /**
   * Answers a second at least, how many of them from the cache, and how many times as much as bare node:http at most.
   */
  readonly perSecond?: number
  readonly hits?: number
  readonly timesBare?: number
  /** Measured with a million articles, too, where it is to cost at most twice as much as with the fewest. */
  readonly isGrowing?: boolean
  /** The row that this one is to be within a quarter of; directly after a write, of what that one costs then. */
  readonly near?: string
}

/** From this number of articles on, only some rows are measured. */
export const LARGEST = 1_000_000

const LIST = '/api/v1/article'
const PAGE = '/api/v1/@cms/page'
const URLS = 2000
const PER_PAGE = 10
const SORTS = ['', '&sort[title]=1']

const get = (path: string): JobRequest => ({ method: 'GET', path })

const asAgent: NonNullable<Row['headers']> = ({ key }) => ({ authorization: `Bearer ${key}` })

/** A call of a tool (§4.10). */
function call(name: string, given: object): JobRequest {
  const params = { name, arguments: given }
  return {
    method: 'POST',
    path: '/api/v1/mcp',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

/** Filters by each operator, none of them asked for before. */
const operators = operatorQueries.map(
  ([name, queryOf]): TargetRow => ({
    name: `filter by ${name}`,
    kind: 'read',
    target: [1000, 1000],
    headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
    requests: ({ articles, topics }) =>
      spread(articles, URLS).map((article, index) =>
        get(`${LIST}?${queryOf(article, index, topics[index % topics.length]?.id ?? '')}`),
      ),
  }),
)

const all: readonly TargetRow[] = [
  {
    name: 'one by id',
    kind: 'read',
    isGrowing: true,
    target: [110, 110],
    requests: byId,
  },
  {
    name: 'one by id, key of an editor',
    kind: 'read',
    headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
    requests: byId,
  },
  {
    name: 'one by slug',
    kind: 'read',
    isGrowing: true,
    target: [130, 130],
    requests: ({ articles }) => articles.map(({ slug }) => get(`${LIST}?slug=${slug}`)),
  },
  { name: 'list of 10', isGrowing: true, kind: 'read', target: [350, 350], requests: () => [get(LIST)] },
  {
    name: 'list, page 300',
    kind: 'read',
    isGrowing: true,
    near: 'list of 10',
    requests: () => [get(`${LIST}?page=300`)],
  },
  {
    name: 'list, any page, two orders',
    kind: 'read',
    isGrowing: true,
    near: 'list of 10',
    requests: (samples) => anyPage(samples).flatMap((page) => SORTS.map((sort) => get(`${LIST}?page=${page}${sort}`))),
  },
  {
    name: 'list of 100 ids, any page',
    kind: 'read',
    isGrowing: true,
    requests: (samples) =>
      anyPage(samples).map((page) => get(`${LIST}?perPage=100&page=${Math.ceil(page / 10)}&project[_id]=1`)),
  },
  {
    name: 'list with titles of related documents',
    kind: 'read',
    near: 'list of 10',
    requests: (samples) =>
      anyPage(samples).map((page) => get(`${LIST}?page=${page}&withRelationships=_topics&project[_topics.title]=1`)),
  },
  { name: 'list by relationship', isGrowing: true, kind: 'read', target: [500, 500], requests: byRelationship },
  {
    name: 'search',
    kind: 'read',
    isGrowing: true,
    target: [500, 900],
    requests: (samples) =>
      spread(samples.articles, URLS).map(({ title }, index) => get(`${LIST}?search=${words(title, 1 + (index % 2))}`)),
  },
  {
    name: 'search, by stems',
    kind: 'read',
    target: [500, 900],
    requests: (samples) => spread(samples.articles, URLS).map(({ title }) => get(`${LIST}?search=${words(title, 1)}s`)),
  },
  {
    name: 'search, a word mistyped',
    kind: 'read',
    target: [1000, 2000],
    requests: (samples) => spread(samples.articles, URLS).map(({ title }) => get(`${LIST}?search=${mistyped(title)}`)),
  },
  {
    name: 'autocomplete',
    kind: 'read',
    isGrowing: true,
    target: [500, 1000],
    requests: (samples) =>
      spread(samples.articles, URLS).map(({ title }) => get(`${LIST}?autocomplete=${words(title, 1).slice(0, 4)}`)),
  },
  ...operators,
  {
    name: 'list by state, any page',
    kind: 'read',
    target: [500, 500],
    headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
    requests: (samples) => anyPage(samples).map((page) => get(`${LIST}?state=published&page=${page}`)),
  },
  {
    name: 'documents of all types, the newest',
    kind: 'read',
    headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
    requests: (samples) =>
      anyPage(samples).map((page) => get(`/api/v1/@cms/documents?perPage=10&page=${1 + (page % 20)}`)),
  },
  {
    name: 'documents of all types, the newest, by an agent',
    kind: 'read',
    headers: asAgent,
    requests: () => [call('find', { perPage: 10 })],
  },
  {
    name: 'one by id, by an agent',
    kind: 'read',
    headers: asAgent,
    requests: ({ articles }) => articles.map(({ id }) => call('read', { id, mode: 'published' })),
  },
  {
    name: 'page, ancestors, children',
    kind: 'read',
    target: [200, 200],
    requests: ({ pages }) => pages.map((id) => get(`${PAGE}/${id}`)),
  },
  {
    name: 'whole tree of 10,000',
    kind: 'read',
    target: [200_000, 200_000],
    requests: () => [get(`${PAGE}?all=1`)],
  },
  {
    name: 'one by id, cached',
    kind: 'cached',
    timesBare: 1.67,
    requests: ({ articles }) => spread(articles, URLS).map(({ id }) => get(`${LIST}/${id}`)),
  },
  { name: 'list of 10, cached', kind: 'cached', timesBare: 1.67, requests: () => [get(LIST)] },
  { name: 'mixed, 95 % reads', kind: 'mixed', target: [250, 250], hits: 0.85, requests: mixedRequests },
  { name: 'POST', kind: 'write', target: [900, 900], perSecond: 1000, requests: posts },
  { name: 'PATCH', kind: 'write', target: [900, 900], perSecond: 1000, requests: patches },
  {
    name: 'publish',
    kind: 'write',
    perSecond: 1200,
    prepare: drafts,
    requests: publications,
  },
]

/** Reads are measured after writes of articles, too. */
export const rows = all.map((row): TargetRow => (row.kind === 'read' ? { ...row, changes } : row))

function byId({ articles }: Samples): JobRequest[] {
  return articles.map(({ id }) => get(`${LIST}/${id}`))
}

/** Pages of the articles of a topic. */
function byRelationship({ total, topics }: Samples): JobRequest[] {
  const pages = Math.floor((total * 2) / topics.length / PER_PAGE)
  return Array.from({ length: URLS / 2 }, (_, index) => {
    const topic = topics[index % topics.length]
    const page = 1 + (Math.floor(index / topics.length) % pages)
    return get(`${LIST}?_topics=${topic?.id}&page=${page}`)
  })
}

/** Page numbers from the first to the last, spread evenly. */
function anyPage({ total }: Samples): number[] {
  const pages = Math.floor(total / PER_PAGE)
  const count = Math.min(pages, URLS / 4)
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * pages) / count))
}

/** The first words of a title, for a query. */
function words(title: string, count: number): string {
  return title.split(' ').slice(0, count).join('+').toLowerCase()
}

/** The longest word of a title, without its third letter. */
function mistyped(title: string): string {
  const [longest = ''] = title
    .toLowerCase()
    .split(' ')
    .toSorted((one, other) => other.length - one.length)
  return longest.slice(0, 2) + longest.slice(3)
}
