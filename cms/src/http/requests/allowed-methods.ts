import { type CmsError, notAllowed, notFound } from '../../base/errors.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { Route } from './route.ts'

/** The methods of one path: those of all its routes, for callers who may know of one of them. */
interface KnownPath {
  readonly steps: readonly string[]
  readonly methods: Set<string>
  isFor(actor: Actor): boolean
}

const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Tells callers which methods an address takes, as `Allow` does (§0.6). */
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
  return [
    '',
    ...path
      .slice(prefix.length + 1)
      .replace(/\/$/, '')
      .split('/')
      .map(decoded),
  ]
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
