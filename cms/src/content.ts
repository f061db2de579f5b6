import { about, CmsError, invalid, unauthorized } from './base/errors.ts'
import { findAccount, userActor } from './engine/access/accounts.ts'
import { namedActor } from './engine/access/authenticate.ts'
import type { ContentSession, OperationName } from './engine/acting.ts'
import type { Acting, ContentOptions, LocalizeOptions, TreeOptions } from './engine/content-operations.ts'
import type { Context, WriteContext } from './engine/context.ts'
import { inTransaction } from './engine/contexts.ts'
import { locate } from './engine/locate.ts'
import { assertIsOfType, locatePage } from './engine/pages/locate-page.ts'
import type { Actor } from './engine/permissions.ts'
import { isWriting, write } from './engine/write.ts'
import { copyToEdit } from './features/pages/permit-pages.ts'
import { archivePage } from './features/pages/write-page.ts'
import { insertPieces } from './features/pieces/write-piece.ts'
import { bodyOf, contextOf, copied, type InProcessRequest, runRoute } from './http/pipeline/in-process.ts'
import type { Route } from './http/requests/route.ts'
import { checkNames } from './http/requests/unknown-names.ts'
import type { Site, Type } from './model/declared/types.ts'

type Values = { readonly [name: string]: unknown }

const routesById = new WeakMap<readonly Route[], ReadonlyMap<string, Route>>()

/** Runs an operation on content in this process, by its route of the interface. */
export async function runOperation(
  routes: readonly Route[],
  session: ContentSession,
  name: OperationName,
  args: readonly unknown[],
): Promise<unknown> {
  const byId = routesById.get(routes) ?? new Map(routes.toReversed().map((route) => [route.operationId, route]))
  routesById.set(routes, byId)
  const content = new InProcessContent(byId, session)
  // `as`: each operation checks what it is given.
  const operation = content[name] as (...args: unknown[]) => Promise<unknown>
  const run = () => operation.apply(content, [...args])
  const { ctx } = session
  // A transaction inside of another is no operation of that: its own operations are.
  return isWriting(ctx) && name !== 'transaction' ? ctx.operations.run(run) : run()
}

/** An operation on one type: the step of its operation id, what it is about, and whose. */
interface Operation extends InProcessRequest {
  readonly type: string
  readonly verb: string
  readonly options: ContentOptions | undefined
}

/** `Content`, whatever the types of the site are: values are checked by the routes. */
class InProcessContent implements Record<OperationName, unknown> {
  readonly #routes: ReadonlyMap<string, Route>
  readonly #session: ContentSession

  constructor(routes: ReadonlyMap<string, Route>, session: ContentSession) {
    this.#routes = routes
    this.#session = session
  }

  async find(type: string, query?: Values, options?: ContentOptions): Promise<unknown> {
    pieceType(this.#session.ctx.site, type)
    return this.#run({ type, verb: 'list', query, options })
  }

  async findOne(type: string, wanted: string | Values, options?: ContentOptions): Promise<unknown> {
    try {
      if (typeof wanted !== 'object' || wanted === null)
        return await this.#run({ type, verb: 'read', id: wanted, options })
    } catch (error) {
      if (error instanceof CmsError && error.name === 'notfound') return null
      throw error
    }
    const { results } = (await this.find(type, { ...wanted, perPage: 1 }, options)) as { readonly results: unknown[] }
    return results[0] ?? null
  }

  async count(type: string, query?: Values, options?: ContentOptions): Promise<unknown> {
    assertObject('A query', query)
    const one = { ...query, page: 1, perPage: 1 }
    return ((await this.find(type, one, options)) as { readonly total: number }).total
  }

  tree(query: TreeOptions = {}, options?: ContentOptions): Promise<unknown> {
    return this.#run({ type: '@cms/page', verb: 'list', query: { ...query }, options })
  }

  insert(type: string, body: Values, options?: ContentOptions): Promise<unknown> {
    const { site } = this.#session.ctx
    const isPage = typeNamed(site, type)?.family === 'page'
    const whole = isPage ? { ...body, type: nameIn(site, type) } : body
    return this.#run({ type: isPage ? '@cms/page' : type, verb: 'insert', body: whole, options })
  }

  async insertMany(type: string, bodies: readonly Values[], options?: ContentOptions): Promise<unknown> {
    const { site } = this.#session.ctx
    const known = pieceType(site, type)
    if (!Array.isArray(bodies)) throw invalid('insertMany takes a list of documents.')
    if (bodies.length > site.limits.ids) throw invalid(`At most ${site.limits.ids} documents can be made together.`)
    const read = bodies.map((body) => bodyOf({ site }, body))
    const [ctx, route] = [await this.#context(options), this.#routeOf(type, 'insert')]
    for (const body of read) checkNames(ctx, route, { query: {}, body })
    return copied(await insertPieces(ctx, known, read))
  }

  replace(type: string, id: string, body: Values, options?: ContentOptions): Promise<unknown> {
    return this.#run({ type, verb: 'replace', id, body, options })
  }

  patch(type: string, id: string, body: Values, options?: ContentOptions): Promise<unknown> {
    return this.#run({ type, verb: 'update', id, body, options })
  }

  publish(type: string, id: string, options?: ContentOptions): Promise<unknown> {
    return this.#run({ type, verb: 'publish', id, options })
  }

  unpublish(type: string, id: string, options?: ContentOptions): Promise<unknown> {
    return this.#run({ type, verb: 'unpublish', id, options })
  }

  archive(type: string, id: string, options?: ContentOptions): Promise<unknown> {
    return this.#setArchived(type, id, true, options)
  }

  restore(type: string, id: string, options?: ContentOptions): Promise<unknown> {
    return this.#setArchived(type, id, false, options)
  }

  async remove(type: string, id: string, options?: ContentOptions): Promise<void> {
    await this.#run({ type, verb: 'remove', id, options })
  }

  localize(type: string, id: string, localization: LocalizeOptions, options?: ContentOptions): Promise<unknown> {
    return this.#run({ type, verb: 'localize', id, body: { ...localization }, options })
  }

  transaction(work: (content: unknown) => Promise<unknown>): Promise<unknown> {
    const { ctx, acting, defaults } = this.#session
    return write(ctx, (tx) => work(inTransaction(tx, {}).as(acting, defaults)))
  }

  /** Both copies of a page move, whichever is named. */
  async #setArchived(type: string, id: string, archived: boolean, options?: ContentOptions): Promise<unknown> {
    const { site } = this.#session.ctx
    if (!isPage(site, type)) return this.#run({ type, verb: archived ? 'archive' : 'restore', id, options })
    assertId(id)
    const ctx = await this.#context({ ...options, mode: 'draft' })
    copyToEdit(ctx, id)
    await assertIsOfType(ctx, id, nameIn(site, type))
    return copied((await archivePage(ctx, id, archived)).body)
  }

  async #run(operation: Operation): Promise<unknown> {
    try {
      return await this.#runRoute(operation)
    } catch (error) {
      const { type, id, body } = operation
      throw about(error, type, body?.title ?? id)
    }
  }

