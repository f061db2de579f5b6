import type { Log } from '../base/log.ts'
import type { Locale, Mode } from '../model/document.ts'
import type { Role } from '../model/roles.ts'
import type { Site } from '../model/types.ts'
import type { Store, StoreWriter } from '../store/store.ts'
import type { HookRunner } from './hooks.ts'

/** Who asks. Never null: code without an actor does not compile, and there is no trusted default. */
export type Actor =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user' | 'key'
      readonly id: string
      readonly role: Role
      readonly name: string
      readonly username: string | null
      readonly firstName: string
      readonly lastName: string
      /** Every save is marked as AI-written (decisions, AI marks). */
      readonly ai: boolean
      /** Writes go to the draft, and nothing is published. */
      readonly draftsOnly: boolean
    }
  /** Bears the external front-end key. */
  | { readonly kind: 'frontend' }
  /** The command line, and the service itself at start. */
  | { readonly kind: 'operator' }

/** Who asks, for which locale and mode, with what at hand. Always the first argument. */
export interface Context {
  readonly site: Site
  readonly store: Store
  readonly actor: Actor
  /** What the request asks for, before an id says otherwise. */
  readonly locale: Locale
  readonly mode: Mode
  /** What the query named itself: it outweighs an id. */
  readonly asked: { readonly locale: Locale | null; readonly mode: Mode | null }
  readonly hooks: HookRunner
  readonly now: () => Date
  readonly log: Log
}

/** A context inside a transaction. Only `write` makes one, so nothing can be saved outside of it. */
export interface WriteContext extends Context {
  readonly tx: StoreWriter
  /** 1 at first; higher when the work is done again because a slug was taken meanwhile: then look before writing. */
  readonly attempt: number
  /** Runs after the transaction is committed; what fails there is logged, and refuses nothing. */
  afterCommit(work: () => Promise<void> | void): void
}
