import { invalid } from '../base/errors.ts'
import type { Route } from './route.ts'

/** A route that answers a path, with the path's parameters decoded. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/**
 * Finds routes by method and path. Our own, since one path is looked up under two methods (POST-as-GET, §4.3), a fixed
 * step must yield to a parameter method by method, and `%40cms` is `@cms`.
 */
export class Router {
  readonly #root = new Place()

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route)
  }

  /** The route of a path below the site's prefix, or null. */
  find(method: string, steps: readonly string[]): Match | null {
    return this.#root.find(method, steps, 0, [])
  }

  /** The methods that a path answers, for OPTIONS; empty when there is no such path. */
  methods(steps: readonly string[]): string[] {
    return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => this.find(method, steps) !== null)
  }

  #add(route: Route): void {
    let place = this.#root
    for (const step of stepsOf(route.path)) place = place.below(step)
    if (place.routes.has(route.method)) throw new Error(`Two routes answer ${route.method} ${route.path}.`)
    place.routes.set(route.method, route)
  }
}

/** The decoded steps of a path; one trailing slash does not count. Bad percent-encoding is `invalid`. */
export function stepsOf(path: string): string[] {
  const steps = path.split('/')
  steps.shift()
  if (steps.at(-1) === '') steps.pop()
  return path.includes('%') ? steps.map(decoded) : steps
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    throw invalid('The path is not properly percent-encoded.')
  }
}

/** One step of the tree of paths. */
class Place {
  readonly routes = new Map<string, Route>()
  readonly #fixed = new Map<string, Place>()
  #parameter: Place | null = null

  below(step: string): Place {
    if (step.startsWith(':')) {
      this.#parameter ??= new Place()
      return this.#parameter
    }
    const place = this.#fixed.get(step) ?? new Place()
    this.#fixed.set(step, place)
    return place
  }

  find(method: string, steps: readonly string[], at: number, values: readonly string[]): Match | null {
    const step = steps[at]
    if (step === undefined) return this.#here(method, values)
    const fixed = this.#fixed.get(step)?.find(method, steps, at + 1, values)
    if (fixed || step === '') return fixed ?? null
    return this.#parameter?.find(method, steps, at + 1, [...values, step]) ?? null
  }

  #here(method: string, values: readonly string[]): Match | null {
    const route = this.routes.get(method)
    if (!route) return null
    const params: Record<string, string> = Object.create(null)
    const names = stepsOf(route.path).filter((step) => step.startsWith(':'))
    names.forEach((name, place) => {
      params[name.slice(1)] = values[place] ?? ''
    })
    return { route, params }
  }
}
