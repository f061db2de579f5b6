import type { DocumentId } from '../src/model/terms/document-id.ts'
import type { Condition, Filter, Query, ReadDocument, Sort, StoreReader, View } from '../src/store/contract/store.ts'

/** The parts of a store whose readers note what they read, and so may be read by cached answers. */
interface RecordedReaders extends Pick<StoreReader, 'documents' | 'versions' | 'attachments' | 'tree'> {
  readonly settings: Pick<StoreReader['settings'], 'get'>
}

type Reads = {
  readonly [Part in keyof RecordedReaders]: {
    readonly [Method in keyof RecordedReaders[Part]]: readonly (() => Promise<unknown>)[]
  }
}

/** What is read: some documents of each kind, and others that are not there. */
export interface StoredIds {
  readonly articles: readonly string[]
  readonly topics: readonly string[]
  readonly pages: readonly string[]
  readonly attachments: readonly string[]
  readonly versions: readonly string[]
}

const VIEW: View = { type: 'article', locale: 'en', mode: 'published', archived: false, visibility: 'public' }
const ALL: View = { ...VIEW, archived: 'any', visibility: null }
const DRAFTS: View = { ...VIEW, mode: 'draft', visibility: null }
const TOPICS: View = { ...VIEW, type: 'topic' }
const BY_ID = { view: TOPICS, by: 'id' } as const
const BY_SLUG = { view: TOPICS, by: 'slug' } as const
const BY_TITLE: Sort = { by: 'column', column: 'title', direction: 1 }
const BY_COLOR: Sort = { by: 'field', name: 'color', value: 'text', direction: 1 }

/**
 * Calls of all methods of the recorded readers, many with several arguments: a new method does not compile without one.
 */
