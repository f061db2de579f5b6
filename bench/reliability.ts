import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { compileSite } from '../cms/src/model/compile/site.ts'
import { callerOf } from '../cms/test/caller.ts'
import { inconsistencies } from '../cms/test/consistency.ts'
import { type Expected, missingOf, writeOn } from '../cms/test/crash-writers.ts'
import type { TestDatabases } from '../cms/test/databases.ts'
import { startPostgres } from '../cms/test/postgres-server.ts'
import { SERVING_KEYS, type Serving, serve } from '../cms/test/serving.ts'
import { site } from '../cms/test/serving-site.ts'
import { startProxy } from '../cms/test/tcp-proxy.ts'
import { send } from '../cms/test/wire.ts'
import { ABOUT_FAILOVERS, FAILOVERS_HEAD, failovers } from './failovers.ts'
import { type Seen, silentReaders, watched } from './outside.ts'

// `node bench/reliability.ts`: kills, overload and faults, on both databases. Writes `bench/reliability.md`.

const { values: flags } = parseArgs({
  options: {
    kills: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '6' },
    failovers: { type: 'string', default: '5' },
    out: { type: 'string', default: fileURLToPath(new URL('reliability.md', import.meta.url)) },
  },
})
const SECONDS = Number(flags.seconds)
const WRITERS = 6
const EDITOR = { authorization: `ApiKey ${SERVING_KEYS.editor}` }
const OPEN = { QUIRE_ARTICLE_PUBLIC: '1' }
const lines: string[] = []
const say = (line: string) => {
  console.log(line)
  lines.push(line)
}
const number = (value: number) => String(Number(value.toPrecision(3)))
const round = (value: number) => String(Math.round(value))

const server = await startPostgres()
process.env.QUIRE_TEST_POSTGRES = server.url
const { testDatabases } = await import('../cms/test/databases.ts')
try {
  const made = `Made by \`node bench/reliability.ts\` on ${new Date().toISOString().slice(0, 10)}`
  say('# Kills, overload and faults\n')
  say(
    `${made}: ${cpus().length} cores, Node.js ${process.versions.node}, load average ${round(loadavg()[0] ?? 0)} at the start.`,
  )
  say("Times are this machine's, and of what else runs on it; what counts is that")
  say('nothing that was answered is lost, and that the service stays able to say how it is.\n')
  say(`## \`kill -9\` while ${WRITERS} callers write\n`)
  say('| Database | Kills | Answered writes | Lost | Inconsistencies | Ready again, ms (median, longest) |')
  say('|---|---|---|---|---|---|')
  for (const databases of testDatabases) say(await kills(databases))
  say('\n## Overload\n')
  say('The health check is asked every 50 ms meanwhile.\n')
  say(
    '| Database | What | Answered | Refused with 503 | Other | Health, ms (median, longest) | Not healthy | Memory MB (rest, at most) |',
  )
  say('|---|---|---|---|---|---|---|---|')
  for (const databases of testDatabases) await overload(databases)
  say('\n## Faults between the service and PostgreSQL\n')
  say('Writers and readers go on meanwhile.\n')
  say(
    '| Fault | Seconds | Answered | Refused with 503 | Other | Longest answer, ms | Healed after, ms | Answered writes lost |',
  )
  say('|---|---|---|---|---|---|---|---|')
  for (const fault of ['cut', 'freeze', 'slow'] as const) say(await outage(fault))
  say('\n## Failovers of PostgreSQL\n')
  say(`${ABOUT_FAILOVERS}\n`)
  for (const line of FAILOVERS_HEAD) say(line)
  say(await failovers(Number(flags.failovers)))
  say('\n## Hostile images and files, 16 at once\n')
  say(await hostileFiles())
  await writeFile(flags.out, `${lines.join('\n')}\n`)
} finally {
  await server.stop()
}

async function kills(databases: TestDatabases): Promise<string> {
  const database = await databases.create()
  const known: Expected = { counts: new Map(), removed: new Set() }
  const starts: number[] = []
  let answered = 0
  let wrong = 0
  const start = async (): Promise<Serving> => {
    const began = performance.now()
    const serving = await serve(database.url)
    starts.push(performance.now() - began)
    return serving
  }
  let serving = await start()
  for (let kill = 0; kill < Number(flags.kills); kill += 1) {
    const caller = callerOf(serving.address, SERVING_KEYS.editor, null)
    const writers = Array.from({ length: WRITERS }, (_, writer) => writeOn(caller, known, writer))
    await pause(200 + Math.random() * 600)
    await serving.end('SIGKILL')
    for (const count of await Promise.all(writers)) answered += count
    wrong += (await inconsistencies(database.url, compileSite(site))).length
    serving = await start()
  }
  const lost = (await missingOf(callerOf(serving.address, SERVING_KEYS.editor, null), known)).length
  await serving.end('SIGTERM')
  await database.drop()
  const sorted = starts.toSorted((a, b) => a - b)
  const times = `${round(sorted[sorted.length >> 1] ?? 0)}, ${round(sorted.at(-1) ?? 0)}`
  return `| ${databases.name} | ${flags.kills} | ${answered} | ${lost} | ${wrong} | ${times} |`
}

