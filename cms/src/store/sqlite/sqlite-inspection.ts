import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Inspection, MOST_PROBLEMS, UnusableDatabase } from '../database/database.ts'

/** Rows that come back from `returning`, and `json_each`, are there from here on. */
const NEEDED = [3, 38] as const

/** Looks at a database file. Throws `UnusableDatabase` where there is none. */
export function inspectSqlite(path: string): Inspection {
  if (!existsSync(path)) throw new UnusableDatabase(`There is no file ${path} yet: the first start makes it.`)
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
  try {
    const all = (text: string) => database.prepare(text).all() as Record<string, unknown>[]
    const version = String(all('select sqlite_version() as version')[0]?.version)
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
    const isOurs = all("select 1 from sqlite_master where name = 'meta'").length > 0
    const [row] = isOurs ? all("select value from meta where name = 'version'") : []
    return {
      product: `SQLite ${version}`,
      needed: isOld ? `SQLite ${NEEDED.join('.')}` : null,
      tables: Number(row?.value ?? 0),
      bytes: statSync(path).size,
      walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? null,
      problems: [
        ...all(`pragma integrity_check(${MOST_PROBLEMS})`).map((one) => String(one.integrity_check)),
        ...all('pragma foreign_key_check')
          .slice(0, MOST_PROBLEMS)
          .map(({ table, rowid, parent }) => `Row ${rowid} of ${table} refers to nothing in ${parent}.`),
      ].filter((problem) => problem !== 'ok'),
      aheadMs: null,
      maxConnections: null,
      denied: [],
    }
  } finally {
    database.close()
  }
}
