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

/** The methods that can be sent to each path, for OPTIONS. `/a/b` can be sent what `/a/:id` can. */
export function allowedMethods(all: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const routes = all.filter(({ page }) => page === undefined)
  const paths = new Map([...new Set(routes.map(({ path }) => path))].map((path) => [path, path.split('/')]))
  const allowed = ([path, steps]: [string, string[]]): [string, string[]] => {
    const methods = new Set(
      routes.filter((route) => covers(paths.get(route.path) ?? [], steps)).map(({ method }) => method),
    )
    const known = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => methods.has(method))
    return [path, ['OPTIONS', ...(methods.has('GET') ? ['HEAD'] : []), ...known]]
  }
  return new Map([...paths].map(allowed))
}

function covers(general: readonly string[], special: readonly string[]): boolean {
  return general.length === special.length && general.every((step, at) => step.startsWith(':') || step === special[at])
}
