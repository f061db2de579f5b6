import { turnToBlock } from '../../base/turns.ts'
import type { Ai, Change } from '../../model/changes/change.ts'
import { compareContents } from '../../model/changes/compare-contents.ts'
import { HeldKeys, TouchedKeys } from '../../model/changes/touched.ts'
import type { ContentRef, ListedVersion } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { type ContentPair, withContents } from './seen-content.ts'
import { type Covered, coveredBy } from './timeline.ts'

/** How AI took part in each of the changes of an answer. */
export type AiOf = (change: Pick<Change, 'key'>) => Ai

/** What a request for changes covers, and how: whether runs count as one version. */
export interface Attributed extends Covered {
  readonly consolidate: boolean
}

/**
 * How AI took part in changes (§2.5 `ai`): `changed` where the last save that made the change was by AI; `assisted`
 * where a person made it after AI had changed the same: earlier in the run, in the entry just before it, or in a first
 * version that was saved with AI. What AI saved itself costs nothing. Otherwise contents are read as far as they are
 * needed, newest first.
 */
export async function aiMarksOf(ctx: Context, covered: Attributed, changes: readonly Change[]): Promise<AiOf> {
  const marks = new Map<string, Ai>()
  const open = new Set(changes.map(({ key }) => key))
  const settle = (key: string, ai: Ai) => {
    marks.set(key, ai)
    open.delete(key)
  }
  if (covered.older !== null) {
    await attributeRun(ctx, covered, { open, settle })
    if (open.size > 0) await attributeBefore(ctx, covered, { open, settle })
  }
  return ({ key }) => marks.get(key) ?? false
}

/** Changes that are not settled yet. */
interface Unsettled {
  readonly open: ReadonlySet<string>
  settle(key: string, ai: Ai): void
}

/** Neighbouring saves that were all by AI, or all by people: what changed and changed back among them does not count. */
interface Stretch extends ContentPair {
  readonly ai: boolean
  /** They are too many to be told apart: some by AI, some by people. */
  readonly isMixed: boolean
}

/** Stretches of a run that are told apart at most: all that is older counts as one. */
const MOST_STRETCHES = 200

async function attributeRun(ctx: Context, covered: Attributed, { open, settle }: Unsettled): Promise<void> {
  const stretches = stretchesOf(covered.versions)
  const [only] = stretches
  if (only && stretches.length === 1) {
    if (only.ai) for (const key of [...open]) settle(key, 'changed')
    return
  }
  const byPeople = new Set<string>()
  const isNeeded = ({ ai }: Stretch) => ai || [...open].some((key) => !byPeople.has(key))
  await compareStretches(ctx, stretches, isNeeded, ({ ai, isMixed }, touched) => {
    for (const key of [...open].filter((one) => touched.has(one))) {
      if (ai) settle(key, isMixed || byPeople.has(key) ? 'assisted' : 'changed')
      else byPeople.add(key)
    }
    return open.size > 0
  })
}

function stretchesOf(versions: readonly ListedVersion[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { ai, content: newer, previous } of versions) {
    if (previous === null) break
    const last = stretches.at(-1)
    const older = previous.content
    const isFull = stretches.length === MOST_STRETCHES
    if (last && (last.ai === ai || isFull))
      stretches[stretches.length - 1] = { ...last, older, ai: last.ai || ai, isMixed: last.isMixed || last.ai !== ai }
    else stretches.push({ ai, isMixed: false, newer, older })
  }
  return stretches
}

/** How many stretches are read in the first statement; in each further one twice as many. */
const FIRST_READ = 8

/** Compares stretches, the newest first, until `work` says that no more are needed. */
async function compareStretches(
  ctx: Context,
  stretches: readonly Stretch[],
  isNeeded: (stretch: Stretch) => boolean,
  work: (stretch: Stretch, touched: TouchedKeys) => boolean,
): Promise<void> {
  let goesOn = true
  for (let start = 0, count = FIRST_READ; goesOn && start < stretches.length; start += count, count *= 2) {
    const some = stretches.slice(start, start + count).filter(isNeeded)
    await withContents(ctx, some, async (stretch, open) => {
      if (!goesOn || !isNeeded(stretch)) return
      await turnToBlock()
      const [newer, older] = [open(stretch.newer), open(stretch.older)]
      if (newer && older) {
        goesOn = work(stretch, new TouchedKeys(compareContents(ctx.site, older, newer).map(({ key }) => key)))
      }
    })
  }
}

/** What people have changed, and AI before them: in the entry just before, or in a first version. */
async function attributeBefore(ctx: Context, covered: Attributed, unsettled: Unsettled): Promise<void> {
  const { open, settle } = unsettled
  const { versions } = ctx.store
  const oldest = covered.versions.at(-1) ?? covered.versions[0]
  const [before] = await versions.list(oldest, { before: oldest, limit: 1 })
  if (before && before.restoredFrom === null) {
    const entry = await coveredBy(versions, before, { consolidate: covered.consolidate })
    await compareStretches(
      ctx,
      stretchesOf(entry.versions).filter(({ ai }) => ai),
      () => true,
      (_, touched) => {
        for (const key of [...open].filter((one) => touched.has(one))) settle(key, 'assisted')
        return open.size > 0
      },
    )
  }
  const first = open.size > 0 ? await versions.first(oldest) : null
  if (first?.ai) await attributeFirst(ctx, first.content, unsettled)
}

async function attributeFirst(ctx: Context, content: ContentRef, { open, settle }: Unsettled): Promise<void> {
  await withContents(ctx, [{ older: content, newer: content }], (_, read) => {
    const seen = read(content)
    if (seen === null) return
    const held = new HeldKeys(seen.type.fields, seen.fields)
    for (const key of [...open].filter((one) => held.has(one))) settle(key, 'assisted')
  })
}
