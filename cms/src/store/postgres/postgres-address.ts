import { UnusableDatabase } from '../contract/store.ts'

/** Those that encrypt with a certificate that was checked, which the driver warns of unless they say so themselves. */
const CHECKING = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']
const UNCHECKED = ['disable', 'no-verify']

/**
 * The address of a database for the driver. Every `sslmode` that encrypts checks the certificate, and the name of the
 * host, as `verify-full` does; with `uselibpqcompat=true` it means what PostgreSQL's own programs mean by it. Throws
 * where there is no such mode.
 */
export function driverAddress(url: string): string {
  const [, mode] = /[?&]sslmode=([^&#]*)/.exec(url) ?? []
  if (mode === undefined || UNCHECKED.includes(mode) || /[?&]uselibpqcompat=true\b/.test(url)) return url
  if (CHECKING.includes(mode)) return url.replace(/([?&]sslmode=)[^&#]*/, '$1verify-full')
  throw new UnusableDatabase(
    `The address of the database has the sslmode “${mode}”. It can be: disable, no-verify, verify-full.`,
  )
}
