import type { Log } from './base/log.ts'
import type { EnvironmentKey } from './engine/access/authenticate.ts'
import type { Context } from './engine/context.ts'
import type { Actor } from './engine/permissions.ts'
import type { Capacity } from './http/load.ts'
import type { Route } from './http/route.ts'
import type { Timeouts } from './http/sockets.ts'
import type { Site } from './model/types.ts'
import type { Store } from './store/store.ts'

/** What depends on the machine and not on the site. */
export interface AppOptions {
  /** `sqlite:data/quire.db`, a file path, or `postgres://…`. */
  readonly database: string
  /** API keys of the environment, beside those in the database. */
  readonly keys?: readonly EnvironmentKey[]
  /** The key of the external front end (§4.6); without it there is none. */
  readonly frontKey?: string
  /** Where uploads are kept: a folder, or `s3://bucket/prefix`; `uploads` beside the database when left out. */
  readonly uploads?: string
  /** Where browsers get uploads, when not from this service: a public bucket or a CDN. */
  readonly uploadsUrl?: string
  /** Of a bucket that is not at Amazon. */
  readonly uploadsEndpoint?: string
  readonly log?: Log
  readonly poolSize?: number
  readonly synchronous?: 'normal' | 'full'
  /** Bytes of answers cached in memory; 64 MB when left out. */
  readonly cacheBytes?: number
  /** How long others are waited for, where it is not to be as usual. */
  readonly timeouts?: Partial<Timeouts>
  /** What all callers together may ask of the service at a time, where it is not to be as usual. */
  readonly capacity?: Partial<Capacity>
  /** Called for every statement sent to the database. */
  readonly onStatement?: (sql: string) => void
}

/** A running service. */
export interface App {
  readonly site: Site
  readonly store: Store
  readonly routes: readonly Route[]
  /** A context for work in this process, in the default locale, published; who acts is always said. */
  context(actor: Actor): Context
  /** How many hooks have failed after what they were told of was saved; the log says which. */
  hookFailures(): number
  /** Listens, and answers the address: `http://localhost:3000`. */
  listen(port: number, host?: string): Promise<string>
  /** Finishes running requests and hooks, then lets go of everything. */
  close(): Promise<void>
}
