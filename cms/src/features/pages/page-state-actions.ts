import type { Action } from '../../engine/permissions.ts'

/**
 * The sub-routes of a page that take no body (§4.2 publish, §3.3), by the last step of their path, and what they take.
 */
export const PAGE_STATE_ACTIONS = {
  publish: 'publish',
  unpublish: 'publish',
  'revert-draft-to-published': 'editDraft',
  'revert-published-to-previous': 'publish',
} as const satisfies Record<string, Action>

/** The last step of a path that changes a page's state. */
export type PageStateVerb = keyof typeof PAGE_STATE_ACTIONS
