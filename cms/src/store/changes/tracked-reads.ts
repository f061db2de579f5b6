import type { Name } from '../terms/changes.ts'
import { currentSources, type Sources } from '../terms/sources.ts'

/** Dependencies of the result of a read: names that its arguments give, or `everything`: any commit. */
type Dependency<Args extends readonly unknown[], Result> =
  | ((...args: Args) => readonly Name[])
  | ResultDependency<Args, Result>
  | 'everything'
  /** Something that no commit announces. */
  | 'unknown'

/** Names that the arguments give, and names that only the result gives. */
interface ResultDependency<Args extends readonly unknown[], Result> {
  ofArguments(...args: Args): readonly Name[]
  ofResult(result: Result): readonly Name[]
}

/** The dependencies of each method of a reader: a new method does not compile until it is listed. */
type Dependencies<Reader> = {
  readonly [Name in keyof Reader]: Reader[Name] extends (...args: infer Args) => Promise<infer Result>
    ? Dependency<Args, Result>
    : never
}

type AnyDependency = Dependency<readonly unknown[], unknown>
type Read = (...args: readonly unknown[]) => Promise<unknown>

/** Makes wrappers for readers: they record what is read in the sources of the current work (`sources.ts`). */
export function tracked<Reader>(dependencies: Dependencies<Reader>): (reader: Reader) => Reader {
  class Tracked {
    readonly reader: Reader
    constructor(reader: Reader) {
      this.reader = reader
    }
  }
  // `as`, here and below: all members of a reader are methods that return promises.
  for (const [name, dependency] of Object.entries(dependencies) as [keyof Reader, AnyDependency][]) {
    const value = function (this: Tracked, ...args: readonly unknown[]): Promise<unknown> {
      const sources = currentSources()
      // Before the read: a commit during it may or may not have been seen, and so must count as newer.
      if (sources !== undefined) addBefore(sources, dependency, args)
      const result = (this.reader as Record<keyof Reader, Read>)[name](...args)
      return sources !== undefined && typeof dependency === 'object' ? addAfter(sources, dependency, result) : result
    }
    Object.defineProperty(Tracked.prototype, name, { value })
  }
  return (reader) => new Tracked(reader) as Reader
}

function addBefore(sources: Sources, dependency: AnyDependency, args: readonly unknown[]): void {
  if (dependency === 'unknown') sources.recordUnknown()
  else if (dependency === 'everything') sources.recordEverything()
  else addAll(sources, typeof dependency === 'function' ? dependency(...args) : dependency.ofArguments(...args))
}

async function addAfter(
  sources: Sources,
  { ofResult }: ResultDependency<readonly unknown[], unknown>,
  result: Promise<unknown>,
): Promise<unknown> {
  const value = await result
  addAll(sources, ofResult(value))
  return value
}

function addAll(sources: Sources, names: readonly Name[]): void {
  for (const name of names) sources.note(name)
}

/** Wraps a reader of data whose changes no commit announces: nothing made of it is cached. */
export function untracked<Reader extends object>(reader: Reader): Reader {
  return new Proxy(reader, {
    get:
      (reader, name) =>
      (...args: readonly unknown[]) => {
        currentSources()?.recordUnknown()
        // `as`: see `tracked`.
        return (reader as Record<string | symbol, Read>)[name]?.(...args)
      },
  })
}
