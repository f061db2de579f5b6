import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { AttachmentReader } from '../terms/attachment-store.ts'
import { changed, type Name } from '../terms/changes.ts'
import type { View } from '../terms/document-query.ts'
import type { DocumentReader } from '../terms/document-store.ts'
import { currentSources, type Sources } from '../terms/sources.ts'
import type { Page, TreeReader } from '../terms/tree-store.ts'
import type { TimelineRef, VersionReader } from '../terms/version-store.ts'
import { namesOf, valuesOf } from './query-names.ts'

/** Dependencies of the result of a read: names that its arguments give, or `everything`: any commit. */
type Dependency<Args extends readonly unknown[], Result> =
  | ((...args: Args) => readonly Name[])
  | ResultDependency<Args, Result>
  | 'everything'
  /** Something that no commit announces. */
  | 'unknown'

/** Names that the arguments give, and names that only the result gives. */
interface ResultDependency<Args extends readonly unknown[], Result> {
  ofArguments(...args: Args): readonly Name[]
  ofResult(result: Result): readonly Name[]
}

/** The dependencies of each method of a reader: a new method does not compile until it is listed. */
type Dependencies<Reader> = {
  readonly [Name in keyof Reader]: Reader[Name] extends (...args: infer Args) => Promise<infer Result>
    ? Dependency<Args, Result>
    : never
}

type AnyDependency = Dependency<readonly unknown[], unknown>
type Read = (...args: readonly unknown[]) => Promise<unknown>

/** Makes wrappers for readers: they record what is read in the sources of the current work (`sources.ts`). */
export function tracked<Reader>(dependencies: Dependencies<Reader>): (reader: Reader) => Reader {
  class Tracked {
    readonly reader: Reader
    constructor(reader: Reader) {
      this.reader = reader
    }
  }
  // `as`, here and below: all members of a reader are methods that return promises.
  for (const [name, dependency] of Object.entries(dependencies) as [keyof Reader, AnyDependency][]) {
    const value = function (this: Tracked, ...args: readonly unknown[]): Promise<unknown> {
      const sources = currentSources()
      // Before the read: a commit during it may or may not have been seen, and so must count as newer.
      if (sources !== undefined) addBefore(sources, dependency, args)
      const result = (this.reader as Record<keyof Reader, Read>)[name](...args)
      return sources !== undefined && typeof dependency === 'object' ? addAfter(sources, dependency, result) : result
    }
    Object.defineProperty(Tracked.prototype, name, { value })
  }
  return (reader) => new Tracked(reader) as Reader
}

function addBefore(sources: Sources, dependency: AnyDependency, args: readonly unknown[]): void {
  if (dependency === 'unknown') sources.recordUnknown()
  else if (dependency === 'everything') sources.recordEverything()
  else addAll(sources, typeof dependency === 'function' ? dependency(...args) : dependency.ofArguments(...args))
}

async function addAfter(
  sources: Sources,
  { ofResult }: ResultDependency<readonly unknown[], unknown>,
  result: Promise<unknown>,
): Promise<unknown> {
  const value = await result
  addAll(sources, ofResult(value))
  return value
}

function addAll(sources: Sources, names: readonly Name[]): void {
  for (const name of names) sources.note(name)
}

/** Wraps a reader of data whose changes no commit announces: nothing made of it is cached. */
export function untracked<Reader extends object>(reader: Reader): Reader {
  return new Proxy<Reader>(reader, UNTRACKED)
}

const UNTRACKED: ProxyHandler<object> = {
  get:
    (reader, name) =>
    (...args: readonly unknown[]) => {
      currentSources()?.recordUnknown()
      // `as`: see `tracked`.
      return (reader as Record<string | symbol, Read>)[name]?.(...args)
    },
}

// The dependencies of each read of content. Values that are made of it are cached until one of these names changes
// (ARCHITECTURE.md, Caching).

const documents = (docIds: readonly DocId[]) => docIds.map(changed.document)

const draftsOf = (view: View) => changed.list({ ...view, mode: 'draft' })

/** Also of documents that do not exist or are not shown: they may appear. */
const copies = ({ locale, mode }: Pick<View, 'locale' | 'mode'>, docIds: readonly DocId[]) =>
  docIds.map((docId) => changed.copy({ docId, locale, mode }))

