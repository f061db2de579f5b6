import type {
  ListedVersion,
  PreviousVersion,
  TimelineQuery,
  TimelineRef,
  Version,
  VersionFilter,
  VersionReader,
} from '../../store/store.ts'

/** How many versions a page of a list holds. */
const PAGE = 10

/** What a list shows as one item (§4.4): a version, or a run of them. Newest first, at least one. */
export interface Entry {
  readonly versions: readonly [ListedVersion, ...ListedVersion[]]
}

/** A page of a list; `next` is given as `before` to get the following one, null on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** Which page of a timeline is asked for. */
export interface PageRequest extends VersionFilter {
  readonly before?: string | undefined
  /** Runs are single items. Of no effect with a filter: what it leaves out may stand between versions of a run. */
  readonly consolidate: boolean
}

/** What a request for changes covers: versions newest first, and the version that they are compared with. */
export interface Covered {
  readonly versions: Entry['versions']
  /** Null where there is nothing to compare with: for first and restored versions. */
  readonly older: PreviousVersion | null
}

/** The version before an entry; null where it reaches the first one. */
export function beforeEntry({ versions }: Entry): PreviousVersion | null {
  return (versions.at(-1) ?? versions[0]).previous
}

/**
 * A page of a timeline (§4.4): ten versions, and more where a run or the versions of one millisecond would be split. A
 * constant number of statements, whatever the length of the timeline.
 */
export async function timelinePage(
  reader: VersionReader,
  timeline: TimelineRef,
  { before, consolidate, ...filter }: PageRequest,
): Promise<Page<Entry>> {
  const page = await pageOf((query) => reader.list(timeline, { ...filter, ...query }), before)
  if (!consolidate || Object.values(filter).some((value) => value !== undefined)) {
    return { items: page.items.map(single), next: page.next }
  }
  const versions = await withWholeRun(reader, timeline, page.items)
  const last = versions.at(-1)
  return { items: entriesOf(versions), next: last?.previous ? last.createdAt : null }
}

/** A page of any list of versions, which never ends between two of one millisecond. */
export async function pageOf<Of extends Version>(
  list: (query: TimelineQuery) => Promise<Of[]>,
  before: string | undefined,
): Promise<Page<Of>> {
  const found = await list({ before, limit: PAGE + 1 })
  const items = found.slice(0, PAGE)
  const [last, following] = [items.at(-1), found[PAGE]]
  if (last === undefined || following === undefined) return { items, next: null }
  if (following.createdAt !== last.createdAt) return { items, next: last.createdAt }
  const rest = await list({ at: last.createdAt, before: last })
  const [more] = await list({ before: last.createdAt, limit: 1 })
  return { items: [...items, ...rest], next: more ? last.createdAt : null }
}

/** Adds what belongs to the run that the last version is part of, and to its millisecond, until nothing is split. */
async function withWholeRun(
  reader: VersionReader,
  timeline: TimelineRef,
  page: readonly ListedVersion[],
): Promise<ListedVersion[]> {
  const versions = [...page]
  for (let isWhole = false; !isWhole; ) {
    const last = versions.at(-1)
    if (last === undefined) break
    const rest = await restOfRun(reader, versions, last)
    const oldest = rest.at(-1) ?? last
    const ties = rest.length === 0 ? [] : await reader.list(timeline, { at: oldest.createdAt, before: oldest })
    versions.push(...rest, ...ties)
    isWhole = ties.length === 0
  }
  return versions
}

async function restOfRun(
  reader: VersionReader,
  versions: readonly ListedVersion[],
  last: ListedVersion,
): Promise<ListedVersion[]> {
  if (!canBeInRun(last) || last.previous === null) return []
  const { end, isMixed } = await reader.olderStretch(last)
  const isRun = isMixed || (stretchesOf(versions).at(-1) ?? []).some(({ ai }) => ai !== last.ai)
  return isRun ? reader.list(last, { before: last, ...(end && { after: end }) }) : []
}

/** Adjacent versions as items: a stretch of drafts by one author is one when AI saved some of them, and not all. */
export function entriesOf(versions: readonly ListedVersion[]): Entry[] {
  return stretchesOf(versions).flatMap((stretch) => {
    const isRun = stretch.some(({ ai }) => ai !== stretch[0].ai)
    return isRun ? [{ versions: stretch }] : stretch.map(single)
  })
}

type Stretch = [ListedVersion, ...ListedVersion[]]

/** Versions by adjacent drafts of one author; published and restored ones stand alone. */
function stretchesOf(versions: readonly ListedVersion[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const version of versions) {
    const stretch = stretches.at(-1)
    if (stretch && continuesStretch(version, stretch[0])) stretch.push(version)
    else stretches.push([version])
  }
  return stretches
}

function continuesStretch(version: Version, newer: Version): boolean {
  return canBeInRun(version) && canBeInRun(newer) && version.authorId === newer.authorId
}

function canBeInRun({ mode, restoredFrom }: Version): boolean {
  return mode === 'draft' && restoredFrom === null
}

function single(version: ListedVersion): Entry {
  return { versions: [version] }
}

/**
 * The versions that a request for the changes of one covers: itself, or the run of which it is the newest. At most four
 * statements.
 */
export async function coveredBy(
  reader: VersionReader,
  version: ListedVersion,
  { consolidate }: { readonly consolidate: boolean },
): Promise<Covered> {
  const rest =
    consolidate && (await isNewestOfStretch(reader, version)) ? await restOfRun(reader, [version], version) : []
  const entry = { versions: [version, ...rest] } as const
  return { ...entry, older: version.restoredFrom === null ? beforeEntry(entry) : null }
}

async function isNewestOfStretch(reader: VersionReader, version: ListedVersion): Promise<boolean> {
  if (!canBeInRun(version)) return false
  const newer = await reader.following(version)
  return newer === null || !continuesStretch(version, newer)
}
