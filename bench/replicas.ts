import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type App, createApp } from '../cms/src/index.ts'
import { callerOf } from '../cms/test/caller.ts'
import { startCluster } from '../cms/test/postgres-cluster.ts'
import { databaseUrl, type PostgresServer, runOn } from '../cms/test/postgres-server.ts'
import { prose } from '../conformance/prose.ts'
import { KEY } from './command.ts'
import { processorTimes } from './processes.ts'
import { site } from './site.ts'
import { markdownTable } from './table.ts'

// `npx node bench/replicas.ts`: what reads cost the primary of a PostgreSQL and its replicas, with none, one and two of
// these, without caches. All servers share this machine, so that only their processor time says what they would bear.

const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
const NAME = 'shelf'
const [ARTICLES, BYTES, SERVICES, AT_A_TIME, WARM_UP_SECONDS] = [400, 4_000, 2, 4, 2]

const cluster = await startCluster(2)
await runOn(cluster.primary.url, `create database ${NAME}`)
const ids = await fill()
const lines: string[][] = []
for (let count = 0; count <= cluster.replicas.length; count += 1) lines.push(await line(count))
console.log(markdownTable(['Replicas', 'Reads a second', 'CPU of the primary, µs a read', 'of the replicas'], lines))
await cluster.stop()

/** Writes articles; their ids. */
async function fill(): Promise<readonly string[]> {
  const [service] = await start(1, 0)
  if (service === undefined) throw new Error('There is one.')
  const editor = callerOf(service.address, KEY, null)
  const random = prose(1)
  const write = async (number: number) => {
    const content = random.paragraph(BYTES)
    const items = [{ metaType: 'widget', type: '@cms/rich-text', content }]
    const { status, body } = await editor.post('article', {
      title: `Article ${number}`,
      body: { metaType: 'area', items },
    })
    if (status !== 200) throw new Error(`The article was refused: ${JSON.stringify(body)}`)
    return String(body.aposDocId)
  }
  const made: string[] = []
  for (let number = 0; number < ARTICLES; number += 1) made.push(await write(number))
  await service.app.close()
  return made
}

/** A service, and where it listens. */
interface Service {
  readonly app: App
  readonly address: string
}

/** Services that read from so many of the replicas, in this process. */
function start(services: number, count: number): Promise<Service[]> {
  const replicas = cluster.replicas.slice(0, count).map(({ url }) => databaseUrl(url, NAME))
  const keys = [{ key: KEY, role: 'editor', name: 'Benchmark' }] as const
  const one = async () => {
    const app = await createApp(site, {
      database: databaseUrl(cluster.primary.url, NAME),
      replicas,
      keys,
      cacheBytes: 0,
    })
    return { app, address: await app.listen(0, '127.0.0.1') }
  }
  return Promise.all(Array.from({ length: services }, one))
}

/** Measures reads of articles and lists by two services. */
async function line(replicas: number): Promise<string[]> {
  const services = await start(SERVICES, replicas)
  await read(services, WARM_UP_SECONDS)
  const servers = [cluster.primary, ...cluster.replicas]
  const pids = await Promise.all(servers.map(processIdOf))
  const before = processorTimes()
  const seconds = Number(flags.seconds)
  const reads = await read(services, seconds)
  const after = processorTimes()
  const cost = (processIds: readonly number[]) =>
    processIds.map((pid) => Math.round((1000 * (after.ofTree(pid) - before.ofTree(pid))) / reads))
  const [primary = 0, ...others] = cost(pids)
  await Promise.all(services.map(({ app }) => app.close()))
  return [replicas, Math.round(reads / seconds), primary, others.slice(0, replicas).join(', ')].map(String)
}

/** Reads as quickly as answers come; how often. */
async function read(services: readonly Service[], seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds
  let reads = 0
  const go = async ({ address }: Service) => {
    while (performance.now() < until) {
      const isList = reads % 4 === 0
      const path = isList ? `article?page=${1 + (reads % 40)}` : `article/${ids[reads % ids.length]}`
      const response = await fetch(`${address}/api/v1/${path}`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
      reads += 1
    }
  }
  await Promise.all(services.flatMap((service) => Array.from({ length: AT_A_TIME }, () => go(service))))
  return reads
}

async function processIdOf({ data }: PostgresServer): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
}
