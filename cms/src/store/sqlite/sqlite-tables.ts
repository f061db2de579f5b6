import { DatabaseSync } from 'node:sqlite'
import { type Sql, sql } from '../database/sql.ts'
import { contentHash } from '../database/stored-content.ts'
import type { ColumnKind, TableShape } from '../database/tables.ts'
import { createTables } from '../migrations/migrate.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const KINDS: Readonly<Record<string, ColumnKind>> = { text: 'text', integer: 'integer', real: 'number', blob: 'bytes' }

/**
 * Returns the tables of a version that every kind of database has, those that others refer to first. They are read from
 * a database made in memory: a list that somebody forgets to extend would leave tables out of backups.
 */
export async function tablesAt(version: number): Promise<readonly TableShape[]> {
  const database = new DatabaseSync(':memory:')
  try {
    database.function('content_hash', { deterministic: true }, (text) => contentHash(String(text)))
    const connection = new SqliteConnection(database, undefined, { assertRight: () => {}, recordDamage: () => {} })
    await createTables(connection, version)
    const rows = await connection.all(COLUMNS)
    const references = await connection.all(REFERENCES)
    const own = new Set(connection.dialect.copying.ownTables)
    const names = [...new Set(rows.map(({ table }) => table))].filter((name) => !own.has(name))
    return inOrder(names, references).map((name) => shapeOf(name, rows))
  } finally {
    database.close()
  }
}

interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly isKey: number
  readonly isRequired: number
  readonly definition: string
}

const COLUMNS: Sql<ColumnRow> = sql`
  select t.name as "table", c.name as "column", lower(c.type) as type, c.pk as "isKey", c."notnull" as "isRequired", s.sql as definition
  from pragma_table_list t join sqlite_schema s on s.name = t.name join pragma_table_info(t.name) c
  where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
  order by t.name, c.cid`

interface Reference {
  readonly table: string
  readonly to: string
}

const REFERENCES: Sql<Reference> = sql`
  select t.name as "table", f."table" as "to" from pragma_table_list t join pragma_foreign_key_list(t.name) f
  where t.schema = 'main' and f."table" <> t.name`

function shapeOf(name: string, rows: readonly ColumnRow[]): TableShape {
  const own = rows.filter(({ table }) => table === name)
  const counted = own.find(({ isKey, definition }) => isKey > 0 && /\bautoincrement\b/i.test(definition))
  const columns = own.map(({ column, type, isKey, isRequired }) => {
    const kind = KINDS[type]
    if (kind === undefined)
      throw new Error(`The column ${name}.${column} has a type that backups do not know: ${type}.`)
    return { name: column, kind, isRequired: isRequired > 0 || isKey > 0 }
  })
  return { name, columns, rowNumber: counted?.column ?? null }
}

/** A table after those that it refers to. */
function inOrder(names: readonly string[], references: readonly Reference[]): readonly string[] {
  const placed = new Set<string>()
  const place = (name: string): void => {
    if (placed.has(name)) return
    for (const { to } of references.filter(({ table }) => table === name)) place(to)
    placed.add(name)
  }
  for (const name of names) place(name)
  return [...placed]
}
