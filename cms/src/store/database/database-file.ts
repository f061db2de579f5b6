import { withoutPassword } from '../../base/text.ts'
import { UnusableDatabase } from '../contract/store.ts'

/**
 * The path of a database file, with or without `//` in front; null for one on a server. Throws when the URL names
 * neither.
 */
export function databaseFile(url: string): string | null {
  if (/^postgres(ql)?:/.test(url)) return null
  const path = url.replace(/^sqlite:(\/\/)?/, '')
  if (path === '' || path === ':memory:' || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new UnusableDatabase(
      `No database is named by "${withoutPassword(url)}": use sqlite:path/of/file.db or postgres://user@host/database.`,
    )
  }
  return path
}
