import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileSite } from '../cms/src/model/compile/site.ts'
import { inconsistencies } from '../cms/test/consistency.ts'
import { Dice } from '../cms/test/dice.ts'
import { startCluster } from '../cms/test/postgres-cluster.ts'
import { databaseUrl, runOn } from '../cms/test/postgres-server.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { site } from './kills-site.ts'
import { Bucket, killBackend, killServer, Service, type Victim } from './kills-victims.ts'
import { type Counts, Writers } from './kills-writers.ts'

// `node bench/kills.ts 1000 --seed 7`: so many processes of services, their databases and their bucket are killed at
// random under writers. Prints the table of `bench/reliability.md`, and all that was wrong.

const WRITERS = 5
/** After so many kills, all is compared with what was answered, and later kills find an empty database. */
const ROUND = 50
const DUE_MS = 30_000
/** Between two kills. */
const MOST_ANSWERS = 20

/** Of all rounds on one kind of database. */
interface Total {
  readonly kills: Map<Victim['kind'], number>
  readonly counts: Omit<Counts, 'others'>
  documentsAndFiles: number
  readonly wrong: string[]
}

/** What is killed, and where its content is. */
interface Setting {
  readonly database: string
  readonly services: readonly Service[]
  readonly victims: readonly Victim[]
  stop(): Promise<void>
}

type Start = () => Promise<Setting>

async function run(name: string, start: Start, kills: number, seed: number): Promise<Total> {
  const counts = { answered: 0, refused: 0, perhaps: 0, unanswered: 0 }
  const total: Total = { kills: new Map(), counts, documentsAndFiles: 0, wrong: [] }
  const made = () => total.kills.values().reduce((sum, one) => sum + one, 0)
  for (let round = 0; made() < kills; round += 1) {
    const setting = await start()
    const before = total.wrong.length
    await oneRound(setting, `${name} ${round}`, Math.min(ROUND, kills - made()), new Dice(seed + round), total)
    await setting.stop()
    console.error([rowOf(name, total), ...total.wrong.slice(before)].join('\n'))
  }
  return total
}

async function oneRound(setting: Setting, name: string, kills: number, dice: Dice, total: Total): Promise<void> {
  const { services, database } = setting
  for (const service of services) await service.start()
  const writers = new Writers(name, () => services.flatMap(({ address }) => address ?? []))
  const writing = Array.from({ length: WRITERS }, (_, n) => writers.write(n, new Dice(dice.below(2 ** 31))))
  for (const part of [Math.floor(kills / 2), Math.ceil(kills / 2)]) {
    await killSome(setting.victims, part, { writers, dice, total })
    await writers.pause()
    total.wrong.push(...(await wrongNow(writers, database)))
    writers.resume()
  }
  writers.stop()
  await Promise.all(writing)
  total.wrong.push(...(await late(writers, database)))
  const [address = ''] = services.flatMap(({ address }) => address ?? [])
  total.wrong.push(...(await writers.lostFiles(address)), ...writers.counts.others)
  for (const { endedByItself } of services)
    total.wrong.push(...endedByItself.map((text) => `It ended by itself: ${text}`))
  for (const service of services) await service.end()
  total.wrong.push(...(await wrongNow(writers, database)))
  for (const name of ['answered', 'refused', 'perhaps', 'unanswered'] as const)
    total.counts[name] += writers.counts[name]
  total.documentsAndFiles += writers.size
}

interface Killing {
  readonly writers: Writers
  readonly dice: Dice
  readonly total: Total
}

/** Kills one after the other, each while others are answered; up to two are coming back at the same time. */
async function killSome(victims: readonly Victim[], count: number, { writers, dice, total }: Killing): Promise<void> {
  const away = new Map<Victim, Promise<void>>()
  let made = 0
  const kill = async (victim: Victim) => {
    if (await victim.kill()) total.kills.set(victim.kind, (total.kills.get(victim.kind) ?? 0) + 1)
    else made -= 1
    away.delete(victim)
  }
  while (made < count) {
    await writers.answered(1 + dice.below(MOST_ANSWERS))
    while (away.size > 1) await Promise.race(away.values())
    const victim = dice.pick(victims.filter((one) => !away.has(one)))
    made += 1
    away.set(victim, kill(victim))
    if (made === count) await Promise.all(away.values())
  }
}

