import type { DocId, Locale, Mode } from '../../model/terms/document.ts'
import { changed, type Name } from '../contract/changes.ts'
import type {
  AttachmentReader,
  DocumentReader,
  Page,
  SettingReader,
  TimelineRef,
  TreeReader,
  VersionReader,
  View,
} from '../contract/store.ts'
import { noted } from './noted.ts'
import { namesOf, valuesOf } from './query-names.ts'

// What each read of content depends on. Whatever is made of it is cached until one of these names changes
// (ARCHITECTURE.md, Caching).

const documents = (docIds: readonly DocId[]) => docIds.map(changed.document)

/** Also of documents that do not exist or are not shown: they may appear. */
const copies = ({ locale, mode }: Pick<View, 'locale' | 'mode'>, docIds: readonly DocId[]) =>
  docIds.map((docId) => changed.copy({ docId, locale, mode }))

export const notedDocuments = noted<DocumentReader>({
  get: (id) => [changed.copy(id)],
  read: (id) => [changed.copy(id)],
  copies: (docId, locale) => [
    ...copies({ locale, mode: 'draft' }, [docId]),
    ...copies({ locale, mode: 'published' }, [docId]),
  ],
  many: copies,
  find: namesOf,
  page: namesOf,
  bySlug: (view) => [changed.list(view)],
  references: documents,
  neighbours: (view) => [changed.list(view)],
  count: namesOf,
  values: namesOf,
  writtenValues: namesOf,
  related: (query, _, target) => [...namesOf(query), changed.list(target)],
  outlines: documents,
  everywhere: (docId) => documents([docId]),
  types: documents,
  pointingTo: (view, name, docIds) => valuesOf(view, name, docIds) ?? [changed.list(view)],
  byUnique: (scope) => [changed.list(scope)],
  slugsLike: 'everything',
  // What search has yet to index is not content.
  unsearched: () => [],
  // Read for changed rows only, by what depends on their list already.
  numbered: () => [],
  following: 'everything',
  sizes: documents,
})

const history = ({ docId }: Pick<TimelineRef, 'docId'>) => [changed.history(docId)]

/** The id of a version does not tell whose it is: reads by id depend on everything. */
export const notedVersions = noted<VersionReader>({
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
  recent: 'everything',
  contents: (refs) => refs.flatMap(history),
  packable: 'everything',
  countDocuments: 'everything',
  prunable: 'everything',
})

const attachments = (ids: readonly string[]) => ids.map(changed.attachment)

export const notedAttachments = noted<AttachmentReader>({
  byIds: attachments,
  following: 'everything',
  existing: attachments,
  archived: attachments,
  count: 'everything',
  countUntil: 'everything',
  ofDocuments: { asked: documents, found: (found) => attachments([...found.values()].flat().map(({ id }) => id)) },
  named: {
    asked: ({ ids, docIds }) => [...attachments(ids), ...documents(docIds)],
    found: ({ byDocument }) => attachments([...byDocument.values()].map(({ id }) => id)),
  },
  // Versions may use them, too.
  unused: 'everything',
  leftOver: 'unknown',
})

export const notedSettings = noted<SettingReader>({ get: (name) => [changed.setting(name)] })

/** Which pages a locale has, and where. */
const pages = (locale: Locale, ...modes: readonly Mode[]): Name[] => [
  changed.tree(locale),
  ...modes.map((mode) => changed.pages(locale, mode)),
]
const pagesOf = ({ locale, mode }: { readonly locale: Locale; readonly mode: Mode }) => pages(locale, mode)
const allPages = (locale: Locale) => pages(locale, 'draft', 'published')
const contents = (found: readonly Page[]) => found.map(({ document }) => changed.copy(document.id))

export const notedTree = noted<TreeReader>({
  position: (locale) => [changed.tree(locale)],
  nodes: allPages,
  pages: { asked: pagesOf, found: contents },
  outline: pagesOf,
  ofRows: { asked: pagesOf, found: contents },
  copiesBelow: allPages,
  takenSlugs: allPages,
  bySlugs: { asked: pagesOf, found: (page) => (page === null ? [] : contents([page])) },
  ofTypes: pagesOf,
  // It has the time of the last change of each.
  published: 'everything',
  byFormerSlugs: (locale) => [changed.formerUrls(locale)],
  countChildren: (locale, _, mode) => pages(locale, mode),
  formerUrls: (locale) => [changed.formerUrls(locale)],
})
