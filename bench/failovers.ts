import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compileSite } from '../cms/src/model/compile/site.ts'
import { type Answer, type Caller, callerOf } from '../cms/test/caller.ts'
import { inconsistencies } from '../cms/test/consistency.ts'
import { addressOf, promote, startCluster, startReplica } from '../cms/test/postgres-cluster.ts'
import { databaseUrl, type PostgresServer, runOn } from '../cms/test/postgres-server.ts'
import { SERVING_KEYS, serve } from '../cms/test/serving.ts'
import { site } from '../cms/test/serving-site.ts'

// `node bench/failovers.ts 100`: so many times the primary is killed under writers, and its replica promoted.

const NAME = 'shelf'
const WRITERS = 4

/** What was answered, and what was seen of it. */
interface Seen {
  /** The least `count` that a document must have, by id. */
  readonly answered: Map<string, number>
  /** Titles of documents that were refused, and not said to be stored perhaps. */
  readonly refused: string[]
  writes: number
  refusals: number
  perhaps: number
  other: number
  /** Reads that showed less than had been answered before. */
  stale: number
  isOver: boolean
}

/** Runs failovers one after another; the row of a table. */
export async function failovers(count: number): Promise<string> {
  const { primary: first, replicas } = await startCluster(1)
  await runOn(first.url, `create database ${NAME}`)
  const servers = [first, ...replicas]
  const address = addressOf(servers, NAME)
  const serving = await serve(address, {
    QUIRE_ARTICLE_PUBLIC: '1',
    QUIRE_DATABASE_REPLICAS: servers.map(({ url }) => databaseUrl(url, NAME)).join(),
  })
  const editor = callerOf(serving.address, SERVING_KEYS.editor, null)
  const seen = newSeen()
  const readers = callerOf(serving.address, null, null)
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(editor, readers, seen, writer))
  const times: number[] = []
  await synchronous(first)
  for (let failover = 0; failover < count; failover += 1) {
    await pause(300 + Math.random() * 700)
    times.push(await failOver(servers, editor))
  }
  await pause(500)
  seen.isOver = true
  await Promise.all(writers)
  const [primary = first] = servers
  const url = databaseUrl(primary.url, NAME)
  const lost = await lostOf(editor, seen)
  const [[stored] = []] = await runOn(
    url,
    `select count(*)::int from documents where mode = 'published' and title = any(string_to_array($1, '|'))`,
    [seen.refused.join('|')],
  )
  await serving.end('SIGTERM')
  const wrong = (await inconsistencies(url, compileSite(site))).length
  for (const server of servers) await server.stop()
  const sorted = times.toSorted((a, b) => a - b).map(Math.round)
  const cells = [count, seen.writes, lost, seen.refusals, seen.perhaps, stored, seen.other, seen.stale, wrong]
  return `| ${[...cells, `${sorted[sorted.length >> 1]}, ${sorted.at(-1)}`].join(' | ')} |`
}

/** What is done and counted. */
export const ABOUT_FAILOVERS = [
  `${WRITERS} callers write and read what they have written, without a restart of the service, while the primary is killed`,
  '(`kill -9`) and its replica promoted, again and again. Replication is synchronous but for the seconds in which a new',
  'replica is made after each failover.',
].join('\n')

/** The head of the table. */
export const FAILOVERS_HEAD = [
  '| Failovers | Answered writes | Lost | Refused with 503 | of these perhaps stored | Stored though refused | Other answers | Reads of less than was answered | Inconsistencies | Writes again after, ms (median, longest) |',
  '|---|---|---|---|---|---|---|---|---|---|',
] as const

function newSeen(): Seen {
  const none = { writes: 0, refusals: 0, perhaps: 0, other: 0, stale: 0, isOver: false }
  return { answered: new Map(), refused: [], ...none }
}

/** Kills the primary, promotes the replica, and makes the former primary a replica; milliseconds until a write is answered. */
async function failOver(servers: PostgresServer[], editor: Caller): Promise<number> {
  const [primary, heir] = servers
  if (primary === undefined || heir === undefined) throw new Error('There are two servers.')
  const { port } = new URL(primary.url)
  const killed = performance.now()
  await primary.kill()
  await promote(heir)
  while ((await statusOf(editor.post('article', { title: 'Again' }))) !== 200) await pause(20)
  const time = performance.now() - killed
  await primary.stop()
  servers.splice(0, 2, heir, await startReplica(heir, { port }))
  await synchronous(heir)
  return time
}

/** From now on a commit is answered when the replica has it, too. */
async function synchronous({ url }: PostgresServer): Promise<void> {
  const replica = `select 1 from pg_stat_replication where state = 'streaming'`
  while ((await runOn(url, replica)).length === 0) await pause(20)
  await runOn(url, `alter system set synchronous_standby_names = '*'`)
  await runOn(url, 'select pg_reload_conf()')
  while ((await runOn(url, `${replica} and sync_state = 'sync'`)).length === 0) await pause(20)
}

const statusOf = (answer: Promise<Answer>) =>
  answer.then(
    ({ status }) => status,
    () => 0,
  )

/** Writes documents, changes each twice, and reads each after each answer. */
async function write(editor: Caller, reader: Caller, seen: Seen, writer: number): Promise<void> {
  for (let n = 0; !seen.isOver; n += 1) {
    const title = `Failover ${writer} ${n}`
    const made = await note(seen, () => editor.post('article', { title, count: 0 }))
    if (made === null) continue
    if (made.status !== 200) {
      if (made.body.data?.mayBeStored !== true) seen.refused.push(title)
      continue
    }
    const id: string = made.body.aposDocId
    seen.answered.set(id, 0)
    for (const count of [1, 2]) {
      const changed = await note(seen, () => editor.patch(`article/${id}`, { count }))
      if (changed?.status === 200) seen.answered.set(id, count)
      const read = await reader.get(`article/${id}`, `n=${count}`).catch(() => null)
      const isStale = read?.status === 404 || (read?.status === 200 && read.body.count < (seen.answered.get(id) ?? 0))
      if (isStale) seen.stale += 1
    }
  }
}

/** Counts the answer to a write; null where there is none. */
async function note(seen: Seen, send: () => Promise<Answer>): Promise<Answer | null> {
  const answer = await send().catch(() => null)
  if (answer?.status === 200) seen.writes += 1
  else if (answer?.status === 503) {
    seen.refusals += 1
    if (answer.body.data?.mayBeStored === true) seen.perhaps += 1
    await pause(20)
  } else seen.other += 1
  return answer
}

async function lostOf(caller: Caller, { answered }: Seen): Promise<number> {
  let lost = 0
  for (const [id, count] of answered) {
    const { status, body } = await caller.get(`article/${id}`)
    if (status !== 200 || body.count < count) lost += 1
  }
  return lost
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const line of [...FAILOVERS_HEAD, await failovers(Number(process.argv[2] ?? 10))]) console.log(line)
}
