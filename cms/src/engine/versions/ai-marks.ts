import { inTurns, waitForTurn } from '../../base/turns.ts'
import { compareContents } from '../../model/changes/compare-contents.ts'
import type { Ai, Change } from '../../model/changes/content-change.ts'
import { HeldKeys, TouchedKeys } from '../../model/changes/touched.ts'
import type { ContentRef, Save } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { type ContentPair, withContents } from './open-contents.ts'
import { coveredBy, type Entry } from './timeline.ts'

/** How AI took part in each of the changes of an answer. */
export type AiOf = (change: Pick<Change, 'key'>) => Ai

/** The entry that a request for changes covers, with its saves. */
export interface Attributed extends Entry {
  /** Whether entries before them are runs; null when what was before does not count. */
  readonly before: { readonly consolidate: boolean } | null
  /** The saves are all that there were, and the changes all that the document holds: what the first one held is its own. */
  readonly isWhole?: true
}

/**
 * Returns the part that AI had in changes (§2.5 `ai`): `changed` where AI made the last save with the change;
 * `assisted` where a person did after AI: earlier in the run, in the entry before it, or in a first version. Contents
 * are read as far as needed, newest first, and not at all for saves by AI alone.
 */
export async function aiMarksOf(ctx: Context, covered: Attributed, changes: readonly Change[]): Promise<AiOf> {
  const marks = new Map<string, Ai>()
  const open = new Set(changes.map(({ key }) => key))
  const attribute = (key: string, ai: Ai) => {
    marks.set(key, ai)
    open.delete(key)
  }
  const stretches = stretchesOf(covered.saves)
  await attributeStretches(ctx, stretches, { open, attribute })
  if (open.size > 0 && covered.isWhole) await attributeWhole(ctx, covered, { open, attribute })
  else if (open.size > 0) await attributeBefore(ctx, covered, { open, attribute })
  return ({ key }) => marks.get(key) ?? false
}

/** Changes that are not attributed yet. */
interface Unattributed {
  readonly open: ReadonlySet<string>
  attribute(key: string, ai: Ai): void
}

/**
 * Neighbouring saves that were all by AI, or all by people: what changed and changed back among them does not count.
 */
interface Stretch {
  readonly ai: boolean
  /** Its newest and its oldest save. */
  readonly newest: string
  readonly oldest: string
  /** Saves by people since then were left out: they may have changed the same. */
  readonly isBeforeGap: boolean
  /** Of a save that accepts a proposal: where a person has changed what AI proposed. */
  readonly assisted?: TouchedKeys
}

/** Stretches that are read at most. Those of AI count, those of people are left out, when there are more. */
const MOST_STRETCHES = 400
const MOST_OF_PEOPLE = MOST_STRETCHES / 2

async function attributeStretches(
  ctx: Context,
  stretches: readonly Stretch[],
  { open, attribute }: Unattributed,
): Promise<void> {
  const isByPeople = stretches.every(({ ai }) => !ai)
  const isByAi = stretches.every(({ ai, isBeforeGap, assisted }) => ai && !isBeforeGap && !assisted)
  if (isByPeople) return
  if (isByAi) for (const key of [...open]) attribute(key, 'changed')
  const byPeople = new Set<string>()
  const isNeeded = ({ ai }: Stretch) => ai || [...open].some((key) => !byPeople.has(key))
  await compareStretches(ctx, open.size > 0 ? stretches : [], isNeeded, ({ ai, isBeforeGap, assisted }, touched) => {
    for (const key of [...open].filter((one) => touched.has(one))) {
      const isAssisted = isBeforeGap || byPeople.has(key) || assisted?.has(key)
      if (ai) attribute(key, isAssisted ? 'assisted' : 'changed')
      else byPeople.add(key)
    }
    return open.size > 0
  })
}

/** Stretches of saves, newest first. What is too long ago counts as one, if AI took part in it. */
function stretchesOf(saves: readonly Save[]): Stretch[] {
  const stretches: Stretch[] = []
  let [isGap, isBeforeGap] = [false, false]
  for (const [index, { id, ai, proposal }] of saves.entries()) {
    const last = stretches.at(-1)
    const assisted = proposal?.assisted.length ? { assisted: new TouchedKeys(proposal.assisted) } : {}
    const isAlike = last?.ai === ai && !last.assisted && !assisted.assisted
    if (isAlike && !isGap) stretches[stretches.length - 1] = { ...last, oldest: id }
    else if (stretches.length === MOST_STRETCHES) return [...stretches, ...restOf(saves.slice(index))]
    else {
      isGap = !ai && stretches.length >= MOST_OF_PEOPLE
      isBeforeGap ||= isGap
      if (!isGap) stretches.push({ ai, newest: id, oldest: id, isBeforeGap, ...assisted })
    }
  }
  return stretches
}

