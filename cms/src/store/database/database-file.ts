import { withoutPassword } from '../../base/text.ts'
import { UnusableDatabase } from './unusable-database.ts'

/** Says nothing of the address: it may hold half of a password. */
const NOT_ENCODED =
  'The address of the database cannot be read: write postgres://user:password@host:5432/name. Special characters of the password are percent-encoded in it: # is %23, ' +
  '/ is %2F, ? is %3F, @ is %40, % is %25. Or leave the password out, and set PGPASSWORD. In .env, # needs quotes around the value.'

/** False where an address cannot be read, as where a password has a character at which it seems to end. */
export function isEncoded(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && parsed.hash === '' && !parsed.pathname.includes('@')
}

/** One address for each server that an address names: `postgres://quire@a:5432,b/shelf` names two. */
export function addressesOf(url: string): readonly string[] {
  const [, start, hosts, end] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? []
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${start}${host}${end}`)
}

const POSTGRES_PORT = '5432'

/** Host and port of an address, however they are written; the whole address where it names no host. */
export function serverOf(url: string): string {
  const { hostname = '', port = '' } = URL.parse(url) ?? {}
  return hostname === '' ? url : `${hostname.toLowerCase()}:${port || POSTGRES_PORT}`
}

/**
 * The path of a database file, with or without `//` in front; null for one on a server. Throws when the URL names
 * neither.
 */
export function databaseFile(url: string): string | null {
  if (/^postgres(ql)?:/.test(url)) {
    if (!addressesOf(url).every(isEncoded)) throw new UnusableDatabase(NOT_ENCODED)
    return null
  }
  const path = url.replace(/^sqlite:(\/\/)?/, '')
  const isOtherScheme = path === url && /^[a-z][a-z0-9+.-]+:/i.test(url)
  if (path === '' || path === ':memory:' || isOtherScheme) {
    throw new UnusableDatabase(
      `No database is named by "${withoutPassword(url)}": use sqlite:path/of/file.db or postgres://user@host/database.`,
    )
  }
  return path
}
