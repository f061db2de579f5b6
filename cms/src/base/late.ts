type AsyncFunction = (...args: never[]) => Promise<unknown>

/**
 * The asynchronous function `name` of a module that is loaded at the first call, so that it neither delays the start
 * nor takes memory where it is never used. When the module cannot be loaded, the call fails, and the next one tries
 * again.
 */
export function late<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] extends AsyncFunction ? Module[Name] : never {
  let loaded: AsyncFunction | null = null
  const loading = async (): Promise<AsyncFunction> => {
    // `as`, here and below: the return type allows for nothing else.
    loaded = (await load())[name] as AsyncFunction
    return loaded
  }
  const call: AsyncFunction = (...args) =>
    loaded === null ? loading().then((found) => found(...args)) : loaded(...args)
  return call as Module[Name] extends AsyncFunction ? Module[Name] : never
}
