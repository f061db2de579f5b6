import { type JsonObject, pick } from '../../base/json.ts'
import { pauses } from '../../base/turns.ts'
import type { Change } from '../../model/changes/content-change.ts'
import { ChangesByPlace } from '../../model/changes/touched.ts'
import type { Content } from '../../model/declared/types.ts'
import { openValues } from '../../model/terms/document.ts'
import { propertyNames } from '../../model/values/walk.ts'
import type { Proposal, ProposedContents } from '../../store/contract/store.ts'
import type { Viewer } from '../permissions.ts'
import { seenContent } from '../values/seen-content.ts'
import { changesBetween } from '../versions/changes-of.ts'
import type { FoundProposal } from './proposal-access.ts'

/** The changes of a proposal that somebody sees, and what has happened to their places since. */
export interface ProposedChanges {
  readonly changes: readonly Change[]
  readonly older: Content
  readonly newer: Content
  /** The changes that others made of a place since the proposal was made: of it, above or below; none where it is as it was. */
  since(key: string): readonly Change[]
}

const NOTHING: ProposedChanges['since'] = () => []

/**
 * Compares the draft as it was with the draft as it would be, and with the draft as it is, as far as the caller sees
 * them. Null where the site no longer has the type, or the caller may not see it.
 */
export async function proposedChanges(
  viewer: Viewer,
  { proposal, draft, type }: FoundProposal,
  { base, proposed }: ProposedContents,
): Promise<ProposedChanges | null> {
  const pause = pauses()
  const older = type && seenContent(viewer, proposal.type, base)
  await pause()
  const newer = type && seenContent(viewer, proposal.type, proposed)
  if (!older || !newer) return null
  await pause()
  const changes = await changesBetween(viewer, { older, newer })
  if (draft?.type !== proposal.type) return { changes, older, newer, since: NOTHING }
  const now = seenContent(viewer, draft.type, within(newer, [base, proposed], openValues(draft)))
  await pause()
  return { changes, older, newer, since: sinceIn(await changesBetween(viewer, { older, newer: now }), proposal) }
}

/** The values of a draft under the fields that a proposal names. */
function within({ type }: Content, contents: readonly ProposedContents['base'][], values: JsonObject): JsonObject {
  const given = new Set(contents.flatMap((fields) => Object.keys(openValues({ fields }))))
  const names = type.fields.list.map(propertyNames).filter((some) => some.some((name) => given.has(name)))
  return pick(values, names.flat())
}

/** The changes that others made; accepted rows of the proposal itself are none. */
function sinceIn(all: readonly Change[], { decisions }: Proposal): ProposedChanges['since'] {
  const isOwn = (key: string) => Object.hasOwn(decisions, key) && decisions[key]?.result !== 'refused'
  const changes = new ChangesByPlace(all.filter(({ key }) => !isOwn(key)))
  return (key) => changes.near(key)
}