  async #runRoute({ type, verb, options, ...request }: Operation): Promise<unknown> {
    const { site } = this.#session.ctx
    const route = this.#routeOf(type, verb)
    const ctx = await this.#context(options, request.query)
    const { id } = request
    if ('id' in request) {
      assertId(id)
      route.permit?.(ctx, { _id: id })
      if (verb === 'read' && isWriting(ctx)) await lockRead(ctx, type, id)
      if (isPage(site, type)) await assertIsOfType(ctx, id, nameIn(site, type))
    }
    return runRoute(ctx, route, request)
  }

  #routeOf(type: string, verb: string): Route {
    const { site } = this.#session.ctx
    const route = this.#routes.get(`${isPage(site, type) ? 'page' : nameIn(site, type)}.${verb}`)
    if (route === undefined) throw new TypeError(`The site has no type ${type}.`)
    return route
  }

  async #context(options: ContentOptions = {}, query?: Values): Promise<Context> {
    const { ctx, acting, defaults } = this.#session
    assertObject('A query', query)
    assertObject('The last parameter, { locale, mode },', options)
    return contextOf(ctx, { actor: await actorOf(ctx, acting), defaults, options, query })
  }
}

/**
 * A document that is read by its id in a transaction does not change until the end of that, so it can be written from
 * what was read.
 */
async function lockRead(ctx: WriteContext, name: string, text: string): Promise<void> {
  const isOfTree = isPage(ctx.site, name)
  const { docId, locale } = isOfTree ? locatePage(ctx, text) : locate(ctx, pieceType(ctx.site, name), text)
  // In the order in which writes lock.
  if (isOfTree) await ctx.tx.tree.lock([locale])
  await ctx.tx.documents.lockCopies(docId, locale)
}

/** Anything else would be taken for one without properties. */
function assertObject(what: string, given: unknown): void {
  if (given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given))) return
  throw new TypeError(`${what} is an object, not ${given === null ? 'null' : typeof given}.`)
}

function assertId(id: unknown): asserts id is string {
  if (typeof id !== 'string') throw new TypeError(`An id is a string, not ${id === null ? 'null' : typeof id}.`)
}

async function actorOf(ctx: Context, acting: Acting): Promise<Actor> {
  if ('kind' in acting) return acting
  if (!('user' in acting)) return namedActor(acting)
  const documents = isWriting(ctx) ? ctx.tx.read.documents : ctx.store.documents
  const account = await findAccount({ site: ctx.site, store: { documents } }, acting.user)
  if (!account?.isActive) throw unauthorized(`There is no user ${acting.user}, or the account is disabled.`)
  return userActor(account)
}

/** The name of a type in this site, which may have another namespace than `@cms`. */
function nameIn({ namespace }: Site, name: string): string {
  return String(name).replace(/^@cms(?=\/)/, namespace)
}

function typeNamed(site: Site, name: string): Type | undefined {
  return site.types.get(nameIn(site, name))
}

function isPage(site: Site, name: string): boolean {
  return nameIn(site, name) === `${site.namespace}/page` || typeNamed(site, name)?.family === 'page'
}

function pieceType(site: Site, name: string): Type {
  const type = typeNamed(site, name)
  if (type?.family === 'piece') return type
  const hint = isPage(site, name) ? ' Pages are read by tree, and by findOne with an id.' : ''
  throw new TypeError(`The site has no piece type ${name}.${hint}`)
}
