/** A function that makes a value when it is first called, and returns the same one from then on. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Adds members to an object, each of which is made when it is first used. */
export function addLazily<Target extends object, Members extends object>(
  target: Target,
  makers: { readonly [Name in keyof Members]: () => Members[Name] & object },
): Target & Members {
  for (const [name, make] of Object.entries<() => object>(makers)) {
    const get = () => {
      const value = make()
      Object.defineProperty(target, name, { enumerable: true, value })
      return value
    }
    Object.defineProperty(target, name, { enumerable: true, configurable: true, get })
  }
  // `as`: they were just added.
  return target as Target & Members
}
