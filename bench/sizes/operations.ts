import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApp } from '../../cms/src/app.ts'
import { defineMigration } from '../../cms/src/index.ts'
import { HERE, startCommand } from '../command.ts'
import { processorMilliseconds, residentBytes } from '../processes.ts'
import { markdownTable } from '../table.ts'
import { laterSite } from './sizes-site.ts'

// `npx node bench/sizes/operations.ts DATABASE --restored DATABASE --folder FOLDER [--only NAME]`: how long it takes to
// check, back up, restore, migrate and index again a database that `multiply.ts` has filled, while a service of the
// former site answers lists. The first database is left migrated.

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    restored: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
})
const [database = ''] = positionals
const uploads = join(flags.folder, 'uploads')
const backup = join(flags.folder, 'whole.backup')
const WARM_UP_MS = 20_000
const EVERY_MS = 100
const MEMORY_MS = 250
const renaming = defineMigration({
  name: '0001-reading-time',
  up: (content) => content.renameField('kind0', 'minutes', 'readingTime'),
})

/** What an operation took, and what callers noticed. */
interface Figures {
  readonly name: string
  readonly seconds: number
  readonly cpu: number
  readonly megabytes: number
  /** Milliseconds of each list that was asked for meanwhile. */
  readonly lists: readonly number[]
}

const lines: Figures[] = []
await writeFile(join(flags.folder, 'site.ts'), `export { site } from '${join(HERE, 'bench/sizes/sizes-site.ts')}'\n`)
const service = await startCommand({ database, uploads, site: join(HERE, 'bench/sizes/sizes-site.ts') })
await pause(WARM_UP_MS)
await measure('nothing', () => pause(WARM_UP_MS))
await command('doctor', [], database)
await command('doctor, all', ['--all'], database)
await command('backup', [backup], database)
await command('restore', [backup], flags.restored)
await measure('a field of 23,300 documents renamed, and the index rebuilt', rename)
await service.child.stop()
console.log(
  markdownTable(
    ['', 'seconds', 'processor seconds', 'MB at most', 'lists meanwhile, ms (median, 95th, longest)'],
    lines.map(row),
  ),
)
const size = await stat(backup).then(
  ({ size }) => size,
  () => null,
)
if (size !== null) console.log(`\nThe backup has ${(size / 1e6).toFixed(0)} MB.`)

async function rename(): Promise<void> {
  const said = (data: object, message: string) => console.error(message, JSON.stringify(data))
  const log = { info: said, warn: said, error: said }
  const app = await createApp(laterSite, { database, uploads, log, contentMigrations: { migrations: [renaming] } })
  await app.close()
}

/** Runs `quire` with an operation, whose name may say more than the command. */
function command(name: string, more: readonly string[], on: string): Promise<void> {
  return measure(name, async (watch) => {
    const [program, verb = ''] = [join(HERE, 'cms/bin/quire.js'), name.split(',')[0]]
    const child = spawn(process.execPath, [program, verb, ...more], {
      cwd: flags.folder,
      env: { ...process.env, QUIRE_DATABASE: on, QUIRE_UPLOADS: verb === 'restore' ? `${uploads}-restored` : uploads },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    watch(child.pid ?? 0)
    const [code] = await once(child, 'exit')
    if (code !== 0) console.error(`${name} ended with ${code}.`)
  })
}

async function measure(name: string, work: (watch: (pid: number) => void) => Promise<unknown>): Promise<void> {
  if (!name.includes(flags.only)) return
  let pid = process.pid
  let [cpu, before, bytes] = [0, processorMilliseconds(pid), 0]
  const look = () => {
    cpu = Math.max(cpu, processorMilliseconds(pid) - before || 0)
    // The last look may find nobody.
    bytes = Math.max(bytes, residentBytes(pid) || 0)
  }
  const timer = setInterval(look, MEMORY_MS)
  const asking = startAsking()
  const started = performance.now()
  await work((child) => {
    ;[pid, before] = [child, 0]
  })
  const seconds = (performance.now() - started) / 1000
  clearInterval(timer)
  const figures = { name, seconds, cpu: cpu / 1000, megabytes: bytes / 1e6, lists: await asking.stop() }
  console.error(row(figures).join(' | '))
  lines.push(figures)
}

/** Asks for a page of a list again and again. */
function startAsking() {
  const times: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now()
      const page = 1 + Math.floor(Math.random() * 300)
      const answer = await fetch(`${service.address}/api/v1/article?perPage=10&page=${page}`)
      if (!answer.ok) throw new Error(`A list was answered ${answer.status}.`)
      await answer.arrayBuffer()
      times.push(performance.now() - began)
      await pause(EVERY_MS)
    }
  })()
  const stop = async () => {
    isOver = true
    await asking
    return times.toSorted((one, other) => one - other)
  }
  return { stop }
}

function row({ name, seconds, cpu, megabytes, lists }: Figures): string[] {
  const at = (share: number) => (lists[Math.min(lists.length - 1, Math.floor(share * lists.length))] ?? 0).toFixed(1)
  return [name, seconds.toFixed(1), cpu.toFixed(1), megabytes.toFixed(0), `${at(0.5)}, ${at(0.95)}, ${at(1)}`]
}
