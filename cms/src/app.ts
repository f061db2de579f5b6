import type { Log } from './base/log.ts'
import type { Actor, Context } from './engine/context.ts'
import type { Role } from './model/roles.ts'
import type { Site } from './model/types.ts'
import type { Store } from './store/store.ts'

/** What depends on the machine and not on the site. */
export interface AppOptions {
  /** `sqlite:data/quire.db`, a file path, or `postgres://…`. */
  readonly database: string
  /** API keys of the environment, beside those in the database. */
  readonly keys?: readonly EnvironmentKey[]
  readonly log?: Log
  readonly poolSize?: number
  readonly synchronous?: 'normal' | 'full'
  /** Bytes of answers kept in memory. */
  readonly cacheBytes?: number
  /** Called for every statement sent to the database. */
  readonly onStatement?: (sql: string) => void
}

export interface EnvironmentKey {
  readonly key: string
  readonly role: Role
  readonly name: string
  readonly ai?: boolean
}

/** A running service. */
export interface App {
  readonly site: Site
  readonly store: Store
  /** A context for work in this process; who acts is always said. */
  context(actor: Actor): Context
  /** Listens, and answers the address: `http://localhost:3000`. */
  listen(port: number, host?: string): Promise<string>
  close(): Promise<void>
}