function restOf(saves: readonly Save[]): Stretch[] {
  const [newest, oldest] = [saves[0], saves.at(-1)]
  if (!newest || !oldest || !saves.some(({ ai }) => ai)) return []
  return [{ ai: true, newest: newest.id, oldest: oldest.id, isBeforeGap: true }]
}

/** A stretch with what was before it; one that begins with the first version is compared with that. */
interface StretchContents extends Stretch, ContentPair {}

async function contentsOf({ store }: Context, stretches: readonly Stretch[]): Promise<StretchContents[]> {
  const versions = await store.versions.listedOf(stretches.flatMap(({ newest, oldest }) => [newest, oldest]))
  return stretches.flatMap((stretch) => {
    const [newest, oldest] = [versions.get(stretch.newest), versions.get(stretch.oldest)]
    if (!newest || !oldest || (newest === oldest && oldest.previous === null)) return []
    return [{ ...stretch, newer: newest.content, older: oldest.previous?.content ?? oldest.content }]
  })
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
  const compared = await contentsOf(ctx, stretches)
  let goesOn = true
  for (let start = 0, count = FIRST_READ; goesOn && start < compared.length; start += count, count *= 2) {
    const some = compared.slice(start, start + count).filter(isNeeded)
    await withContents(ctx, some, async (stretch, open) => {
      if (!goesOn || !isNeeded(stretch)) return
      await waitForTurn()
      const [newer, older] = [open(stretch.newer), open(stretch.older)]
      if (newer && older) {
        const changes = (await inTurns(compareContents(ctx.site, older, newer)))?.result ?? []
        goesOn = work(stretch, new TouchedKeys(changes.map(({ key }) => key)))
      }
    })
  }
}

/** Attributes what people have changed, and AI before them: in the entry just before, or in a first version. */
async function attributeBefore(
  ctx: Context,
  { newest, older, before }: Attributed,
  unattributed: Unattributed,
): Promise<void> {
  const { open, attribute } = unattributed
  const { versions } = ctx.store
  if (before === null || older === null) return
  const last = await versions.listed(older.id)
  if (last?.restoredFrom === null) {
    const entry = await coveredBy(versions, last, before)
    const byAi = stretchesOf(entry.saves).filter(({ ai }) => ai)
    await compareStretches(
      ctx,
      byAi,
      () => true,
      (_, touched) => {
        for (const key of [...open].filter((one) => touched.has(one))) attribute(key, 'assisted')
        return open.size > 0
      },
    )
  }
  const first = open.size > 0 ? await versions.first(newest) : null
  if (first?.ai) await attributeFirst(ctx, first.content, unattributed)
}

async function attributeFirst(ctx: Context, content: ContentRef, { open, attribute }: Unattributed): Promise<void> {
  await withContents(ctx, [{ older: content, newer: content }], (_, read) => {
    const seen = read(content)
    if (seen === null) return
    const held = new HeldKeys(seen.type.fields, seen.fields)
    for (const key of [...open].filter((one) => held.has(one))) attribute(key, 'assisted')
  })
}

/** Attributes what the first save held to AI, if that was by it: `changed` where it is still as it was then. */
async function attributeWhole(ctx: Context, { newest }: Attributed, { open, attribute }: Unattributed): Promise<void> {
  const first = await ctx.store.versions.first(newest)
  if (!first?.ai) return
  await withContents(ctx, [{ older: first.content, newer: newest.content }], async (pair, read) => {
    const [then, now] = [read(pair.older), read(pair.newer)]
    if (then === null || now === null) return
    const held = new HeldKeys(then.type.fields, then.fields)
    const changes = (await inTurns(compareContents(ctx.site, then, now)))?.result ?? []
    const touched = new TouchedKeys(changes.map(({ key }) => key))
    for (const key of [...open].filter((one) => held.has(one)))
      attribute(key, touched.has(key) ? 'assisted' : 'changed')
  })
}
