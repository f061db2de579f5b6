import type { Name } from '../contract/changes.ts'
import { currentSources, type Sources } from '../contract/sources.ts'

/** What the result of a read depends on: names that its arguments give, or `everything`: any commit. */
type Dependency<Args extends readonly unknown[], Found> =
  | ((...args: Args) => readonly Name[])
  | FoundDependency<Args, Found>
  | 'everything'
  /** Something that no commit announces. */
  | 'unknown'

/** Names that the arguments give, and names that only the result gives. */
interface FoundDependency<Args extends readonly unknown[], Found> {
  asked(...args: Args): readonly Name[]
  found(found: Found): readonly Name[]
}

/** What each method of a reader depends on: a new method does not compile until it is listed. */
export type Dependencies<Reader> = {
  readonly [Name in keyof Reader]: Reader[Name] extends (...args: infer Args) => Promise<infer Found>
    ? Dependency<Args, Found>
    : never
}

type AnyDependency = Dependency<readonly unknown[], unknown>
type Read = (...args: readonly unknown[]) => Promise<unknown>

/** Makes wrappers for readers: they note what is read in the sources of the current work (`sources.ts`). */
export function noted<Reader>(dependencies: Dependencies<Reader>): (reader: Reader) => Reader {
  class Noted {
    readonly reader: Reader
    constructor(reader: Reader) {
      this.reader = reader
    }
  }
  // `as`, here and below: all members of a reader are methods that return promises.
  for (const [name, dependency] of Object.entries(dependencies) as [keyof Reader, AnyDependency][]) {
    const value = function (this: Noted, ...args: readonly unknown[]): Promise<unknown> {
      const sources = currentSources()
      // Before the read: a commit during it may or may not have been seen, and so must count as newer.
      if (sources !== undefined) noteAsked(sources, dependency, args)
      const result = (this.reader as Record<keyof Reader, Read>)[name](...args)
      return sources !== undefined && typeof dependency === 'object' ? noteFound(sources, dependency, result) : result
    }
    Object.defineProperty(Noted.prototype, name, { value })
  }
  return (reader) => new Noted(reader) as Reader
}

function noteAsked(sources: Sources, dependency: AnyDependency, args: readonly unknown[]): void {
  if (dependency === 'unknown') sources.noteUnknown()
  else if (dependency === 'everything') sources.noteEverything()
  else noteAll(sources, typeof dependency === 'function' ? dependency(...args) : dependency.asked(...args))
}

async function noteFound(
  sources: Sources,
  { found }: FoundDependency<readonly unknown[], unknown>,
  result: Promise<unknown>,
): Promise<unknown> {
  const value = await result
  noteAll(sources, found(value))
  return value
}

function noteAll(sources: Sources, names: readonly Name[]): void {
  for (const name of names) sources.note(name)
}

/** Wraps a reader of data whose changes no commit announces: nothing made of it is cached. */
export function unannounced<Reader extends object>(reader: Reader): Reader {
  return new Proxy(reader, {
    get:
      (reader, name) =>
      (...args: readonly unknown[]) => {
        currentSources()?.noteUnknown()
        // `as`: see `noted`.
        return (reader as Record<string | symbol, Read>)[name]?.(...args)
      },
  })
}
