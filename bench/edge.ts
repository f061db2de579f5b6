import { fileURLToPath } from 'node:url'
import { createApp, type SiteDeclaration } from '../cms/src/index.ts'
import { EdgeCache, keptAnswer } from '../cms/test/edge-cache.ts'
import { startPurgeReceiver } from '../cms/test/purge-receiver.ts'
import type { JobRequest } from './children.ts'
import { KEY } from './command.ts'
import { ensureLoaded, openLoaded } from './databases.ts'
import { mixedRequests } from './mixed.ts'
import { site } from './site.ts'
import { markdownTable } from './table.ts'

// `npx node bench/edge.ts`: how many requests a cache in front of the site answers by itself (§6.8), of those of the row
// "mixed, 95 % reads", at a rate that a site may have; and how many one would that forgets nothing but what has changed.

const SIZE = 5_000
const WARM_UP = 8_000
const REQUESTS = 10_000
/** Requests a second. */
const RATE = 400
const AT_A_TIME = 20

const root = fileURLToPath(new URL('..', import.meta.url))
const loaded = await openLoaded('sqlite', await ensureLoaded({ root, kind: 'sqlite', size: SIZE }, false))
const cache = new EdgeCache()
const NOTHING = { hits: 0, misses: 0, same: 0, purged: 0, requests: 0 }
const counts = { ...NOTHING }
/** The last answer at each address. */
const answers = new Map<string, string>()
/** What was purged, in order. */
const purges: (readonly string[])[] = []
const receiver = await startPurgeReceiver((tags) => {
  counts.requests += 1
  purges.push(tags)
  counts.purged += cache.purge(tags)
})
const app = await createApp(behindCache(site, receiver.url), {
  database: loaded.database,
  uploads: loaded.uploads,
  keys: [{ key: KEY, role: 'editor', name: 'Benchmark' }],
  timeouts: { background: 0, drain: 0 },
})
const address = await app.listen(0, '127.0.0.1')
try {
  await run(mixedRequests(loaded.samples, WARM_UP, 0).filter(({ method }) => method === 'GET'))
  Object.assign(counts, NOTHING)
  await run(mixedRequests(loaded.samples, REQUESTS, WARM_UP))
  const { hits, misses, same, purged, requests } = counts
  const reads = hits + misses
  const share = (count: number) => `${((100 * count) / reads).toFixed(1)} %`
  const row = [`mixed, 95 % reads, ${RATE} a second`, reads, share(hits), share(hits + same), requests, purged].map(
    String,
  )
  const head = ['Row', 'Reads', 'Answered by the cache', 'At most: nothing had changed', 'Purges', 'Answers purged']
  console.log(markdownTable(head, [row]))
} finally {
  await app.close()
  receiver.close()
  await loaded.remove()
}

function behindCache({ kind, options }: SiteDeclaration, url: string): SiteDeclaration {
  const purge = { kind: 'http', url, allowPrivate: true, sharedMaxAge: 86_400 } as const
  return { kind, options: { ...options, purge } } as SiteDeclaration
}

/** Some at a time, at the rate. */
async function run(requests: readonly JobRequest[]): Promise<void> {
  const start = performance.now()
  for (let index = 0; index < requests.length; index += AT_A_TIME) {
    const wait = start + (1000 * index) / RATE - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    await Promise.all(requests.slice(index, index + AT_A_TIME).map(send))
  }
}

async function send({ method, path, body }: JobRequest): Promise<void> {
  if (method === 'GET') return read(path)
  const headers = { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' }
  const response = await fetch(address + path, { method, headers, ...(body === undefined ? {} : { body }) })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}.`)
}

async function read(path: string): Promise<void> {
  if (cache.get(path) !== undefined) {
    counts.hits += 1
    return
  }
  counts.misses += 1
  const before = purges.length
  const response = await fetch(address + path)
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const text = await response.text()
  if (answers.get(path) === text) counts.same += 1
  answers.set(path, text)
  const kept = keptAnswer([...lines, '', text].join('\n'))
  const isPurged = purges.slice(before).some((tags) => kept?.tags.some((tag) => tags.includes(tag)))
  if (kept !== null && !isPurged) cache.keep(path, kept)
}
