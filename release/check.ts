import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { compileSite } from '../cms/src/model/compile/site.ts'
import { callerOf } from '../cms/test/caller.ts'
import { inconsistencies } from '../cms/test/consistency.ts'
import { Dice } from '../cms/test/dice.ts'
import { databaseUrl, runOn, startPostgres } from '../cms/test/postgres-server.ts'
import { SERVING_KEYS, type Serving, serveByProgram } from '../cms/test/serving.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { formerRelease, lastRelease, type Program, presentRelease, runProgram } from './programs.ts'
import { site } from './site.ts'
import { ReleaseWriter, type Seen } from './writer.ts'

// `npm run release:check -- [--before COMMIT|TAG|FILE.tgz] [--seconds 300] [--seed N]`: whether the present program can
// take the place of a former one while everybody goes on. Both are packed and installed as sites have them.

const WRITERS = 4
const PROCESSES = 2

const { values: args } = parseArgs({
  options: {
    before: { type: 'string' },
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'quire-release-'))
const before = args.before ?? (await lastRelease())
const seen: Seen = { writes: 0, questions: 0, failures: [], wrong: [] }
console.log(`From ${before} to the present, seed ${args.seed}.`)
const former = await formerRelease(before, folder)
const present = await presentRelease(folder)
const postgres = await startPostgres({ max_connections: '200', fsync: 'off' })
await runOn(postgres.url, 'create database release')
const url = databaseUrl(postgres.url, 'release')
const environment = {
  QUIRE_DATABASE: url,
  QUIRE_UPLOADS: join(folder, 'uploads'),
  QUIRE_DRAIN_SECONDS: '2',
  QUIRE_MIGRATE: '1',
}
const balancer = await startBalancer()
const running = new Set<Serving>()
let isOver = false
try {
  process.exitCode = (await check(Number(args.seconds) * 1000)) ? 0 : 1
} finally {
  isOver = true
  for (const one of running) await one.end('SIGKILL')
  balancer.close()
  await postgres.stop()
  await rm(folder, { recursive: true })
}

/** Whether all is well. */
async function check(milliseconds: number): Promise<boolean> {
  const old = await start(former)
  const writers = await begin(balancer, old)
  await pause(milliseconds * 0.2)
  const plan = await runProgram(present, ['migrate', '--plan'], environment)
  console.log(plan.printed.trim())
  const migrated = await runProgram(present, ['migrate', '--additive'], environment)
  if (migrated.code !== 0) {
    console.log(migrated.printed.trim())
    const isClean = await finish(writers)
    console.log(isClean ? 'It was refused, and nobody noticed. This release needs a pause.' : 'It was refused.')
    return isClean
  }
  const fresh = await start(present)
  await pause(milliseconds * 0.4)
  for (const one of old) {
    await drain(one)
    await pause(milliseconds * 0.1)
  }
  await pause(milliseconds * 0.2)
  const isWell = await finish(writers)
  for (const one of fresh) await drain(one)
  return isWell
}

async function start(program: Program): Promise<readonly Serving[]> {
  const all: Serving[] = []
  for (let number = 0; number < PROCESSES; number += 1) {
    const one = await serveByProgram(program, url, environment)
    running.add(one)
    all.push(one)
    await balancer.add(one.address)
  }
  return all
}

/** Ends a process as a release does; what it has been sent is answered. */
async function drain(one: Serving): Promise<void> {
  const code = await one.end('SIGTERM')
  running.delete(one)
  if (code !== 0) seen.failures.push(`A process ended with ${code}: ${one.printed().slice(-500)}`)
}

interface Writers {
  readonly all: readonly ReleaseWriter[]
  readonly work: Promise<unknown>
}

async function begin({ address, ready }: Balancer, [first]: readonly Serving[]): Promise<Writers> {
  const editor = callerOf(first?.address ?? '', SERVING_KEYS.editor, null)
  const topics: string[] = []
  for (const title of ['Bread', 'Wine', 'Salt']) topics.push((await editor.post('topic', { title })).body.aposDocId)
  const all = Array.from({ length: WRITERS }, (_, number) => {
    const dice = new Dice(Number(args.seed) + number)
    return new ReleaseWriter({ name: `w${number}`, dice, address, services: ready, topics, seen })
  })
  const writing = async (writer: ReleaseWriter) => {
    while (!isOver) await writer.step()
  }
  return { all, work: Promise.all(all.map(writing)) }
}

/** Stops writing, asks for everything, and says what was seen. */
async function finish({ all, work }: Writers): Promise<boolean> {
  isOver = true
  await work
  for (const writer of all) await writer.askAll()
  await until(async () => (await runOn(url, 'select 1 from documents where search_stale = 1 limit 1')).length === 0)
  const unsound = await inconsistencies(url, compileSite(site))
  const { writes, questions, failures, wrong } = seen
  console.log(`${writes} writes, ${questions} questions.`)
  for (const [what, found] of Object.entries({ 'failed requests': failures, 'wrong answers': wrong, unsound }))
    console.log(
      `${found.length} ${what}${found
        .slice(0, 10)
        .map((one) => `\n  ${one}`)
        .join('')}`,
    )
  return failures.length + wrong.length + unsound.length === 0
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isSo()) && attempt < 300; attempt += 1) await pause(100)
}