async function wrongNow(writers: Writers, database: string): Promise<string[]> {
  return [...(await writers.wrongIn(database)), ...(await inconsistencies(database, compileSite(site)))]
}

/** What was scheduled is published soon. */
async function late(writers: Writers, database: string): Promise<string[]> {
  const deadline = Date.now() + DUE_MS
  while (Date.now() < deadline && (await writers.lateIn(database)).length > 0) await pause(500)
  return writers.lateIn(database)
}

const service = (kind: 'service' | 'worker', one: Service): Victim => ({
  kind,
  kill: () => (kind === 'service' ? one.kill() : one.killWorker()),
})

async function onSqlite(bucket: Bucket): Promise<Setting> {
  const folder = await temporaryFolder('quire-kills')
  const database = `sqlite:${join(folder, 'site.db')}`
  const files = bucket.environment(`sqlite-${Date.now()}`)
  const group = new Service(database, { ...files, QUIRE_WORKERS: '2' })
  const victims = [service('service', group), service('worker', group), service('worker', group), bucketVictim(bucket)]
  return { database, services: [group], victims, stop: () => rm(folder, { recursive: true, force: true }) }
}

async function onPostgres(bucket: Bucket): Promise<Setting> {
  const { primary, replicas, stop } = await startCluster(1)
  const name = 'shelf'
  await runOn(primary.url, `create database ${name}`)
  const database = databaseUrl(primary.url, name)
  const files = bucket.environment(`postgres-${Date.now()}`)
  const environment = { ...files, QUIRE_DATABASE_REPLICAS: replicas.map(({ url }) => databaseUrl(url, name)).join() }
  const one = new Service(database, environment)
  const group = new Service(database, { ...environment, QUIRE_WORKERS: '2' })
  const victims: Victim[] = [
    service('service', one),
    service('service', group),
    service('worker', group),
    { kind: 'database', kill: () => killServer(primary) },
    { kind: 'backend', kill: () => killBackend(primary, name) },
    ...replicas.map((replica): Victim => ({ kind: 'replica', kill: () => killServer(replica) })),
    bucketVictim(bucket),
  ]
  return { database, services: [one, group], victims, stop }
}

const bucketVictim = (bucket: Bucket): Victim => ({ kind: 'bucket', kill: () => bucket.kill() })

/** The head of the table. */
const HEAD = [
  '| Database | Kills | Answered writes | Documents and files checked | Refused with 503 | Perhaps stored | Without an answer | Lost, half or unsound |',
  '|---|---|---|---|---|---|---|---|',
]

function rowOf(name: string, { kills, counts, documentsAndFiles, wrong }: Total): string {
  const kinds = [...kills].map(([kind, count]) => `${count} ${kind}`).join(', ')
  const { answered, refused, perhaps, unanswered } = counts
  return `| ${[name, kinds, answered, documentsAndFiles, refused, perhaps, unanswered, wrong.length].join(' | ')} |`
}

/** Makes so many kills, half on each kind of database at the same time. */
export async function kills(count: number, seed: number): Promise<{ lines: string[]; wrong: string[] }> {
  const buckets = [await Bucket.create(), await Bucket.create()] as const
  try {
    const [sqlite, postgres] = await Promise.all([
      run('SQLite', () => onSqlite(buckets[0]), Math.floor(count / 2), seed),
      run('PostgreSQL', () => onPostgres(buckets[1]), Math.ceil(count / 2), seed + 1e6),
    ])
    const lines = [...HEAD, rowOf('SQLite', sqlite), rowOf('PostgreSQL', postgres), '', `Seed ${seed}.`]
    return { lines, wrong: [...sqlite.wrong, ...postgres.wrong] }
  } finally {
    for (const bucket of buckets) await bucket.remove()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
  const { lines, wrong } = await kills(Number(positionals[0] ?? 20), Number(values.seed ?? Date.now() % 1e6))
  for (const line of [...lines, ...wrong]) console.log(line)
  if (wrong.length > 0) process.exitCode = 1
}
