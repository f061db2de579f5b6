/** A part of a word diff (§2.5): `same` and `removed` join to the older text, `same` and `added` to the newer one. */
export interface DiffPart {
  readonly text: string
  readonly change: 'same' | 'added' | 'removed'
}
