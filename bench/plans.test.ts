import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../cms/src/app.ts'
import { silentLog } from '../cms/src/cli/command/json-log.ts'
import { testDatabases } from '../cms/test/databases.ts'
import { isWhole } from '../cms/test/sample.ts'
import { loadKernel, samplesOf } from './sizes/load-kernel.ts'
import { multiply } from './sizes/multiply.ts'
import { problemOfPlan, statementsOf } from './sizes/plans.ts'
import { type Question, questions } from './sizes/questions.ts'
import { site } from './sizes/sizes-site.ts'

const KEY = 'key-of-an-admin'
/** As many times as 10,000 documents. */
const TIMES = 10
/** What a statement may sort: what one search finds, and not a list. */
const MOST_SORTED = 10_000
const postgres = testDatabases.filter(({ name }) => name === 'PostgreSQL')

// At fewer documents a planner rightly reads whole tables.
test.runIf(isWhole && postgres.length > 0)(
  'no list of 100,000 documents reads a whole table',
  { timeout: 900_000 },
  async () => {
    const [databases] = postgres
    const database = await databases?.create()
    if (database === undefined) throw new Error('There is no PostgreSQL.')
    const folder = await mkdtemp(join(tmpdir(), 'quire-plans-'))
    const samplesFile = join(folder, 'samples.json')
    await loadKernel(database.url, folder, samplesFile)
    await multiply(database.url, samplesFile, TIMES)
    const keys = [{ key: KEY, role: 'admin', name: 'admin' }] as const
    const app = await createApp(site, { database: database.url, uploads: folder, log: silentLog, keys })
    const client = new Client({ connectionString: database.url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await app.close()
      await database.drop()
      await rm(folder, { recursive: true })
    })
    const address = await app.listen(0, '127.0.0.1')
    const found: string[] = []
    for (const question of questions({ ...(await samplesOf(samplesFile)), key: KEY })) {
      for (const sent of await statementsOf(() => answersOf(address, question))) {
        const problem = await problemOfPlan(client, sent, MOST_SORTED)
        if (problem !== null) found.push(`${question.name} ${problem}: ${sent.text}`)
      }
    }
    expect(found).toEqual([])
  },
)

async function answersOf(address: string, { requests, headers }: Question): Promise<void> {
  for (const { method, path, body = null } of requests) {
    const response = await fetch(`${address}${path}`, { method, headers: { ...headers }, body })
    expect(`${response.status} ${path} ${response.ok ? '' : await response.text()}`).toMatch(/^200/)
    if (!response.bodyUsed) await response.arrayBuffer()
  }
}
