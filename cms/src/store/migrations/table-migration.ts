import type { Dialect } from '../database/connection.ts'
import type { NewIndex } from '../database/new-index.ts'
import type { Sql } from '../database/sql.ts'
import type { ByRange } from './by-range.ts'

/** A part of a migration: a statement, or several for one range of rows after another, or an index. */
export type Part = Sql | ByRange | NewIndex

/** A step from one shape of the tables to the next. Runs on every database. */
export interface Migration {
  readonly name: string
  /** Whether processes of older programs may keep running during and after it. */
  readonly kind: 'additive' | 'exclusive'
  readonly parts: (dialect: Dialect) => readonly Part[]
}

/** A migration that older programs cannot work with: they are shut out before it, and end. */
export function exclusive(name: string, parts: Migration['parts']): Migration {
  return { name, kind: 'exclusive', parts }
}

/**
 * A migration that older programs do not notice: they write what is right for newer ones, too. Statements come first:
 * they take no longer on a large table (new tables, new columns with a constant default, triggers that fill them for
 * older programs), and are one transaction. What follows is done while others write, and may be begun again: it fills
 * columns range by range, and makes indexes.
 */
export function additive(name: string, parts: Migration['parts']): Migration {
  return { name, kind: 'additive', parts }
}
