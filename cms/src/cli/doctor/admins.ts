import { countAdmins } from '../../engine/access/accounts.ts'
import { compileSite } from '../../model/compile/site.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import type { AppOptions } from '../../service.ts'
import type { Store } from '../../store/contract/store.ts'
import { loadSite } from '../command/site-module.ts'
import type { Findings } from './finding.ts'

/** Whether somebody may administer the site: a user who can sign in, or a key. */
export async function checkAdmins(found: Findings, store: Store, options: AppOptions): Promise<void> {
  const now = new Date().toISOString()
  const stored = (await store.keys.list()).filter(
    ({ role, revokedAt, expiresAt }) =>
      role === 'admin' && revokedAt === null && (expiresAt === null || expiresAt > now),
  )
  const keys = stored.length + (options.keys ?? []).filter(({ role }) => role === 'admin').length
  // Only the name of the type of users depends on the site; without one here, or with a wrong one, it is the usual
  // name.
  const site = await loadSite(undefined, process.env)
    .then(({ site }) => compileSite(site))
    .catch(() => compileSite(defineSite({})))
  const users = await countAdmins({ site, store })
  const counts = [...countText(users, 'user'), ...countText(keys, 'key')]
  if (counts.length > 0) found.ok(`Admins: ${counts.join(', ')}.`)
  else {
    const advice = 'Make one: quire user create NAME --role admin, or quire key create --role admin --name NAME'
    found.warn('There is no admin: neither a user nor a key.', advice)
  }
}

function countText(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]
}
