import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ServerClock } from '../src/store/postgres/postgres-clock.ts'
import { callerOf } from './caller.ts'
import { testDatabases } from './databases.ts'
import { SERVING_KEYS, serve } from './serving.ts'

const [HOUR, MINUTE] = [3_600_000, 60_000]
const OFF = fileURLToPath(new URL('clock-off.ts', import.meta.url))

/** Who asks the clock of the machine, and why no other machine is concerned. Everything else asks that of the database. */
const OWN_CLOCK: Readonly<Record<string, string>> = {
  'base/ids.ts': 'ids begin with a time, and are unique by chance',
  'base/patience.ts': 'how long this process waits',
  'cli/backup/make-backup.ts': 'the name and time of a backup',
  'cli/command/json-log.ts': 'times in the log',
  'cli/command/pretty-log.ts': 'times in the log',
  'cli/doctor/check-database.ts': 'times of files on this machine',
  'cli/key-command.ts': 'what is shown, and what is refused as past',
  'engine/lists/search-index.ts': 'how long this process waits',
  'engine/media/attachment-files.ts': 'times of files on this machine',
  'features/webhooks/signature.ts': 'by receivers',
  'files/folder.ts': 'times of files',
  'http/load/load.ts': 'how long answers are not read',
  'http/load/request-queue.ts': 'how long requests wait here',
  'http/pipeline/failure-log.ts': 'how often this process logs',
  'http/pipeline/respond.ts': 'ids of requests',
  'http/requests/sender-watch.ts': 'how long a sender is silent',
  'store/postgres/postgres-clock.ts': 'set right by the clock of the server',
  'store/postgres/postgres-listener.ts': 'compared with the clock of the server',
  'store/postgres/postgres-maintenance.ts': 'compared with the clock of the server',
  'store/sqlite/sqlite-maintenance.ts': 'times of files on this machine',
  'store/sqlite/sqlite.ts': 'all processes are on this machine',
}

test('§0.11 all but a few known places go by the clock of the database', async () => {
  const sources = fileURLToPath(new URL('../src', import.meta.url))
  const files = (await readdir(sources, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const asking: string[] = []
  for (const name of files)
    if (/\bDate\.now\(|new Date\(\)/.test(await readFile(`${sources}/${name}`, 'utf8'))) asking.push(name)
  expect(asking.toSorted()).toEqual(Object.keys(OWN_CLOCK))
})

describe('§0.11 the clock of a server', () => {
  const off = (clock: ServerClock) => clock.now().getTime() - Date.now()

  test('is that of this process as long as both may agree', () => {
    const clock = new ServerClock()
    for (const [time, before, after] of [
      [1_000.5, 1_000, 1_000],
      [1_500, 1_000, 2_000],
      [999.2, 1_000, 1_010],
    ] as const)
      clock.hear(time, before, after)
    expect(off(clock)).toBeCloseTo(0, -2)
  })

  test.each([-HOUR, HOUR])('is followed where it is %d milliseconds ahead, and when it is set right', (ahead) => {
    const clock = new ServerClock()
    for (let count = 0; count < 3; count += 1) clock.hear(10 * HOUR + ahead, 10 * HOUR - 5, 10 * HOUR + 5)
    expect(Math.abs(off(clock) - ahead)).toBeLessThan(MINUTE)
    clock.hear(10 * HOUR, 10 * HOUR - 5, 10 * HOUR + 5)
    expect(Math.abs(off(clock))).toBeLessThan(MINUTE)
  })
})

const servers = testDatabases.filter(({ name }) => name === 'PostgreSQL')

describe.each(servers)('§0.11 processes on $name whose clocks differ by an hour', { timeout: 120_000 }, (databases) => {
  test.each([-HOUR, HOUR])('go by that of the database: %d milliseconds', async (off) => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const clock = { TEST_CLOCK_OFF: String(off), NODE_OPTIONS: `--import=${OFF}` }
    const [right, wrong] = await Promise.all([serve(database.url), serve(database.url, clock)])
    onTestFinished(async () => void (await Promise.all([right, wrong].map((one) => one.end('SIGTERM')))))
    const [admin, other] = [right, wrong].map(({ address }) => callerOf(address, SERVING_KEYS.admin, null))
    if (admin === undefined || other === undefined) throw new Error('There are two.')
    const { body: made } = await other.post('article', { title: 'Made by the other' })
    expect(Math.abs(Date.parse(made.createdAt) - Date.now())).toBeLessThan(MINUTE)
    // What one process has begun and renews no other one takes for abandoned.
    const sent = Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? admin : other).post('article', { title: 'Once' }, '', { 'idempotency-key': 'once' }),
    )
    const ids = (await Promise.all(sent)).map(({ body }) => body._id)
    expect(new Set(ids).size).toBe(1)
    expect((await other.get(`article/${made._id}`)).status).toBe(200)
  })
})
