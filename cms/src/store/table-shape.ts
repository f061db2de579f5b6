/** What a column holds: bytes are copied as hexadecimal digits. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'bytes'

/** A table, as every kind of database has it. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  /** The column of row numbers that the database assigns, never twice. */
  readonly rowNumber: string | null
}
