import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startChild } from './children.ts'
import { FRONT_KEY } from './command.ts'
import { type Server, usage } from './measure.ts'
import { median } from './steady.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS, withService } from './tables.ts'

// `node bench/urls.ts`: the URL metadata of 100,000 short articles, a few times one after the other. Writes
// `bench/results-urls.md`, or prints the table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    articles: { type: 'string', default: '100000' },
  },
})

const TIMES = 5
const SAMPLE_MS = 20
const MEGABYTE = 1e6

const rows = [
  { name: 'pages', path: '/api/v1/@cms/url' },
  { name: 'pages and used attachments', path: '/api/v1/@cms/url?attachments=1' },
] as const

await runTable({
  name: 'urls',
  title: 'Benchmarks of URL metadata',
  columns: [
    ['Database', 'Row'],
    ['Entries', 'Answer MB', 'ms, median', 'CPU ms', 'Memory above rest, one, MB', 'five, MB'],
  ],
  flags,
  isWhole: flags.articles === '100000',
  measure: measureUrls,
  explanation:
    () => `${flags.articles} articles of 100 bytes below an index page with one filter. Each row is asked for ${TIMES} times, one after the other, and never
cached. *Memory above rest* is what the service holds at most while it answers the first of them, and all of them, sampled each
${SAMPLE_MS} ms, above what it held before: with what the engine has not yet collected.`,
})

async function measureUrls({ add, ...on }: EmptyDatabase): Promise<void> {
  const loader = await startChild('load-urls.ts', { database: on.url, articles: Number(flags.articles) })
  await loader.ask({}).finally(() => loader.stop())
  for (const { name, path } of rows) {
    const figures = await withService(on, undefined, (service) => measureRow(service, path))
    add([on.database, name, ...figures])
  }
}

async function measureRow(service: Server, path: string): Promise<number[]> {
  const headers = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
  await fetch(`${service.address}/api/v1/@cms/url/literal-routes`, { headers })
  const before = await usage(service)
  const { highest, stop } = watchMemory(service)
  let first = 0
  const times: number[] = []
  let answer = ''
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now()
    const response = await fetch(service.address + path, { headers })
    answer = await response.text()
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${answer.slice(0, 300)}`)
    times.push(performance.now() - began)
    if (time === 0) first = highest()
  }
  const all = await stop()
  const after = await usage(service)
  const entries = (JSON.parse(answer) as { pages: unknown[] }).pages.length
  return [
    entries,
    answer.length / MEGABYTE,
    median(times),
    (after.cpu - before.cpu) / TIMES / 1000,
    (first - before.rss) / MEGABYTE,
    (all - before.rss) / MEGABYTE,
  ]
}

/** Samples the memory of a service until it is stopped. */
function watchMemory(service: Server): { highest(): number; stop(): Promise<number> } {
  let highest = 0
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      highest = Math.max(highest, (await usage(service)).rss)
      await setTimeout(SAMPLE_MS)
    }
  })()
  const stop = async () => {
    isDone = true
    await watching
    return highest
  }
  return { highest: () => highest, stop }
}
