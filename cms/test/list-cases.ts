import fc from 'fast-check'
import type { OpenDocument } from '../src/model/terms/document.ts'
import type { Condition, IndexRow, Put, Query, RelatedTarget, Sort, View } from '../src/store/contract/store.ts'

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
const targetView = {
  locale: fc.constant('en'),
  mode: fc.constant('published' as const),
  archived: fc.constant(false),
  visibility: fc.constantFrom(null, 'public' as const),
}
/** Related documents of one type or of two. */
const targetsBy = (by: 'id' | 'slug'): fc.Arbitrary<RelatedTarget[]> =>
  fc
    .tuple(
      fc.record<View>({ type: fc.constant('topic'), ...targetView }),
      fc.option(fc.record<View>({ type: fc.constant('tag'), ...targetView })),
    )
    .map(([topics, tags]) => (tags === null ? [topics] : [topics, tags]).map((view) => ({ view, by })))
const target = fc.record<View>({ type: fc.constantFrom('topic', 'tag'), ...targetView })
const topicIds = fc.subarray([...TOPICS, 'missing'], { minLength: 1 })
const texts = fc.record({
  is: fc.constantFrom('beginning' as const, 'part' as const),
  text: fc.constantFrom('a', 'b', 'e', 'new', 'äp', '%', '_', 'slug-1'),
})
const simple: fc.Arbitrary<Condition> = fc.oneof(
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
    targets: targetsBy('id'),
    anyOf: topicIds,
    orNone: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('related' as const),
    name: fc.constant('_topics'),
    targets: targetsBy('slug'),
    anyOf: fc.subarray(['slug-t1', 'slug-t2']),
  }),
  fc.record({
    kind: fc.constant('relatedToAll' as const),
    name: fc.constant('_topics'),
    targets: targetsBy('id'),
    allOf: topicIds,
  }),
  fc.record({
    kind: fc.constant('relatedToAll' as const),
    name: fc.constant('_topics'),
    targets: targetsBy('slug'),
    allOf: fc.subarray(['slug-t1', 'slug-t2'], { minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('unrelated' as const), name: fc.constant('_topics'), targets: targetsBy('id') }),
  fc.record({
    kind: fc.constant('range' as const),
    name: fc.constant('rank'),
    above: fc.constantFrom(-1.5, 0),
    below: fc.constantFrom(0.1 + 0.2, 12),
  }),
  fc.record({ kind: fc.constant('filled' as const), name: fc.constantFrom('section', 'rank') }),
  texts.map((text): Condition => ({ kind: 'text', name: 'section', ...text })),
  fc
    .tuple(fc.constantFrom('title' as const, 'slug' as const), texts)
    .map(([column, text]): Condition => ({ kind: 'columnText', column, ...text })),
)

/** Conditions of conditions. */
const conditionsOf = (one: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.oneof(
    fc.record({ kind: fc.constantFrom('all' as const, 'any' as const), of: fc.array(one, { maxLength: 3 }) }),
    one.map((of): Condition => ({ kind: 'not', of })),
  )
/** Those of an article by its topics; `'slug'` and `'title'` are all that topics are found by. */
const byTopics = fc
  .tuple(target, fc.constantFrom('title' as const, 'slug' as const), texts, fc.boolean())
  .map(([target, column, text, isNot]): Condition => {
    const of: Condition = { kind: 'columnText', column, ...text }
    return { kind: 'through', direction: 'forward', name: '_topics', target, of: isNot ? { kind: 'not', of } : of }
  })
const single = fc.oneof({ weight: 4, arbitrary: simple }, byTopics)
const combined = conditionsOf(single)
const conditions = fc.oneof({ weight: 3, arbitrary: single }, combined, conditionsOf(fc.oneof(single, combined)))
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
/** Queries of lists of articles, without search. */
const ofArticles = fc
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

/** Topics by the articles that point to them, and by topics of those. */
const ofTopics = fc
  .tuple(
    target,
    views,
    conditions,
    sorts.filter(({ by }) => by === 'column'),
  )
  .map(([view, articles, of, sort]): Query => {
    const through: Condition = { kind: 'through', direction: 'backward', name: '_topics', target: articles, of }
    return { ...view, conditions: [through], sort: [sort], offset: 0, limit: 10 }
  })
/** Queries of lists, without search. */
export const queries = fc.oneof({ weight: 5, arbitrary: ofArticles }, ofTopics)

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
  // Of another type than the other topics, with the slug of one of them.
  const isTag = docId === 't3'
  const slug = type === 'topic' ? `slug-${isTag ? 't2' : docId}` : `slug-${id}`
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
  const document: OpenDocument = {
    id: type === 'topic' ? { docId, locale: 'en', mode: 'published' } : { docId, locale, mode },
    type: isTag ? 'tag' : type,
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
