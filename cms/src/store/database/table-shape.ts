/** What a column holds: bytes are copied as hexadecimal digits. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'bytes'

/** A column of a table. */
export interface ColumnShape {
  readonly name: string
  readonly kind: ColumnKind
  /** Whether each row has a value in it. */
  readonly isRequired: boolean
}

/** A table, as every kind of database has it. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly ColumnShape[]
  /** The column of row numbers that the database assigns, never twice. */
  readonly rowNumber: string | null
}
