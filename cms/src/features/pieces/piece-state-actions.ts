import type { Action } from '../../engine/permissions.ts'

/** The changes of a piece's state (§4.1 publish, §3.3, §3.5), by the last step of their path, and what they take. */
export const STATE_ACTIONS = {
  publish: 'publish',
  unpublish: 'publish',
  'revert-draft-to-published': 'editDraft',
  'revert-published-to-previous': 'publish',
  archive: 'archive',
  restore: 'archive',
  localize: 'editDraft',
} as const satisfies Record<string, Action>

/** The last step of a path that changes a state. */
export type StateVerb = keyof typeof STATE_ACTIONS
