import fc from 'fast-check'
import type { Document } from '../src/model/terms/document.ts'
import type { Condition, IndexRow, Put, Query, Sort, View } from '../src/store/contract/store.ts'

const TOPICS = ['t1', 't2', 't3']
const WORDS = ['', 'a', 'B', 'b', 'Äpfel', 'zebra', '\ue000', '\u{1f600}', 'a b']
const LOCALES = ['en', 'fr']
const MODES = ['draft', 'published'] as const
const VISIBILITIES = ['public', 'loginRequired'] as const

const contents = fc.record({
  title: fc.constantFrom(...WORDS),
  visibility: fc.constantFrom(...VISIBILITIES),
  archived: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  minute: fc.integer({ min: 0, max: 30 }),
  section: fc.option(fc.constantFrom('news', 'essay')),
  rank: fc.option(fc.constantFrom(-1.5, 0, 0.1 + 0.2, 12)),
  topics: fc.subarray(TOPICS),
})
/** What is done to one copy: it is stored, or removed where there is no content. */
export const writes = fc.record({
  type: fc.oneof({ weight: 9, arbitrary: fc.constant('article') }, fc.constant('topic')),
  id: fc.integer({ min: 1, max: 150 }),
  locale: fc.constantFrom(...LOCALES),
  mode: fc.constantFrom(...MODES),
  content: fc.option(contents, { freq: 8 }),
})
/** One of them. */
export type Write = typeof writes extends fc.Arbitrary<infer Value> ? Value : never

const views = fc.record<View>({
  type: fc.constant('article'),
  locale: fc.constantFrom(...LOCALES),
  mode: fc.constantFrom(...MODES),
  archived: fc.oneof(
    { weight: 4, arbitrary: fc.constant<boolean | 'any'>(false) },
    fc.constantFrom(true, 'any' as const),
  ),
  visibility: fc.constantFrom(null, 'public' as const),
})
const target = fc.record<View>({
  type: fc.constant('topic'),
  locale: fc.constant('en'),
  mode: fc.constant('published'),
  archived: fc.constant(false),
  visibility: fc.constantFrom(null, 'public' as const),
})
const topicIds = fc.subarray([...TOPICS, 'missing'], { minLength: 1 })
const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    kind: fc.constant('equals' as const),
    name: fc.constant('section'),
    anyOf: fc.subarray(['news', 'essay', 'none']),
  }),
  fc.record({
    kind: fc.constant('equals' as const),
    name: fc.constant('rank'),
    anyOf: fc.subarray([0, 12, 99], { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('range' as const),
    name: fc.constant('rank'),
    min: fc.constantFrom(-2, 0),
    max: fc.constantFrom(1, 20),
  }),
  fc.record({
    kind: fc.constant('column' as const),
    column: fc.constant('title' as const),
    anyOf: fc.subarray(['b', 'äpfel', 'x']),
  }),
  fc.record({
    kind: fc.constant('column' as const),
    column: fc.constant('slug' as const),
    anyOf: fc.subarray(['slug-1', 'Slug-2', 'slug-3']),
  }),
  fc.record({
    kind: fc.constant('columnRange' as const),
    column: fc.constant('updatedAt' as const),
    min: fc.constantFrom(timeOf(5), timeOf(12)),
  }),
  fc.record({ kind: fc.constant('visibility' as const), anyOf: fc.subarray([...VISIBILITIES]) }),
  fc.record({
    kind: fc.constant('related' as const),
    name: fc.constant('_topics'),
    target,
    by: fc.constant('id' as const),
    anyOf: topicIds,
    orNone: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('related' as const),
    name: fc.constant('_topics'),
    target,
    by: fc.constant('slug' as const),
    anyOf: fc.subarray(['slug-t1', 'slug-t2']),
  }),
  fc.record({
    kind: fc.constant('relatedToAll' as const),
    name: fc.constant('_topics'),
    target,
    by: fc.constant('id' as const),
    allOf: topicIds,
  }),
  fc.record({ kind: fc.constant('unrelated' as const), name: fc.constant('_topics'), target }),
)
const sorts: fc.Arbitrary<Sort> = fc.oneof(
  fc.record({
    by: fc.constant('column' as const),
    column: fc.constantFrom('updatedAt' as const, 'createdAt' as const, 'title' as const, 'slug' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
  fc.record({
    by: fc.constant('field' as const),
    name: fc.constant('section'),
    value: fc.constant('text' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
  fc.record({
    by: fc.constant('field' as const),
    name: fc.constant('rank'),
    value: fc.constant('number' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
)
/** Queries of lists, without search. */
export const queries = fc
  .tuple(
    views,
    fc.record({
      conditions: fc.array(conditions, { maxLength: 2 }),
      sort: fc.array(sorts, { maxLength: 2 }),
      offset: fc.constantFrom(0, 0, 3, 20, 1000),
      limit: fc.constantFrom(1, 10, 500),
      docIds: fc.option(fc.constant(['article-3', 'article-1', 'missing', 'article-2', 'article-3']), { freq: 8 }),
    }),
  )
  .map(([view, { docIds, ...rest }]): Query => ({ ...view, ...rest, ...(docIds === null ? {} : { docIds }) }))

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
}

/** The copy that a write stores. */
export function putOf(
  { type, id, locale, mode }: Write,
  content: NonNullable<Write['content']>,
  before: Put | null,
): Put {
  const { title, visibility, archived, minute, section, rank, topics } = content
  const docId = type === 'topic' ? `t${1 + (id % TOPICS.length)}` : `article-${id}`
  const slug = type === 'topic' ? `slug-${docId}` : `slug-${id}`
  const value = (name: string, text: string | null, number: number | null): IndexRow => ({
    kind: 'value',
    name,
    text,
    number,
  })
  const indexRows: IndexRow[] = [
    ...(section === null ? [] : [value('section', section, null)]),
    ...(rank === null ? [] : [value('rank', null, rank)]),
    ...topics.map((topic): IndexRow => ({ kind: 'document', name: '_topics', text: topic, number: null })),
  ]
  const document: Document = {
    id: type === 'topic' ? { docId, locale: 'en', mode: 'published' } : { docId, locale, mode },
    type,
    fields: { title, slug, visibility, archived },
    createdAt: before?.document.createdAt ?? timeOf(minute),
    updatedAt: timeOf(minute),
    updatedBy: { _id: 'u1', firstName: 'Ada', lastName: 'L', username: 'ada', title: 'Ada L' },
    lastPublishedAt: null,
    wasPublished: true,
    modified: false,
    revision: (before?.document.revision ?? 0) + 1,
  }
  return { document, indexRows: type === 'topic' ? [] : indexRows, before }
}
