import type { FastifyRequest } from 'fastify'
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
export function endpointsOf(routes: readonly Route[]): Endpoint[] {
  const at = (method: string) =>
    new Map(routes.filter((route) => route.method === method).map((route) => [route.path, route]))
  const [reads, posts] = [at('GET'), at('POST')]
  const own = routes.map((route) => {
    const read = route.method === 'POST' ? (reads.get(route.path) ?? null) : null
    return { method: route.method, path: route.path, route, read }
  })
  const onlyReads = [...reads.values()]
    .filter(({ path, page }) => !posts.has(path) && page === undefined)
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

/** What the framework's route of a request has for its method. */
export function endpointOf({ method, routeOptions }: FastifyRequest): Endpoint | undefined {
  return routeOptions.config.endpoints?.[method]
}

/**
 * The methods that can be sent to the path of a URL, for OPTIONS; null where no route is. `/a/b` can be sent what
 * `/a/:id` can.
 */
export function methodsAt(routes: readonly Route[], url: string): readonly string[] | null {
  const steps = stepsOf(url)
  const methods = new Set(routes.filter(({ path }) => covers(path.split('/'), steps)).map(({ method }) => method))
  if (methods.size === 0) return null
  const known = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => methods.has(method))
  return ['OPTIONS', ...(methods.has('GET') ? ['HEAD'] : []), ...known]
}

/** As the router reads it: a slash at the end counts for nothing, and it has refused what is not properly encoded. */
function stepsOf(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.replace(/\/$/, '').split('/').map(decodeURIComponent)
}

function covers(general: readonly string[], special: readonly string[]): boolean {
  return general.length === special.length && general.every((step, at) => step.startsWith(':') || step === special[at])
}
