/** The fields that are sent, by name or by a path into them: `1` only these, `0` all but these. */
export interface Projection {
  readonly [path: string]: 0 | 1 | boolean
}

/** `_authors.title` → `_authors`. */
type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path

type Included<P> = { [Path in keyof P]: P[Path] extends 1 | true ? Head<Path> : never }[keyof P]

/** The fields that answers always have (§2.1). */
type Always = '_id' | 'aposDocId' | 'aposLocale' | 'aposMode' | 'type'

/** A document with what a projection lets through. */
export type Projected<Document, P> = [keyof P] extends [never]
  ? Document
  : [Included<P>] extends [never]
    ? Omit<Document, keyof P>
    : Pick<Document, keyof Document & (Included<P> | Always)>

/** A projection whose names a list knows; `Known` is its own parameter. */
export type Checked<P, Known> = { readonly [Path in keyof P]: Path extends keyof Known ? P[Path] : never }
