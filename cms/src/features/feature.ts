import type { Context, NamedHooks } from '../engine/context.ts'
import type { Job } from '../engine/run-jobs.ts'
import type { Route } from '../http/requests/route.ts'
import type { Site } from '../model/declared/types.ts'

/** A part of the product: ours in this folder, a site author's in their own project. The same type. */
export interface Feature {
  readonly name: string
  /** The HTTP surface; made once at start, for exactly this site. */
  readonly routes?: (site: Site) => readonly Route[]
  readonly hooks?: NamedHooks
  /** Begins work alongside requests, which lasts while this process listens; returns how to end it. */
  readonly serve?: (ctx: Context) => Promise<() => Promise<void>>
  /** Work that one of all processes does on schedule, while it serves. */
  readonly jobs?: (site: Site) => readonly Job[]
}
