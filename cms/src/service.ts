import { dirname, join } from 'node:path'
import type { Log } from './base/log.ts'
import type { Metrics } from './base/metrics.ts'
import type { EnvironmentKey } from './engine/access/authenticate.ts'
import type { MigrateOptions } from './engine/content-migrations/migrate-options.ts'
import type { Context } from './engine/context.ts'
import type { Actor } from './engine/permissions.ts'
import type { Job } from './engine/run-jobs.ts'
import type { Files } from './files/files.ts'
import { openFiles } from './files/open-files.ts'
import type { Capacity } from './http/load/load.ts'
import type { InheritedSocket, Timeouts } from './http/load/sockets.ts'
import type { AnsweredRequest } from './http/pipeline/answered-request.ts'
import type { Route } from './http/requests/route.ts'
import type { Site } from './model/declared/types.ts'
import type { Store } from './store/contract/store.ts'
import { databaseFile } from './store/database/database-file.ts'

/** The options that depend on the machine and not on the site. */
export interface AppOptions {
  /** `sqlite:data/quire.db`, a file path, or `postgres://…`. */
  readonly database: string
  /** API keys of the environment, in addition to those in the database. */
  readonly keys?: readonly EnvironmentKey[]
  /** The key of the external front end (§4.6); without it there is none. */
  readonly frontKey?: string
  /** The prefix of URLs in static builds (§4.6): `https://example.org`; without it they begin with a slash. */
  readonly staticBaseUrl?: string
  /** Where uploads are stored: a folder, or `s3://bucket/prefix`; `uploads` next to the database when left out. */
  readonly uploads?: string
  /** Where browsers get uploads, when not from this service: a public bucket or a CDN. */
  readonly uploadsUrl?: string
  /** The endpoint of a bucket that is not at Amazon. */
  readonly uploadsEndpoint?: string
  /** Private networks that embeds may be fetched from (§4.8), as `10.1.0.0/16`: none when left out. */
  readonly embedNetworks?: readonly string[]
  /** The credential for the cache in front of the site (§6.8), where `purge.headers` of the site have none. */
  readonly purgeToken?: string
  /** Where the service logs; nowhere when left out. */
  readonly log?: Log
  /** Where figures are collected for `GET metrics`; a registry of its own when left out. */
  readonly metrics?: Metrics
  /** Called for each request, once its answer has left. */
  readonly accessLog?: (answered: AnsweredRequest) => void
  /**
   * Where the database server itself is, if `database` names a pooler that gives each transaction another connection;
   * `none` where nobody can listen to it: then it is asked what has changed.
   */
  readonly listenAt?: string
  /** Connections to a database server at most; 10 when left out. */
  readonly poolSize?: number
  /** The addresses of replicas of the database server, which content is read from: none when left out. */
  readonly replicas?: readonly string[]
  /** How old what replicas show may be while the database server cannot be reached, in milliseconds; 0 when left out. */
  readonly replicaMaxAge?: number
  /**
   * `full`: a write is answered only when it is on the disk. `normal` (default): a power failure may undo the last
   * ones.
   */
  readonly synchronous?: 'normal' | 'full'
  /** Bytes of answers cached in memory, shared by all processes; 64 MiB when left out. */
  readonly cacheBytes?: number
  /** How many processes of this machine share the memory for answers and bodies; 1 when left out. */
  readonly processes?: number
  /** Whether this process is now the one that does the work for which one is enough; always when left out. */
  readonly isInBackground?: () => boolean
  /**
   * Whether the log says at the start what content is not served, and that uploads cannot be stored, as one of all
   * processes does; true when left out.
   */
  readonly tellsAtStart?: boolean
  /**
   * Whether only what would happen is asked: nothing is prepared or recorded, `onStart` and `onStop` are not run, and
   * tables that are not up to date are refused.
   */
  readonly isTrial?: boolean
  /** Shows errors of templates in the page, and reads changed template files again. */
  readonly development?: boolean
  /** Timeouts that differ from the defaults, in milliseconds. */
  readonly timeouts?: Partial<Timeouts>
  /** The resources that all callers together may use at a time, where it differs from the defaults. */
  readonly capacity?: Partial<Capacity>
  /** The site's content migrations, which are run before anything is served (§2.14). */
  readonly contentMigrations?: MigrateOptions
  /**
   * Called once when another program has brought the database to another version: from then on everything is refused
   * with `unavailable`, and the process is to end.
   */
  readonly whenOutdated?: () => void
  /** Called for every statement sent to the database. */
  readonly onStatement?: (sql: string) => void
  /** Statements that take at least so many milliseconds are logged, with the route that sent them; 500 when left out. */
  readonly slowStatementMs?: number
}

/** A running service. */
export interface App {
  readonly site: Site
  readonly store: Store
  readonly routes: readonly Route[]
  /** The jobs that are run on schedule while it listens. */
  readonly jobs: readonly Job[]
  /** A context for work in this process, in the default locale, published; the actor is always explicit. */
  context(actor: Actor): Context
  /** Returns how many hooks have failed after a commit; the log names them. */
  hookFailures(): number
  /**
   * Begins to listen, on `localhost` unless `host` says otherwise, or on a socket that the process has inherited. Returns
   * the address: `http://localhost:3000`.
   */
  listen(port: number | InheritedSocket, host?: string): Promise<string>
  /** Finishes running requests and hooks, then releases everything. */
  close(): Promise<void>
}

/** Returns the place of uploads: the option, else the folder `uploads` next to a database file, or `data/uploads`. */
export function uploadsOf({ uploads, database }: AppOptions): string {
  if (uploads !== undefined) return uploads
  const file = databaseFile(database)
  return join(file === null ? 'data' : dirname(file), 'uploads')
}

/** Opens the storage of a site's uploads. */
export function openUploads(site: Pick<Site, 'prefix'>, options: AppOptions & { readonly log: Log }): Promise<Files> {
  return openFiles({
    address: uploadsOf(options),
    path: `${site.prefix}/uploads`,
    url: options.uploadsUrl,
    endpoint: options.uploadsEndpoint,
    tells: options.tellsAtStart,
    log: options.log,
  })
}
