import type { DocId, Locale, Mode } from '../model/document.ts'
import { changed } from './changes.ts'
import { currentSources } from './sources.ts'
import type {
  ClosedContent,
  ContentRef,
  ListedVersion,
  OlderStretch,
  PackableContents,
  Prunable,
  PrunableVersions,
  RecentQuery,
  RecentVersion,
  Save,
  StoredVersion,
  TimelineQuery,
  TimelineRef,
  Version,
  VersionFilter,
  VersionReader,
} from './store.ts'

/** Reads versions, and notes whose. What is asked for by the id of a version alone may be anybody's. */
export class NotedVersionReader implements VersionReader {
  readonly #reader: VersionReader

  constructor(reader: VersionReader) {
    this.#reader = reader
  }

  get(id: string): Promise<StoredVersion | null> {
    currentSources()?.noteEverything()
    return this.#reader.get(id)
  }

  listed(id: string): Promise<ListedVersion | null> {
    currentSources()?.noteEverything()
    return this.#reader.listed(id)
  }

  listedOf(ids: readonly string[]): Promise<ReadonlyMap<string, ListedVersion>> {
    currentSources()?.noteEverything()
    return this.#reader.listedOf(ids)
  }

  newest(timeline: TimelineRef): Promise<Version | null> {
    noteHistory(timeline)
    return this.#reader.newest(timeline)
  }

  first(timeline: TimelineRef): Promise<ListedVersion | null> {
    noteHistory(timeline)
    return this.#reader.first(timeline)
  }

  newestUntil(
    docId: DocId,
    locale: Locale,
    of: { readonly until: string; readonly mode: Mode },
  ): Promise<StoredVersion | null> {
    noteHistory({ docId })
    return this.#reader.newestUntil(docId, locale, of)
  }

  publication(timeline: TimelineRef): Promise<Version | null> {
    noteHistory(timeline)
    return this.#reader.publication(timeline)
  }

  publicationBefore(publication: Version): Promise<StoredVersion | null> {
    noteHistory(publication)
    return this.#reader.publicationBefore(publication)
  }

  list(timeline: TimelineRef, query?: TimelineQuery): Promise<ListedVersion[]> {
    noteHistory(timeline)
    return this.#reader.list(timeline, query)
  }

  saves(timeline: TimelineRef, query: TimelineQuery): Promise<Save[]> {
    noteHistory(timeline)
    return this.#reader.saves(timeline, query)
  }

  count(timeline: TimelineRef, filter: VersionFilter): Promise<number> {
    noteHistory(timeline)
    return this.#reader.count(timeline, filter)
  }

  following(version: Version): Promise<Version | null> {
    noteHistory(version)
    return this.#reader.following(version)
  }

  olderStretch(version: Version): Promise<OlderStretch> {
    noteHistory(version)
    return this.#reader.olderStretch(version)
  }

  recent(query: RecentQuery): Promise<RecentVersion[]> {
    currentSources()?.noteEverything()
    return this.#reader.recent(query)
  }

  contents(refs: readonly ContentRef[]): Promise<ClosedContent[]> {
    for (const ref of refs) noteHistory(ref)
    return this.#reader.contents(refs)
  }

  packable(after: number, limit: number): Promise<PackableContents> {
    currentSources()?.noteEverything()
    return this.#reader.packable(after, limit)
  }

  countDocuments(): Promise<number> {
    currentSources()?.noteEverything()
    return this.#reader.countDocuments()
  }

  prunable(prunable: Prunable, after: DocId, documents: number): Promise<PrunableVersions> {
    currentSources()?.noteEverything()
    return this.#reader.prunable(prunable, after, documents)
  }
}

function noteHistory({ docId }: Pick<TimelineRef, 'docId'>): void {
  currentSources()?.note(changed.history(docId))
}
