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
