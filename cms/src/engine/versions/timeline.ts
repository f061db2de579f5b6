import type {
  ListedVersion,
  PreviousVersion,
  Save,
  TimelineQuery,
  TimelineRef,
  Version,
  VersionFilter,
  VersionReader,
} from '../../store/contract/store.ts'

/** How many versions a page of a list holds. */
const PAGE = 10

/** An item of a version list (§4.4): a version, or a run of them. */
export interface Entry {
  readonly newest: ListedVersion
  /** All of its versions, newest first. */
  readonly saves: readonly Save[]
  /** The version that it is compared with; null for first and restored ones. */
  readonly older: PreviousVersion | null
}

/** A page of a list; `next` is given as `before` to get the following one, null on the last page. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** Selects a page of a timeline. */
interface PageRequest extends VersionFilter {
  readonly before?: string | undefined
  /** Runs are single items. Of no effect with a filter: what it leaves out may stand between versions of a run. */
  readonly consolidate: boolean
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
  return withWholeRuns(reader, timeline, page.items)
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

/**
 * Versions as items, with all of the run that the last one is part of, and of its millisecond, until nothing is split.
 */
async function withWholeRuns(
  reader: VersionReader,
  timeline: TimelineRef,
  page: readonly ListedVersion[],
): Promise<Page<Entry>> {
  const items: Entry[] = []
  for (let versions = page; ; ) {
    const stretches = stretchesOf(versions)
    const [last] = stretches.splice(-1)
    items.push(...stretches.flatMap(entriesOf))
    if (last === undefined) return { items, next: null }
    const rest = await restOfRun(reader, last)
    items.push(...(rest ? [runOf(last, rest)] : entriesOf(last)))
    const oldest = rest?.oldest ?? last.at(-1) ?? last[0]
    const ties = rest ? await reader.list(timeline, { at: oldest.createdAt, before: oldest }) : []
    if (ties.length === 0) return { items, next: oldest.previous && oldest.createdAt }
    versions = ties
  }
}

/** The older part of a run, which may be thousands of versions: only the oldest is read with its content. */
interface RestOfRun {
  readonly saves: readonly Save[]
  readonly oldest: ListedVersion
}

async function restOfRun(reader: VersionReader, newest: Stretch): Promise<RestOfRun | null> {
  const last = newest.at(-1)
  if (!last || !canBeInRun(last) || last.previous === null) return null
  const { end, isMixed } = await reader.olderStretch(last)
  if (!isMixed && !isRun(newest)) return null
  const saves = await reader.saves(last, { before: last, ...(end && { after: end }) })
  const oldest = saves.at(-1)
  const listed = oldest ? await reader.listed(oldest.id) : null
  return listed && { saves, oldest: listed }
}

/** A stretch of drafts by one author is one item when AI saved some of them, and not all. */
function entriesOf(stretch: Stretch): Entry[] {
  return isRun(stretch) ? [runOf(stretch, { saves: [], oldest: stretch.at(-1) ?? stretch[0] })] : stretch.map(single)
}

function runOf(newest: Stretch, { saves, oldest }: RestOfRun): Entry {
  return { newest: newest[0], saves: [...newest, ...saves], older: oldest.previous }
}

function isRun(stretch: Stretch): boolean {
  return stretch.some(({ ai }) => ai !== stretch[0].ai)
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

/** A version as an item of its own. */
export function single(newest: ListedVersion): Entry {
  return { newest, saves: [newest], older: newest.restoredFrom === null ? newest.previous : null }
}

/** Returns the entry of a version: itself, or the run of which it is the newest. At most four statements. */
export async function coveredBy(
  reader: VersionReader,
  version: ListedVersion,
  { consolidate }: { readonly consolidate: boolean },
): Promise<Entry> {
  const rest = consolidate && (await isNewestOfStretch(reader, version)) ? await restOfRun(reader, [version]) : null
  return rest ? runOf([version], rest) : single(version)
}

async function isNewestOfStretch(reader: VersionReader, version: ListedVersion): Promise<boolean> {
  if (!canBeInRun(version)) return false
  const newer = await reader.following(version)
  return newer === null || !continuesStretch(version, newer)
}