export function readsOf(store: RecordedReaders, known: StoredIds): Reads {
  const { documents, versions, attachments, settings, tree } = store
  const { articles, topics, pages } = known
  const queries = queriesOf(known)
  const filters = queries
    .filter((_, index) => index % 3 === 0)
    .map(({ sort: _, offset: __, limit: ___, ...filter }) => filter)
  const path = pages.slice(0, 2).join('/')
  const seen = { locale: 'en', mode: 'published', archived: false, visibility: 'public' } as const
  const all = { locale: 'en', mode: 'draft', archived: 'any', visibility: null } as const
  const timelines = [...articles, ...pages].map((docId) => ({ docId, locale: 'en' }))
  const slugs = [...articles, ...pages].map((id) => `/${id}`)
  const each = <Item>(items: readonly Item[], read: (item: Item) => Promise<unknown>) =>
    items.map((item) => () => read(item))
  const names = {
    ids: known.attachments,
    docIds: articles,
    indexName: 'image',
    locale: 'en',
    mode: 'published',
  } as const
  return {
    documents: {
      get: each(copiesOf([...articles, ...topics, ...pages]), (id) => documents.get(id)),
      read: each(copiesOf([...articles, ...topics, ...pages]), async (id) => withoutBasis(await documents.read(id))),
      copies: each([...articles, ...pages], (docId) => documents.copies(docId, 'en')),
      many: each([VIEW, ALL, DRAFTS, TOPICS], (view) => unordered(documents.many(view, [...articles, ...topics]))),
      find: each(queries, (query) => documents.find(query)),
      page: each(queries, async (query) => {
        const { rows, read, total } = await documents.page(query, () => undefined)
        return { documents: rows.map((row) => withoutBasis(read.get(row) ?? null)), total }
      }),
      ids: each(queries, (query) => documents.ids(query)),
      count: each(filters, (filter) => documents.count(filter)),
      across: each(['updatedAt', 'title', 'lastPublishedAt'] as const, async (column) => {
        const page = { sort: { by: 'column', column, direction: -1 }, offset: 0, limit: 100 } as const
        const found = await documents.across({ filters: [VIEW, DRAFTS, TOPICS].map(whole).concat(filters), ...page })
        return found.map((one) => ({ ...one, bytes: 0 }))
      }),
      extensions: [() => documents.extensions(whole(VIEW), 'image')],
      using: each(topics, async (id) => {
        const reference = { type: 'article', locale: 'en', kind: 'document', id, isOfArchived: true } as const
        const references = ['_topics', '*'].map((name) => ({ ...reference, name }))
        const { documents: found, total } = await documents.using({ references, except: '', offset: 0, limit: 100 })
        return { total, found: found.map((one) => ({ ...one, bytes: 0 })) }
      }),
      tally: [() => unordered(documents.tally([VIEW, DRAFTS, TOPICS].map(whole).concat(filters)))],
      ofRows: [
        async () => {
          const { rows } = await documents.page({ ...whole(VIEW), sort: [], offset: 0, limit: 100 }, () => undefined)
          return unordered(documents.ofRows(rows).then((found) => found.map(withoutBasis)))
        },
      ],
      states: each(filters, (filter) => documents.states(filter)),
      values: each(filters, (filter) => documents.values(filter, 'color')),
      writtenValues: each(filters, (filter) => documents.writtenValues(filter, 'color')),
      related: each(filters, (filter) => documents.related(filter, '_topics', [BY_ID, BY_SLUG])),
      bySlug: each([VIEW, ALL], (view) => documents.bySlug(view, '', 100)),
      references: [() => unordered(documents.references(articles, 'en'))],
      neighbours: each(articles, (docId) => documents.neighbours(VIEW, [BY_TITLE], docId)),
      outlines: [
        () => unordered(documents.outlines([...articles, ...pages], { mode: 'published' })),
        () => unordered(documents.outlines([...articles, ...pages], { mode: 'draft', locale: 'en' })),
      ],
      everywhere: each([...articles, ...pages], (docId) => documents.everywhere(docId)),
      types: [() => documents.types([...articles, ...topics, ...pages])],
      pointingTo: [() => documents.pointingTo(VIEW, { name: '_topics', docIds: topics, limit: 2 })],
      byUnique: each(articles, (docId) => documents.byUnique(VIEW, ['color'], docId)),
      slugsLike: [() => documents.slugsLike(VIEW, 'published', 'none')],
      unsearched: [],
      numbered: [],
      spellingsLike: [],
      following: [() => documents.following(0, 100)],
      sizes: [() => documents.sizes([...articles, ...pages], 'en')],
      randomRows: [],
      indexedOtherwise: [],
    },
    versions: {
      get: each(known.versions, (id) => versions.get(id)),
      listed: each(known.versions, (id) => versions.listed(id)),
      listedOf: [() => versions.listedOf(known.versions)],
      newest: each(timelines, (timeline) => versions.newest(timeline)),
      first: each(timelines, (timeline) => versions.first(timeline)),
      newestUntil: each(timelines, ({ docId }) =>
        versions.newestUntil(docId, 'en', { until: '2100-01-01T00:00:00.000Z', mode: 'draft' }),
      ),
      publication: each(timelines, (timeline) => versions.publication(timeline)),
      publicationBefore: [],
      list: each(timelines, (timeline) => versions.list(timeline)),
      saves: each(timelines, (timeline) => versions.saves(timeline, {})),
      count: each(timelines, (timeline) => versions.count(timeline, {})),
      following: [],
      olderStretch: [],
      aiMarks: [
        () =>
          versions.aiMarks(
            timelines.map(({ docId }) => docId),
            { types: ['article'], locales: ['en'] },
          ),
      ],
      isSavedByAgentSince: each(timelines, (timeline) => versions.isSavedByAgentSince(timeline, '', null)),
      recent: [() => versions.recent({ types: ['article', 'page'], locales: ['en'] })],
      contents: each(timelines, async (timeline) => {
        const listed = await versions.list(timeline)
        return (await versions.contents(listed.map(({ content }) => content))).map(({ hash }) => hash)
      }),
      countDocuments: [() => versions.countDocuments()],
      packable: [],
      prunable: [() => versions.prunable({ before: null, keep: 0 }, '', 100)],
    },
    attachments: {
      byIds: each(known.attachments, (id) => attachments.byIds([id])),
      following: [() => attachments.following('', 100)],
      existing: each(known.attachments, (id) => attachments.existing([id])),
      archived: [() => attachments.archived(known.attachments)],
      count: [() => attachments.count()],
      countUntil: each(known.attachments, (id) => attachments.countUntil(id)),
      ofDocuments: each(articles, (docId) => attachments.ofDocuments([docId], 'image')),
      named: [() => attachments.named(names), () => attachments.named({ ...names, ids: [] })],
      unused: each(known.attachments, (id) => attachments.unused([id])),
      // Nobody announces these, and nothing that is made of them is cached.
      leftOver: [],
      hasLeftOver: [],
    },
    settings: { get: each(['one', 'other'], (name) => settings.get(name)) },
    tree: {
      position: each(pages, (docId) => tree.position('en', docId)),
      nodes: each(pages, (docId) => tree.nodes('en', [docId])),
      pages: each([{ docIds: pages }, { childrenOf: pages.slice(0, 1) }, { below: path }], async (query) => [
        await tree.pages({ ...seen, ...query }),
        await tree.pages({ ...all, ...query }),
      ]),
      // How long a page is, is for nobody's eyes.
      outline: [
        async () =>
          (await tree.outline({ ...seen, docIds: pages, childrenOf: pages })).map((one) => ({ ...one, bytes: 0 })),
      ],
      ofRows: [
        async () =>
          tree.ofRows(
            seen,
            (await tree.outline({ ...seen, docIds: pages })).map(({ row }) => row),
          ),
      ],
      copiesBelow: [() => tree.copiesBelow('en', path)],
      // In whatever order the database finds them.
      takenSlugs: [async () => (await tree.takenSlugs('en', slugs)).toSorted((a, b) => a.row - b.row)],
      bySlugs: each(slugs, async (slug) => [await tree.bySlugs(seen, [slug]), await tree.bySlugs(all, [slug])]),
      ofTypes: [() => tree.ofTypes(seen, ['page'])],
      published: [() => tree.published('en')],
      byFormerSlugs: each([...slugs, '/former'], (slug) => tree.byFormerSlugs('en', [slug])),
      children: each(['', ...pages], async (parent) => {
        const page = { parent, types: ['page'], offset: 0, limit: 100 }
        const found = [await tree.children({ ...seen, ...page }), await tree.children({ ...all, ...page })]
        return found.map(({ pages, total }) => [total, pages.map((one) => ({ ...one, bytes: 0 }))])
      }),
      countChildren: each(pages, (docId) => tree.countChildren('en', docId, 'published')),
      formerUrls: [() => tree.formerUrls('en', pages)],
    },
  }
}

