import type { OutgoingCall } from '../../engine/outgoing/call.ts'
import { ANYTHING, EVERYTHING, type Tags } from '../../engine/tags.ts'
import type { PurgeKind, SitePurge } from '../../model/declared/purge.ts'
import type { Name, Purge } from '../../store/contract/store.ts'

/** How one kind of cache is asked to purge tags. */
interface PurgeForm {
  readonly method: string
  /** How many tags it takes at a time. */
  readonly most: number
  readonly message: (tags: readonly string[]) => Pick<OutgoingCall, 'headers' | 'body'>
}

const inHeader = (tags: readonly string[]) => ({ headers: { 'surrogate-key': tags.join(' ') }, body: '' })

const inJson = (tags: readonly string[]) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ tags }),
})

const FORMS: Readonly<Record<PurgeKind, PurgeForm>> = {
  fastly: { method: 'POST', most: 256, message: inHeader },
  cloudflare: { method: 'POST', most: 30, message: inJson },
  varnish: { method: 'PURGE', most: 500, message: inHeader },
  http: { method: 'POST', most: 1_000, message: inJson },
}

/** Where more requests were needed, one purges everything. */
const MOST_REQUESTS = 10

/** The names of several purges together; null for everything. */
export function mergedNames(purges: readonly Pick<Purge, 'names'>[]): readonly Name[] | null {
  const names = new Set<Name>()
  for (const purge of purges) {
    if (purge.names === null) return null
    for (const name of purge.names) names.add(name)
  }
  return [...names]
}

/** The requests that purge a cache of names that were changed; null for everything. */
export function purgeRequests(site: SitePurge, tags: Tags, names: readonly Name[] | null): readonly OutgoingCall[] {
  const { most } = FORMS[site.kind]
  const listed = names === null ? null : [ANYTHING, ...tags.of(names)]
  if (listed === null || listed.length > most * MOST_REQUESTS) return [requestOf(site, [EVERYTHING])]
  const batches = Array.from({ length: Math.ceil(listed.length / most) }, (_, index) => index * most)
  return batches.map((start) => requestOf(site, listed.slice(start, start + most)))
}

function requestOf({ kind, url, headers }: SitePurge, tags: readonly string[]): OutgoingCall {
  const { method, message } = FORMS[kind]
  const { headers: own, body } = message(tags)
  return { method, url, headers: { ...headers, ...own }, body }
}
