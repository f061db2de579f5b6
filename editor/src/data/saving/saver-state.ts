import type { Failure } from '../failure.ts'

/** The state of saving, as the bar shows it. */
export type SaverState =
  /** Everything is stored; `at` is when this tab last stored something, in milliseconds since 1970. */
  | { readonly kind: 'saved'; readonly at: number | null }
  /** Said only of what takes longer than 400 ms. */
  | { readonly kind: 'saving' }
  /** It is tried again by itself; after `signIn` once the same user has signed in. */
  | { readonly kind: 'waiting'; readonly reason: WaitReason; readonly failure: Failure }
  /** It is tried again when something changes, or when somebody asks for it. Of `invalid` fields the others are stored. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Fields that somebody else changed, too, wait for a decision; the others are stored. */
  | { readonly kind: 'conflict' }

export type WaitReason = 'offline' | 'busy' | 'signIn'

export function reasonOf({ name }: Failure): WaitReason {
  if (name === 'unauthorized') return 'signIn'
  return name === 'offline' || name === 'timeout' ? 'offline' : 'busy'
}

/** The document is gone, or may not be changed any more: saves are tried only where somebody asks for one. */
export function isStuck(state: SaverState): state is Extract<SaverState, { kind: 'failed' }> {
  return state.kind === 'failed' && (state.failure.name === 'notfound' || state.failure.name === 'forbidden')
}
