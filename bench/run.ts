import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { firstAnswerOf, HERE, startCommand } from './command.ts'
import { type Loaded, loadedDatabase } from './databases.ts'
import { figuresTable, summary } from './report.ts'
import { rows } from './rows.ts'
import { startBare, startClient } from './start.ts'
import { type Bench, type Figures, measureRow, QUICK, type Subject, WHOLE } from './steady.ts'

// `npm run bench`: what the service costs. With `--quick`: 5,000 documents on SQLite, in two minutes.

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Names of rows, or parts of them. */
    rows: { type: 'string' },
    documents: { type: 'string', default: '5000' },
    /** Another checkout of this repository, which is measured beside this one. */
    against: { type: 'string' },
    /** Megabytes of the answer cache. */
    cache: { type: 'string' },
    /** Loads databases anew. */
    fresh: { type: 'boolean', default: false },
    /** A folder for CPU profiles. */
    profile: { type: 'string' },
  },
})

const started = performance.now()
const wanted = flags.rows?.split(',')
const chosen = rows.filter(({ name }) => wanted === undefined || wanted.some((part) => name.includes(part)))
const size = Number(flags.documents)
const roots = [HERE, ...(flags.against === undefined ? [] : [resolve(flags.against)])]
const bench: Bench = { client: await startClient(), bare: await startBare(), effort: flags.quick ? QUICK : WHOLE }
const loaded: Loaded[] = []
const subjects: Subject[] = []
try {
  for (const root of roots) loaded.push(await loadedDatabase(root, size, flags.fresh))
  for (const [index, { database, uploads, samples, loading }] of loaded.entries()) {
    const root = roots[index] ?? HERE
    const cacheMegabytes = flags.cache === undefined ? undefined : Number(flags.cache)
    const served = { root, database, uploads, cacheMegabytes, profile: flags.profile }
    console.log(summary(root, size, loading, await firstAnswerOf(served, `/api/v1/article/${samples.articles[0]?.id}`)))
    subjects.push({ name: root, service: await startCommand(served), samples, written: 0 })
  }
  const figures: Figures[] = []
  for (const row of chosen) {
    figures.push(...(await measureRow(bench, row, subjects)))
    console.error(`${((performance.now() - started) / 1000).toFixed(0)} s: ${row.name}`)
  }
  console.log(figuresTable(figures, size))
} finally {
  for (const { service } of subjects) await service.child.stop()
  for (const one of loaded) await one.remove()
  await bench.client.stop()
  await bench.bare.child.stop()
}
