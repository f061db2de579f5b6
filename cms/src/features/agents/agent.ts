import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { locate } from '../../engine/locate.ts'
import { type Actor, may } from '../../engine/permissions.ts'
import { type TypeView, viewOf } from '../../engine/view.ts'
import type { Reply, Upload } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Mode } from '../../model/terms/document-id.ts'

/** Who calls tools: a key, whatever its own rights, writes drafts that are marked as written by AI. */
export type AgentActor = Extract<Actor, { readonly kind: 'user' | 'key' }>

/** The locale and the copy that a tool is asked about; the site's own and the draft when left out. */
export interface Place {
  readonly locale?: string | undefined
  readonly mode?: Mode | undefined
}

/** A request to a route of the interface, as it is made in process. */
export interface AgentRequest {
  readonly id?: string
  readonly params?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: { readonly [name: string]: unknown }
  readonly ifMatch?: string | null
  readonly upload?: Upload
}

/** The routes of the interface, by which agents do all that they do. */
export interface AgentRoutes {
  /** The context of a place. Throws `invalid` for unknown locales, `notfound` for those that the caller may not know of. */
  at(ctx: Context, actor: AgentActor, place: Place): Context
  /** Runs a route by the id of its operation, and returns its answer, whose body is JSON. Throws `notfound` for none. */
  run(ctx: Context, operationId: string, request: AgentRequest): Promise<Reply>
}

/** The caller of tools. All that they do is done by the routes of the interface, with the rights of the key. */
export class Agent {
  readonly ctx: Context
  readonly actor: AgentActor
  readonly #routes: AgentRoutes

  constructor(ctx: Context, actor: AgentActor, routes: AgentRoutes) {
    this.actor = { ...actor, ai: true, draftsOnly: true }
    this.ctx = { ...ctx, actor: this.actor }
    this.#routes = routes
  }

  /** This caller in another context: in a transaction, or in a request that is made once. */
  within(ctx: Context): Agent {
    return new Agent(ctx, this.actor, this.#routes)
  }

  /** The context of a place. */
  at(place: Place = {}): Context {
    return this.#routes.at(this.ctx, this.actor, place)
  }

  /** Runs a route by the id of its operation, and returns its answer, whose body is JSON. */
  run(operationId: string, request: AgentRequest, place: Place = {}): Promise<Reply> {
    return this.#routes.run(this.at(place), operationId, request)
  }

  /** A page of the documents that the caller may read, of all types or those of the query. */
  async documents(query: NonNullable<AgentRequest['query']>, place: Place): Promise<RowsPage> {
    // `as`: lists answer this.
    return (await this.run('documents.list', { query }, place)).body as RowsPage
  }

  /** A type that the caller may see. Throws `notfound` for all others. */
  view(name: string): TypeView {
    const type = this.ctx.site.types.get(name)
    const view = type === undefined ? null : viewOf(this.actor, type)
    if (view === null)
      throw notFound(`There is no type ${JSON.stringify(name)} that you may see: describe_site names them.`)
    return view
  }

  /** The type of a document that the caller may see. Throws `notfound`. */
  async typeOf(id: string): Promise<Type> {
    const [docId = ''] = id.split(':', 1)
    const name = (await this.ctx.store.documents.types([docId])).get(docId)
    const type = name === undefined ? undefined : this.ctx.site.types.get(name)
    if (type === undefined || viewOf(this.actor, type) === null) throw notFound()
    return type
  }

  /** Reads a document. */
  read(type: Type, id: string, place: Place, query: AgentRequest['query'] = {}): Promise<Reply> {
    locate(this.at(place), type, id)
    return this.run(operationOf(type, 'read'), { id, query }, place)
  }

  /** The copy that a caller means who names none: the draft, where it may be read. */
  modeFor(type: Type, mode?: Mode): Mode {
    return mode ?? (type.localized && may(this.actor, 'readDraft', type) ? 'draft' : 'published')
  }
}

/** A document of a list. */
export type Row = { readonly [name: string]: unknown }

/** A page of a list. */
export interface RowsPage {
  readonly results: readonly Row[]
  readonly total: number
  readonly pages: number
}

/** The revision of the document in an answer: its entity tag without the quotation marks. */
export function revisionOf({ ETag }: Reply['headers']): string | undefined {
  return ETag?.replaceAll('"', '')
}

/** The id of an operation on documents of a type: pages share theirs. */
export function operationOf({ family, name }: Type, verb: string): string {
  return `${family === 'page' ? 'page' : name}.${verb}`
}
