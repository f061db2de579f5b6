import { parseArgs } from 'node:util'
import { type JobRequest, startChild } from './children.ts'
import { KEY } from './command.ts'
import type { MovedPages } from './load-pages.ts'
import { type Server, usage } from './measure.ts'
import type { Row } from './row.ts'
import { type Bench, measureRow } from './steady.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS, withAndWithoutCache, withBench, withService } from './tables.ts'

// `node bench/pages.ts`: the tree of pages, of 200 and of 10,000 pages of 1 KB, ten children each. Writes
// `bench/results-pages.md`, or prints the table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '200,10000' },
    ...TABLE_FLAGS,
  },
})

const PAGE = '/api/v1/@cms/page'
const MOVES = 20

const get = (path: string): JobRequest => ({ method: 'GET', path })
const byId = (ids: readonly string[]) => ids.map((id) => get(`${PAGE}/${id}`))
const rows: readonly Row<readonly string[]>[] = [
  { name: 'home with top-level pages', kind: 'read', requests: () => [get(PAGE)] },
  { name: 'whole tree, nested', kind: 'read', requests: () => [get(`${PAGE}?all=1`)] },
  { name: 'whole tree, flat', kind: 'read', requests: () => [get(`${PAGE}?all=1&flat=1`)] },
  { name: 'one page, with ancestors and children', kind: 'read', requests: byId },
  {
    name: 'one page, key of an admin',
    kind: 'read',
    headers: () => ({ authorization: `ApiKey ${KEY}` }),
    requests: byId,
  },
  {
    name: 'POST',
    kind: 'write',
    requests: (ids, amount, from) =>
      Array.from({ length: amount }, (_, index) => {
        const _targetId = ids[(from + index) % ids.length]
        const body = { type: 'chapter', title: `New ${from + index}`, _targetId, _position: 'lastChild' }
        return { method: 'POST', path: PAGE, body: JSON.stringify(body) }
      }),
  },
]

await withBench((bench) =>
  runTable({
    name: 'pages',
    title: 'Benchmarks of the tree of pages',
    columns: [
      ['Database', 'Pages', 'Row'],
      ['CPU µs', 'Cache off, CPU µs', '× bare', '/s', 'p50 ms', 'p99 ms', 'Memory MB'],
    ],
    flags,
    isWhole: flags.sizes === '200,10000',
    sizes: flags.sizes.split(',').map(Number),
    measure: (on) => measureTree(bench, on),
    explanation:
      () => `Pages of 1 KB, ten children each. What is measured, and how, is as in [results.md](results.md): reads are misses. Moves are sent one
after the other; their *CPU µs* hold what search catches up meanwhile.`,
  }),
)

async function measureTree(bench: Bench, { database, size, add, ...on }: EmptyDatabase): Promise<void> {
  // `as`: load-pages.ts answers with this when it is given a size.
  const ids = (await loaded({ database: on.url, size })) as readonly string[]
  await withAndWithoutCache(on, ids, async (own, uncached) => {
    for (const row of rows) {
      const subjects = row.kind === 'read' ? [own, uncached] : [own]
      const [figures, off] = await measureRow(bench, row, subjects)
      if (figures === undefined) continue
      const { cpu, bare, perSecond, p50, p99, rss } = figures
      add([database, size, row.name, cpu, off?.cpu ?? '', cpu / bare, perSecond, p50, p99, rss / 1e6])
    }
  })
  // `as`: and with this when it is not.
  const moved = (await loaded({ database: on.url, size: null })) as MovedPages
  const moves = await withService(on, undefined, (service) => measureMoves(service, moved))
  add([database, size, 'move of a subtree of 1,000', ...moves])
}

async function loaded(settings: { readonly database: string; readonly size: number | null }): Promise<unknown> {
  const loader = await startChild('load-pages.ts', settings)
  return loader.ask({}).finally(() => loader.stop())
}

/** One after the other: to one page, and back below the other. */
async function measureMoves(service: Server, { subtree, landings }: MovedPages): Promise<(number | string)[]> {
  const times: number[] = []
  const before = await usage(service)
  for (let index = 0; index < MOVES; index += 1) {
    const started = performance.now()
    const response = await fetch(`${service.address}${PAGE}/${subtree}`, {
      method: 'PATCH',
      headers: { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ _targetId: landings[index % 2], _position: 'lastChild' }),
    })
    if (!response.ok) throw new Error(`A move answers ${response.status}: ${await response.text()}`)
    await response.text()
    times.push(performance.now() - started)
  }
  const after = await usage(service)
  const sorted = times.toSorted((a, b) => a - b)
  const perSecond = (1000 * MOVES) / times.reduce((sum, time) => sum + time, 0)
  const at = (part: number) => sorted[Math.floor((MOVES - 1) * part)] ?? 0
  return [(after.cpu - before.cpu) / MOVES, '', '', perSecond, at(0.5), at(0.99), after.rss / 1e6]
}
