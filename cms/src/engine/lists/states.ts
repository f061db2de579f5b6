import { invalid } from '../../base/errors.ts'
import type { PublishingState } from '../../model/terms/document-id.ts'
import type { Condition } from '../../store/contract/store.ts'

/** The states of documents (§4.1), in the order of their lives. */
export const STATES = ['draft', 'modified', 'published', 'archived'] as const satisfies readonly PublishingState[]

/** Reads the states that a list is filtered by, several with commas or as a list; null without any. Throws `invalid`. */
export function readStates(texts: readonly string[] | undefined): readonly PublishingState[] | null {
  const names = [...new Set((texts ?? []).flatMap((text) => text.split(',')).filter((name) => name !== ''))]
  if (names.length === 0) return null
  return names.map((name) => {
    const state = STATES.find((one) => one === name)
    if (state !== undefined) return state
    throw invalid(`state is ${STATES.join(', ')}, or several of them with commas.`)
  })
}

/** Whether a list by these states holds archived documents, where the request does not say so. */
export function archivedIn(states: readonly PublishingState[] | null): boolean | 'any' {
  if (!states?.includes('archived')) return false
  return states.length === 1 ? true : 'any'
}

/** The conditions of a list by states and by who saved last, by parameter. Throws `invalid`. */
export function stateFilters(
  states: readonly PublishingState[] | null,
  updatedBy: readonly string[] | undefined,
): ReadonlyMap<string, Condition> {
  const filters = new Map<string, Condition>()
  if (states !== null) filters.set('state', { kind: 'state', anyOf: states })
  if (updatedBy === undefined) return filters
  if (updatedBy.some((id) => id.length > LONGEST_ID)) throw invalid('updatedBy takes the _id of a user or a key.')
  return filters.set('updatedBy', { kind: 'updatedBy', anyOf: updatedBy })
}

const LONGEST_ID = 100
