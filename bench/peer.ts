import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { paint } from '../conformance/paint.ts'
import { prose } from '../conformance/prose.ts'
import type { Job, JobRequest, Measured } from './children.ts'
import { articleBody } from './content.ts'
import { type Call, peers, type Write } from './peers.ts'
import { startClient } from './start.ts'
import { median } from './steady.ts'
import { markdownTable } from './table.ts'

// `node bench/peer.ts BASE=http://localhost:3000 --peer payload --key … --pid …`: fills any system that `peers.ts` can ask with the
// documents of the other benchmarks, and measures reads and writes of them, to set systems side by side. It adds to
// what is there: begin with an empty database.

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peer: { type: 'string', default: 'quire' },
    key: { type: 'string', default: '' },
    /** The process of the system: its processor time is reported, too (Linux), with that of its children. */
    pid: { type: 'string' },
    documents: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '2' },
    warmUp: { type: 'string', default: '5000' },
  },
})

const TOPICS = 50
const IMAGES = 20
const TOGETHER = 8
const ROUNDS = 3
const CONNECTIONS = 16
const PER_PAGE = 10
const WORDS = 500
/** Distinct ones of each kind. */
const WRITES = 5000
/** Microseconds: what Linux counts in. */
const TICK = 10_000
/** A warm-up that takes longer ends. */
const MOST_WARM_UP_SECONDS = 20

const base = positionals.find((text) => text.startsWith('BASE='))?.slice('BASE='.length)
const peer = peers[flags.peer]
if (base === undefined || peer === undefined) {
  console.error(`node bench/peer.ts BASE=http://… --peer ${Object.keys(peers).join('|')} --key … [--pid …]`)
  for (const [name, { needs }] of Object.entries(peers)) console.error(`\n${name} needs ${needs}`)
  process.exit(1)
}
const headers = peer.headers(flags.key)
const size = Number(flags.documents)
const client = await startClient()
try {
  const started = performance.now()
  const { articles, article } = await fill()
  console.log(`${size} articles were posted in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`)
  const words = Array.from({ length: WORDS }, (_, index) => prose(index).title().split(' ')[0]?.toLowerCase() ?? '')
  const pages = Array.from({ length: Math.floor(size / PER_PAGE) }, (_, index) => index + 1)
  const reads = (paths: readonly string[]) => paths.map((path): JobRequest => ({ method: 'GET', path }))
  const changes = Array.from({ length: WRITES }, (_, index) =>
    requestOf(peer.patch(articles[index % articles.length] ?? '', `Changed ${index}`)),
  )
  const additions = Array.from({ length: WRITES }, (_, index) => requestOf(peer.article(article(size + index))))
  const readRows: [string, readonly string[]][] = [
    ['one by id', articles.map(peer.one)],
    ['list of 10', pages.map(peer.list)],
    ['search', words.map(peer.search)],
  ]
  const lines: string[][] = []
  for (const [name, paths] of readRows) {
    lines.push(await measured(name, reads(paths), false))
    lines.push(await measured(`${name}, each time another address`, reads(paths), true))
  }
  lines.push(await measured('POST', additions, false), await measured('PATCH', changes, false))
  console.log(markdownTable(['Row', 'CPU µs', '/s', 'p50 ms', 'p99 ms', 'warm-up'], lines))
} finally {
  await client.stop()
}

/** Posts what the other benchmarks load. */
async function fill() {
  const topics = await inTurn(TOPICS, (index) => add(peer?.topic(prose(1_000_000 + index).title())))
  const images: string[] = []
  for (let index = 0; index < IMAGES; index += 1) {
    const text = prose(2_000_000 + index)
    const jpeg = new Blob([Uint8Array.from(await paint(text))], { type: 'image/jpeg' })
    images.push((await peer?.addImage(call, jpeg, text.title())) ?? '')
  }
  const article = (index: number) => articleBody(index, topics, images)
  return { article, articles: await inTurn(size, (index) => add(peer?.article(article(index)))) }
}

async function add(write: Write | undefined): Promise<string> {
  if (write === undefined || peer === undefined) throw new Error('There is no such system.')
  return peer.idOf(await call(write.path, write.method, write.body))
}

/** Some at a time, the answers in order. */
async function inTurn(count: number, make: (index: number) => Promise<string>): Promise<string[]> {
  const made: string[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next
      next += 1
      made[index] = await make(index)
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, worker))
  return made
}

async function call(...[path, method, body]: Parameters<Call>): Promise<unknown> {
  const isForm = body instanceof FormData
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${answer.slice(0, 500)}`)
  return JSON.parse(answer)
}

function requestOf({ method, path, body }: Write): JobRequest {
  return { method, path, body: JSON.stringify(body) }
}

/**
 * Reads are anonymous, and may have addresses of which no cache knows the answer. Medians of three rounds, after a
 * warm-up.
 */
async function measured(name: string, requests: readonly JobRequest[], isUnique: boolean): Promise<string[]> {
  const job = { url: base ?? '', connections: CONNECTIONS, headers: {}, requests, isUnique }
  const writeHeaders = { ...headers, 'content-type': 'application/json' }
  const ask = async (more: Pick<Job, 'seconds' | 'amount' | 'from'>) => {
    // `as`: client.ts answers jobs with this.
    const seen = (await client.ask({ ...job, writeHeaders, ...more } satisfies Job)) as Measured
    if (seen.failures > 0) throw new Error(`${name}: ${seen.failures} failed. ${seen.failure}`)
    return seen
  }
  let sent = 0
  for (const began = performance.now(); sent < Number(flags.warmUp); ) {
    if (performance.now() - began > MOST_WARM_UP_SECONDS * 1000) break
    sent += (await ask({ seconds: null, amount: 100, from: sent })).requests
  }
  const warmUp = sent
  const rounds: (Measured & { cpu: number })[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = processorMicroseconds()
    const seen = await ask({ seconds: Number(flags.seconds), from: sent })
    sent += seen.requests
    rounds.push({ ...seen, cpu: (processorMicroseconds() - before) / seen.requests })
  }
  const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure))
  const cpu = of((round) => round.cpu)
  const times = [of(({ p50 }) => p50), of(({ p99 }) => p99)].map((time) => time.toFixed(2))
  return [
    name,
    Number.isNaN(cpu) ? '' : cpu.toFixed(0),
    of(({ perSecond }) => perSecond).toFixed(0),
    ...times,
    String(warmUp),
  ]
}

/** Of the system's process and all below it; NaN where it is not known. */
function processorMicroseconds(): number {
  if (flags.pid === undefined) return Number.NaN
  const times = new Map<string, { parent: string; ticks: number }>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, rest = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
      const fields = rest.split(' ')
      times.set(pid, { parent: fields[1] ?? '', ticks: Number(fields[11]) + Number(fields[12]) })
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (pid: string): boolean => {
    if (pid === flags.pid) return true
    const parent = times.get(pid)?.parent
    return parent !== undefined && isBelow(parent)
  }
  return [...times].reduce((sum, [pid, { ticks }]) => (isBelow(pid) ? sum + ticks * TICK : sum), 0)
}