export const trackedDocuments = tracked<DocumentReader>({
  get: (id) => [changed.copy(id)],
  read: (id) => [changed.copy(id)],
  copies: (docId, locale) => [
    ...copies({ locale, mode: 'draft' }, [docId]),
    ...copies({ locale, mode: 'published' }, [docId]),
  ],
  many: copies,
  find: namesOf,
  page: namesOf,
  ids: namesOf,
  bySlug: (view) => [changed.list(view)],
  references: documents,
  neighbours: (view) => [changed.list(view)],
  count: namesOf,
  states: namesOf,
  // Their states are those of drafts, and pages have paths.
  across: ({ filters }) => filters.flatMap((one) => [...namesOf(one), draftsOf(one), changed.tree(one.locale)]),
  // Any document may begin to refer to one.
  using: 'everything',
  tally: (filters) => filters.flatMap(namesOf),
  ofRows: { ofArguments: () => [], ofResult: (found) => found.map(({ document }) => changed.copy(document.id)) },
  values: namesOf,
  extensions: namesOf,
  writtenValues: namesOf,
  related: (query, _, targets) => [...namesOf(query), ...targets.map(({ view }) => changed.list(view))],
  outlines: documents,
  everywhere: (docId) => documents([docId]),
  types: documents,
  pointingTo: (view, { name, docIds }) => valuesOf(view, name, docIds) ?? [changed.list(view)],
  byUnique: (scope) => [changed.list(scope)],
  slugsLike: 'everything',
  // Documents that search has yet to index are no content.
  unsearched: () => [],
  // Read for changed rows only, by what depends on their list already.
  numbered: () => [],
  // Which documents have these words is read afterwards.
  spellingsLike: () => [],
  following: 'everything',
  sizes: documents,
  // Whether the index is sound is no content.
  randomRows: () => [],
  indexedOtherwise: () => [],
})

/** A reader whose sources know that a list covers the documents that are read by their ids. */
export function withLists(reader: DocumentReader): DocumentReader {
  const many: DocumentReader['many'] = (view, docIds) => {
    currentSources()?.cover(copies(view, docIds), changed.list(view))
    return reader.many(view, docIds)
  }
  return Object.create(reader, { many: { value: many } })
}

const history = ({ docId }: Pick<TimelineRef, 'docId'>) => [changed.history(docId)]

/** The id of a version does not say whose it is: reads by id depend on everything. */
export const trackedVersions = tracked<VersionReader>({
  get: 'everything',
  listed: 'everything',
  listedOf: 'everything',
  newest: history,
  first: history,
  newestUntil: (docId) => history({ docId }),
  publication: history,
  publicationBefore: history,
  list: history,
  saves: history,
  count: history,
  following: history,
  olderStretch: history,
  // Also on the types of the documents.
  aiMarks: 'everything',
  isSavedByAgentSince: history,
  recent: 'everything',
  contents: (refs) => refs.flatMap(history),
  packable: 'everything',
  countDocuments: 'everything',
  prunable: 'everything',
})

const attachments = (ids: readonly string[]) => ids.map(changed.attachment)

export const trackedAttachments = tracked<AttachmentReader>({
  byIds: attachments,
  following: 'everything',
  existing: attachments,
  archived: attachments,
  count: 'everything',
  countUntil: 'everything',
  ofDocuments: {
    ofArguments: documents,
    ofResult: (found) => attachments([...found.values()].flat().map(({ id }) => id)),
  },
  named: {
    ofArguments: ({ ids, docIds }) => [...attachments(ids), ...documents(docIds)],
    ofResult: ({ byDocument }) => attachments([...byDocument.values()].map(({ id }) => id)),
  },
  // Versions may use them, too.
  unused: 'everything',
  leftOver: 'unknown',
  hasLeftOver: 'unknown',
})

/** Names the pages of a locale, and their places. */
const pages = (locale: Locale, ...modes: readonly Mode[]): Name[] => [
  changed.tree(locale),
  ...modes.map((mode) => changed.pages(locale, mode)),
]
const pagesOf = ({ locale, mode }: { readonly locale: Locale; readonly mode: Mode }) => pages(locale, mode)
const allPages = (locale: Locale) => pages(locale, 'draft', 'published')
const contents = (shown: readonly Page[]) => shown.map(({ document }) => changed.copy(document.id))

export const trackedTree = tracked<TreeReader>({
  position: (locale) => [changed.tree(locale)],
  nodes: allPages,
  pages: { ofArguments: pagesOf, ofResult: contents },
  outline: pagesOf,
  ofRows: { ofArguments: pagesOf, ofResult: contents },
  copiesBelow: allPages,
  takenSlugs: allPages,
  bySlugs: { ofArguments: pagesOf, ofResult: (page) => (page === null ? [] : contents([page])) },
  ofTypes: pagesOf,
  // It has the time of the last change of each.
  published: 'everything',
  byFormerSlugs: (locale) => [changed.formerUrls(locale)],
  children: {
    ofArguments: ({ locale, mode }) => pages(locale, mode),
    ofResult: ({ pages: found }) => documents(found.map(({ docId }) => docId)),
  },
  countChildren: (locale, _, mode) => pages(locale, mode),
  formerUrls: (locale) => [changed.formerUrls(locale)],
})
