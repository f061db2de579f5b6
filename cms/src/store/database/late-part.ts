type AsyncMethods<Part> = { readonly [Name in keyof Part]: (...args: never[]) => Promise<unknown> }

/**
 * A part of the store whose code is loaded when it is first used, so that it does not delay the start. All of its
 * methods are asynchronous.
 */
export function latePart<Part extends AsyncMethods<Part>>(load: () => Promise<Part>): Part {
  let part: Promise<Part> | null = null
  const call =
    (name: string) =>
    async (...args: never[]): Promise<unknown> => {
      part ??= load()
      // `as`: the type says that all members are such methods.
      const loaded = (await part) as unknown as { readonly [name: string]: (...args: never[]) => Promise<unknown> }
      return loaded[name]?.(...args)
    }
  // `as`: whatever is asked for is a method of the part.
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' ? call(name) : undefined) }) as Part
}
