import { type JsonObject, joinPath } from '../../base/json.ts'
import type { Fields } from '../field-type/field-type.ts'
import { isEmpty, walk } from '../values/walk.ts'

/**
 * A key as steps: that of an order change has `#order` as its last one; whatever else makes a key unique is left out.
 */
function stepsOf(key: string): string[] {
  const [path = '', mark] = key.split('#')
  return mark === 'order' ? [...path.split('.'), '#order'] : path.split('.')
}

/** The keys that a save changed: a change belongs to the save if its key is one of them, or above or below one. */
export class TouchedKeys {
  readonly #keys = new Set<string>()
  readonly #above = new Set<string>()

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      const paths = pathsTo(stepsOf(key))
      for (const path of paths) this.#above.add(path)
      this.#keys.add(paths.at(-1) ?? '')
    }
  }

  has(key: string): boolean {
    const paths = pathsTo(stepsOf(key))
    return this.#above.has(paths.at(-1) ?? '') || paths.some((path) => this.#keys.has(path))
  }
}

/** The keys that a content had values for: fields that were filled in, and items and widgets. */
export class HeldKeys {
  readonly #values = new Set<string>()
  readonly #holders = new Set<string>()

  constructor(fields: Fields, content: JsonObject) {
    for (const { field, values, path } of walk(fields, content)) {
      if (isEmpty(field, values)) continue
      for (const above of pathsTo(path.split('.'))) this.#holders.add(above)
      if (field.type.children === undefined) this.#values.add(path)
    }
  }

  /** True when the content has the place, or the value that it is a part of, such as one side of a box. */
  has(key: string): boolean {
    const steps = stepsOf(key)
    const paths = pathsTo(steps.at(-1) === '#order' ? steps.slice(0, -1) : steps)
    return this.#holders.has(paths.at(-1) ?? '') || paths.some((path) => this.#values.has(path))
  }
}

/** Changes by their keys: those of a place are found at once, however many there are. */
export class ChangesByPlace<Keyed extends { readonly key: string }> {
  readonly #at = new Map<string, Keyed[]>()
  readonly #atOrBelow = new Map<string, Keyed[]>()

  constructor(changes: Iterable<Keyed>) {
    for (const change of changes) {
      const paths = pathsTo(stepsOf(change.key))
      for (const path of paths) add(this.#atOrBelow, path, change)
      add(this.#at, paths.at(-1) ?? '', change)
    }
  }

  /** The changes above a key, of it, and below it. */
  near(key: string): readonly Keyed[] {
    const paths = pathsTo(stepsOf(key))
    const above = paths.slice(0, -1).flatMap((path) => this.#at.get(path) ?? [])
    return [...above, ...(this.#atOrBelow.get(paths.at(-1) ?? '') ?? [])]
  }
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Returns which of the keys, without marks, a path belongs to: itself or one above it, else the first one below; null for none. */
export function keysByPath(keys: ReadonlySet<string>): (path: string) => string | null {
  const below = new Map<string, string>()
  for (const key of keys) {
    for (const path of pathsTo(key.split('.'))) if (!below.has(path)) below.set(path, key)
  }
  return (path) => pathsTo(path.split('.')).find((one) => keys.has(one)) ?? below.get(path) ?? null
}

/** `a`, `a.b` and `a.b.c` for the three steps. */
function pathsTo(steps: readonly string[]): string[] {
  let path = ''
  return steps.map((step) => {
    path = joinPath(path, step)
    return path
  })
}
