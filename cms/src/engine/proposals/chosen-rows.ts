import { conflict, invalid, invalidFields, invalidValue, type Problem } from '../../base/errors.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { Proposal, RowDecision } from '../../store/contract/store.ts'
import type { Chosen } from './proposal-bodies.ts'
import type { ProposedChanges } from './proposed-changes.ts'

/** The rows that nobody has decided about yet. */
export function openRows({ decisions }: Proposal, seen: ProposedChanges | null): readonly Change[] {
  return seen?.changes.filter(({ key }) => !Object.hasOwn(decisions, key)) ?? []
}

/** The rows that are named, which must be open. */
export function namedRows(
  keys: readonly string[],
  seen: ProposedChanges | null,
  { decisions }: Proposal,
): readonly Change[] {
  const byKey = new Map(seen?.changes.map((change) => [change.key, change]))
  const unknown = keys.flatMap((key, index) => (byKey.has(key) ? [] : [noRow(`rows.${index}`, key)]))
  if (unknown.length > 0) throw invalidFields(unknown)
  const decided = keys.find((key) => Object.hasOwn(decisions, key))
  if (decided !== undefined) throw rowDecided(decided, decisions[decided])
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

function rowDecided(key: string, decision: RowDecision | undefined): Error {
  const result = decision?.result === 'refused' ? 'refused' : 'accepted'
  const by = decision?.by ?? ''
  return conflict(`${by} has ${result} this change already. Read the proposal again.`, { key, by, state: result })
}

/** The rows that are accepted. Throws `invalid`, and `conflict` where nothing is open or all has changed meanwhile. */
export function rowsToTake(
  proposal: Proposal,
  seen: ProposedChanges | null,
  { rows, values }: Chosen,
): readonly Change[] {
  if (rows !== null) {
    if (rows.length === 0) throw invalid('Name at least one row, or leave rows out to accept all.')
    return stillDeclared(namedRows(rows, seen, proposal))
  }
  const open = openRows(proposal, seen).filter((change) => !isUndeclared(change))
  if (open.length === 0) throw conflict('Nothing of this proposal is open for you. Read it again.')
  const taken = open.filter(({ key }) => values.has(key) || seen?.since(key).length === 0)
  if (taken.length === 0) {
    const keys = open.map(({ key }) => key)
    throw conflict('All of this has changed in the draft meanwhile. Accept rows by their keys.', { rows: keys })
  }
  return taken
}

/** Rows of fields that the site no longer declares can be refused only. */
function stillDeclared(rows: readonly Change[]): readonly Change[] {
  const undeclared = rows.flatMap((change, index) => {
    return isUndeclared(change)
      ? [invalidValue(`rows.${index}`, 'The site no longer has this field: refuse the row.')]
      : []
  })
  if (undeclared.length > 0) throw invalidFields(undeclared)
  return rows
}

function isUndeclared({ field, order, kind }: Change): boolean {
  return field === null && order === undefined && kind !== 'widget' && kind !== 'arrayItem'
}

/** Other values are given for values, not for items that come, go or move. */
export function assertValuesFit(taken: readonly Change[], values: Chosen['values']): void {
  const byKey = new Map(taken.map((change) => [change.key, change]))
  const problems = [...values.keys()].flatMap((key) => {
    const change = byKey.get(key)
    if (!change) return [noRow(`values.${key}`, key)]
    const isValue = change.order === undefined && change.field !== null
    return isValue
      ? []
      : [invalidValue(`values.${key}`, 'This row is no value: accept it, and change the draft after that.')]
  })
  if (problems.length > 0) throw invalidFields(problems)
}

function noRow(path: string, key: string): Problem {
  return { path, name: 'unknown', message: `The proposal has no row ${key.slice(0, 200)}.` }
}