interface Count {
  answered: number
  refused: number
  other: number
}

/** Sends requests one after another until the time is over, and counts the answers by their sort. */
async function asking(address: string, path: () => string, until: number, count: Count): Promise<void> {
  while (performance.now() < until) {
    try {
      const { status } = await send(address, { method: 'GET', path: path(), headers: EDITOR })
      if (status === 200) count.answered += 1
      else if (status === 503) count.refused += 1
      else count.other += 1
    } catch {
      count.other += 1
    }
  }
}

async function overload(databases: TestDatabases): Promise<void> {
  const database = await databases.create()
  const row = async (what: string, work: (serving: Serving, count: Count) => Promise<unknown>) => {
    const serving = await serve(database.url, OPEN)
    const count: Count = { answered: 0, refused: 0, other: 0 }
    const seen = await watched(serving.address, serving.processId, () => work(serving, count))
    await serving.end('SIGTERM')
    say(`| ${databases.name} | ${what} | ${count.answered} | ${count.refused} | ${count.other} | ${seenIn(seen)} |`)
  }
  const filling = await serve(database.url, OPEN)
  const editor = callerOf(filling.address, SERVING_KEYS.editor, null)
  const body = `<p>${'words of an article '.repeat(100)}</p>`
  for (let n = 0; n < 500; n += 1) await editor.post('article', { title: `Article ${n}`, body })
  await filling.end('SIGTERM')
  await row('300 unread answers of 500 articles', async ({ address }) => {
    const get = (n: number) => `GET /api/v1/article?perPage=500&n=${n} HTTP/1.1\r\nHost: a\r\n\r\n`
    const sockets = silentReaders(address, 300, get)
    await pause(SECONDS * 1000)
    for (const socket of sockets) socket.destroy()
  })
  await row('50 anonymous bodies of 15 MB, half sent', async ({ address }) => {
    const head =
      'POST /api/v1/article HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 15000000\r\n\r\n'
    const half = Buffer.concat([Buffer.from(head), Buffer.alloc(7_500_000, ' ')])
    const sockets = silentReaders(address, 50, () => half)
    await pause(SECONDS * 1000)
    for (const socket of sockets) socket.destroy()
  })
  await row('400 callers at once, lists and searches', async ({ address }, count) => {
    let n = 0
    const path = () => {
      n += 1
      return n % 2 === 0 ? `/api/v1/article?perPage=50&n=${n}` : `/api/v1/article?search=article+${n % 500}&n=${n}`
    }
    const until = performance.now() + SECONDS * 1000
    await Promise.all(Array.from({ length: 400 }, () => asking(address, path, until, count)))
  })
  await database.drop()
}

function seenIn({ longest, median, unhealthy, rest, peak }: Seen): string {
  return `${number(median)}, ${round(longest)} | ${unhealthy} | ${round(rest)}, ${round(peak)}`
}

async function outage(fault: 'cut' | 'freeze' | 'slow'): Promise<string> {
  const postgres = testDatabases.find(({ name }) => name === 'PostgreSQL')
  if (!postgres) throw new Error('There is no PostgreSQL.')
  const database = await postgres.create()
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  const serving = await serve(url.href, OPEN)
  const editor = callerOf(serving.address, SERVING_KEYS.editor, null)
  const count: Count = { answered: 0, refused: 0, other: 0 }
  const written: string[] = []
  let longest = 0
  let isOver = false
  const client = async (name: number) => {
    for (let n = 0; !isOver; n += 1) {
      const began = performance.now()
      try {
        const answer =
          n % 2 === 0 ? await editor.post('article', { title: `F${name} ${n}` }) : await editor.get('article')
        if (answer.status === 200) count.answered += 1
        else if (answer.status === 503) count.refused += 1
        else count.other += 1
        if (answer.status === 200 && n % 2 === 0) written.push(answer.body.aposDocId)
        if (answer.status === 503) await pause(50)
      } catch {
        count.other += 1
      }
      longest = Math.max(longest, performance.now() - began)
    }
  }
  const clients = Array.from({ length: 8 }, (_, name) => client(name))
  await pause(1000)
  if (fault === 'slow') proxy.slow(20)
  else proxy[fault]()
  await pause(SECONDS * 1000)
  proxy.mend()
  const mended = performance.now()
  while ((await editor.post('article', { title: 'Healed' }).catch(() => ({ status: 0 }))).status !== 200)
    await pause(20)
  const healed = performance.now() - mended
  await pause(500)
  isOver = true
  await Promise.all(clients)
  let lost = 0
  for (const id of written) if ((await editor.get(`article/${id}`)).status !== 200) lost += 1
  await serving.end('SIGTERM')
  await proxy.close()
  await database.drop()
  const { answered, refused, other } = count
  return `| ${fault} | ${SECONDS} | ${answered} | ${refused} | ${other} | ${round(longest)} | ${round(healed)} | ${lost} of ${written.length} |`
}

async function hostileFiles(): Promise<string> {
  const program = fileURLToPath(new URL('../cms/test/hostile-child.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const { refused, kept, megabytes } = JSON.parse(stdout) as { refused: number; kept: number; megabytes: number }
  return `${refused} were refused and ${kept} kept; the process held ${round(megabytes)} MB at most.`
}
