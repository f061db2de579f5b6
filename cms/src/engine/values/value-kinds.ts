/** The rules for values of one kind, applied before they are saved. */
export interface Handling {
  /** Another value for a field that the caller may not write is refused, or the field keeps its value, or all are written. */
  readonly foreignFields: 'refuse' | 'keep' | 'write'
  /** Values that their fields do not accept are refused, or dropped. */
  readonly wrongValues: 'refuse' | 'drop'
  /** Whether required fields must be filled in, and relationships that lose documents keep their `min`. */
  readonly isComplete: boolean
  /** New documents that may be named: of types that the caller sees, also of types that the site no longer has, or any. */
  readonly documents: 'seen' | 'seen or gone' | 'any'
  /** Whether the crops of images must have been made, before the transaction. */
  readonly hasCrops: boolean
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
  asked: { foreignFields: 'refuse', wrongValues: 'refuse', isComplete: true, documents: 'seen', hasCrops: true },
  copied: { foreignFields: 'keep', wrongValues: 'refuse', isComplete: false, documents: 'seen', hasCrops: true },
  restored: {
    foreignFields: 'keep',
    wrongValues: 'drop',
    isComplete: false,
    documents: 'seen or gone',
    hasCrops: true,
  },
  imported: { foreignFields: 'write', wrongValues: 'refuse', isComplete: false, documents: 'any', hasCrops: false },
  trusted: { foreignFields: 'write', wrongValues: 'refuse', isComplete: false, documents: 'any', hasCrops: false },
}
