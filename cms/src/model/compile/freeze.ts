/**
 * Makes a compiled site unchangeable in any depth: objects, lists, maps and sets. Functions and instances of other
 * classes (schemas, patterns) are left alone. Cycles are allowed.
 */
export function deepFreeze<T>(value: T): T {
  freeze(value, new Set())
  return value
}

function freeze(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (value instanceof Map) {
    close(value, ['set', 'delete', 'clear'])
    for (const member of value.values()) freeze(member, seen)
  } else if (value instanceof Set) {
    close(value, ['add', 'delete', 'clear'])
  } else if (Array.isArray(value) || isPlain(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) freeze(member, seen)
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** `Object.freeze` does not prevent changes of a map or set by its methods. */
function close(collection: object, methods: readonly string[]): void {
  for (const method of methods) Object.defineProperty(collection, method, { value: refuse })
  Object.freeze(collection)
}

function refuse(): never {
  throw new TypeError('The compiled site is frozen: change the configuration, and start again.')
}
