/** What is done with values of one kind before they are saved. */
export interface Handling {
  /** Another value for a field that the caller may not write is refused, or ignored; or it is written like all others. */
  readonly foreignFields: 'refuse' | 'ignore' | 'write'
  /** Values that their fields do not accept are refused, or left out. */
  readonly wrongValues: 'refuse' | 'leave out'
  /** Whether required fields must be filled in, and relationships that lose documents keep their `min`. */
  readonly mustBeComplete: boolean
  /** New documents that may be named: of types that the caller sees, also of types that the site no longer has, or any. */
  readonly documents: 'seen' | 'seen or gone' | 'any'
  /** Whether crops must have been made before the transaction. */
  readonly mustHaveCrops: boolean
}

/** Where values come from; what is done with them follows from it. */
export type ValueKind = 'asked' | 'copied' | 'restored' | 'imported' | 'trusted'

/**
 * - `asked`: a caller sends them.
 * - `copied`: they are stored elsewhere, in an earlier publication or in another locale, whose texts may be translated.
 * - `restored`: a version has them.
 * - `imported`: they come from another database. `cleanImported` leaves out what is refused, and reports it.
 * - `trusted`: the service or code of the site makes them.
 *
 * Of every kind unknown properties are dropped, and so are ids of documents that do not exist; secrets are hashed.
 */
export const HANDLING: Readonly<Record<ValueKind, Handling>> = {
  asked: {
    foreignFields: 'refuse',
    wrongValues: 'refuse',
    mustBeComplete: true,
    documents: 'seen',
    mustHaveCrops: true,
  },
  copied: {
    foreignFields: 'ignore',
    wrongValues: 'refuse',
    mustBeComplete: false,
    documents: 'seen',
    mustHaveCrops: true,
  },
  restored: {
    foreignFields: 'ignore',
    wrongValues: 'leave out',
    mustBeComplete: false,
    documents: 'seen or gone',
    mustHaveCrops: true,
  },
  imported: {
    foreignFields: 'write',
    wrongValues: 'refuse',
    mustBeComplete: false,
    documents: 'any',
    mustHaveCrops: false,
  },
  trusted: {
    foreignFields: 'write',
    wrongValues: 'refuse',
    mustBeComplete: false,
    documents: 'any',
    mustHaveCrops: false,
  },
}
