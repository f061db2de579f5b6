import type { FastifyRequest } from 'fastify'
import { type CmsError, notAllowed, notFound } from '../../base/errors.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { Route } from './route.ts'

/** A method at a path, and the route that answers it. */
export interface Endpoint {
  readonly method: Route['method']
  readonly path: string
  /** Null where a POST can only be a read. */
  readonly route: Route | null
  /** For POST: the GET route of the same path, for `__aposGetWithQuery` (§4.3). */
  readonly read: Route | null
}

/** The endpoints of routes: each route's own, and a POST wherever there is a GET. */
function endpointsOf(routes: readonly Route[]): Endpoint[] {
  const at = (method: string) =>
    new Map(routes.filter((route) => route.method === method).map((route) => [route.path, route]))
  const [reads, posts] = [at('GET'), at('POST')]
  const own = routes.map((route) => {
    const read = route.method === 'POST' ? (reads.get(route.path) ?? null) : null
    return { method: route.method, path: route.path, route, read }
  })
  const onlyReads = [...reads.values()]
    .filter(({ path }) => !posts.has(path))
    .map((read) => ({ method: 'POST' as const, path: read.path, route: null, read }))
  return [...own, ...onlyReads]
}

/** The endpoints at one path, by method. */
export type EndpointsAtPath = Readonly<Partial<Record<string, Endpoint>>>

/** The endpoints of routes by path: routes of the framework make a start slower, so it gets one for each path. */
export function endpointsByPath(routes: readonly Route[]): ReadonlyMap<string, EndpointsAtPath> {
  const byPath = new Map<string, Record<string, Endpoint>>()
  for (const endpoint of endpointsOf(routes)) {
    const { method, path } = endpoint
    const atPath = byPath.get(path) ?? {}
    if (atPath[method] !== undefined) throw new Error(`There are two routes for ${method} ${path}.`)
    atPath[method] = endpoint
    if (method === 'GET') atPath.HEAD = endpoint
    byPath.set(path, atPath)
  }
  return byPath
}

/** True for endpoints that answer as pages of the site, by whichever method. */
export function isPage({ route, read }: Endpoint): boolean {
  return (route ?? read)?.page !== undefined
}

/** Finds the endpoint for the method of a request. */
export function endpointOf({ method, routeOptions }: FastifyRequest): Endpoint | undefined {
  return routeOptions.config.endpoints?.[method]
}

/** The methods of one path: those of all its routes, for callers who may know of one of them. */
interface KnownPath {
  readonly steps: readonly string[]
  readonly methods: Set<string>
  isFor(actor: Actor): boolean
}

const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Says which methods an address takes, as `Allow` does (§0.6). */
export class AllowedMethods {
  readonly #prefix: string
  readonly #paths: KnownPath[] = []

  /** Paths of routes are below the site's prefix. Routes that can only be refused on this site do not count. */
  constructor(routes: readonly Route[], prefix: string) {
    this.#prefix = prefix
    for (const [path, some] of Map.groupBy(
      routes.filter(({ isRefused }) => isRefused !== true),
      ({ path }) => path,
    )) {
      const methods = some.map(({ method }) => method)
      this.#add(path, methods, (actor) => some.some(({ isFor }) => isFor?.(actor) ?? true))
    }
  }

  /** Adds a route of a plugin, which everybody may know of. */
  addOpen(path: string, methods: readonly string[]): void {
    this.#add(path, methods, () => true)
  }

  #add(path: string, methods: readonly string[], isFor: KnownPath['isFor']): void {
    const heads = methods.includes('GET') ? ['HEAD'] : []
    this.#paths.push({ steps: path.split('/'), methods: new Set([...heads, ...methods]), isFor })
  }

  /**
   * Returns the methods of the routes at the path of a URL that the caller may know of, OPTIONS first; none where
   * there is no such route. `/a/b` takes what `/a/:id` takes, too.
   */
  at(url: string, actor: Actor): readonly string[] {
    const steps = stepsOf(url, this.#prefix)
    const here = this.#paths.filter((path) => covers(path.steps, steps) && path.isFor(actor))
    if (here.length === 0) return []
    return ['OPTIONS', ...METHODS.filter((method) => here.some(({ methods }) => methods.has(method)))]
  }

  /**
   * Returns the refusal of a method that no route at this URL takes: `notallowed` for callers who may know of the
   * address, else `notfound`.
   */
  refusal(url: string, actor: Actor): CmsError {
    const methods = this.at(url, actor)
    return methods.length === 0 ? notFound() : notAllowed(methods)
  }
}

/** Splits a URL below a prefix as the router does, which ignores a slash at the end; nothing where it is elsewhere. */
function stepsOf(url: string, prefix: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return []
  const below = path.slice(prefix.length + 1).replace(/\/$/, '')
  return ['', ...below.split('/').map(decoded)]
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** Pages lie at all paths but those of the interface. */
function covers(general: readonly string[], special: readonly string[]): boolean {
  if (general.at(-1) === '*') return special[1] !== 'api' && beginsWith(special, general.slice(0, -1))
  return general.length === special.length && beginsWith(special, general)
}

function beginsWith(steps: readonly string[], general: readonly string[]): boolean {
  return general.every((step, at) => (step.includes(':') ? steps[at] !== '' : step === steps[at]))
}