/** All documents of a view. */
function whole(view: View): Filter {
  return { ...view, conditions: [] }
}

/** What comes in no particular order, in one. */
async function unordered(found: Promise<readonly unknown[]>): Promise<string[]> {
  return (await found).map((one) => JSON.stringify(one)).sort()
}

function copiesOf(docIds: readonly string[]): DocumentId[] {
  return docIds.flatMap((docId) =>
    (['draft', 'published'] as const).flatMap((mode) => ['en', 'fr'].map((locale) => ({ docId, locale, mode }))),
  )
}

function queriesOf({ articles, topics }: StoredIds): Query[] {
  const conditions: readonly (readonly Condition[])[] = [
    [{ kind: 'equals', name: 'color', anyOf: ['red'] }],
    [
      { kind: 'equals', name: 'color', anyOf: ['red', 'blue'] },
      { kind: 'equals', name: 'size', anyOf: [1] },
    ],
    [{ kind: 'equals', name: 'size', anyOf: [2] }],
    [{ kind: 'range', name: 'size', min: 1 }],
    [{ kind: 'column', column: 'slug', anyOf: articles.slice(0, 1) }],
    [{ kind: 'column', column: 'title', anyOf: ['new'] }],
    [{ kind: 'columnRange', column: 'updatedAt', min: '2026-01-02' }],
    [{ kind: 'visibility', anyOf: ['public'] }],
    [{ kind: 'unrelated', name: '_topics', targets: [BY_ID] }],
    [{ kind: 'never' }],
    ...topics.flatMap((topic): readonly (readonly Condition[])[] => [
      [{ kind: 'related', name: '_topics', targets: [BY_ID], anyOf: [topic] }],
      [{ kind: 'related', name: '_topics', targets: [BY_SLUG], anyOf: [topic] }],
      [{ kind: 'related', name: '_topics', targets: [BY_SLUG], anyOf: [topic], orNone: true }],
      [{ kind: 'relatedToAll', name: '_topics', targets: [BY_SLUG], allOf: [topic] }],
    ]),
    [{ kind: 'relatedToAll', name: '_topics', targets: [BY_ID], allOf: topics.slice(0, 2) }],
  ]
  const page = { offset: 0, limit: 3 }
  const views = [
    { ...VIEW, ...page, sort: [] },
    { ...ALL, ...page, sort: [BY_TITLE] },
    { ...DRAFTS, ...page, sort: [BY_COLOR] },
  ] as const
  return [
    ...views.map((view) => ({ ...view, conditions: [] })),
    ...conditions.map((conditions, index) => ({ ...(views[index % views.length] ?? views[0]), conditions })),
    { ...VIEW, ...page, conditions: [], sort: [], docIds: articles },
    { ...VIEW, offset: 2, limit: 2, conditions: [], sort: [BY_COLOR] },
  ]
}

/** What is read, without what changes with each commit. */
function withoutBasis(found: ReadDocument | null) {
  return found && { document: found.document, bytes: found.bytes }
}
