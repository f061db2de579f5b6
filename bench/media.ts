import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openFiles } from '../cms/src/files/open.ts'
import { startChild } from './children.ts'
import { type MeasuredServer, type Measuring, measure, measureServer, type Server, usage } from './measure.ts'
import { freePort, startBare, startClient, startService } from './start.ts'

// `node bench/media.ts`: what uploads cost, beside node:http that sends the same bytes. Prints a table.

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
  },
})

const KEY = 'bench-key'
const ID = '01m7dg5xk1p9zfpf1kbhzq2mra'
const SIZES = [20_000, 200_000]

const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'))
const uploads = join(folder, 'uploads')
const measuring: Measuring = {
  client: await startClient(),
  bare: await startBare(),
  connections: Number(flags.connections),
  seconds: Number(flags.seconds),
}
try {
  await writeFiles()
  const service = await startService({ database: `sqlite:${join(folder, 'bench.db')}`, key: KEY }, null)
  const bareFiles = await startBareFiles()
  console.log(
    '| Row | Requests/s | p50 ms | p99 ms | CPU µs | Of bare from memory | Of bare from the file | Memory MB |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const size of SIZES) await measureGet(service, bareFiles, size)
  await bareFiles.child.stop()
  await service.child.stop()
} finally {
  await measuring.client.stop()
  await measuring.bare.child.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Of one byte each: the client takes them for text. */
async function writeFiles(): Promise<void> {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const files = await openFiles({ address: uploads, path: '/uploads', log })
  for (const size of SIZES) {
    await files.put(`attachments/${ID}-${size}.jpg`, { source: Buffer.alloc(size, 'x') })
  }
}

async function measureGet(service: Server, bareFiles: Server, size: number): Promise<void> {
  const requestTo = (place: string) => ({ method: 'GET' as const, path: `${place}/${ID}-${size}.jpg` })
  const requests = Array.from({ length: measuring.connections }, () => requestTo('/uploads/attachments'))
  const { ours, bare } = await measure(measuring, service, { requests, isRead: true, isCached: true, key: null })
  const fromFile = await measureServer(measuring, bareFiles, {
    headers: {},
    requests: requests.map(() => requestTo('/attachments')),
    seconds: measuring.seconds,
  })
  print(`GET of ${size / 1000} KB`, ours, [bare, fromFile], (await usage(service)).rss)
}

async function startBareFiles(): Promise<Server> {
  const port = await freePort()
  return { address: `http://127.0.0.1:${port}`, child: await startChild('bare-files.ts', { port, folder: uploads }) }
}

/** Compares by requests a second, and by processor time in brackets. */
function print(row: string, ours: MeasuredServer, others: readonly MeasuredServer[], rss: number): void {
  const short = (value: number) => String(Number(value.toPrecision(3)))
  const ratios = others.map(
    (other) => `${short(ours.perSecond / other.perSecond)} (${short(other.cpu / ours.cpu)} by CPU)`,
  )
  const cells = [short(ours.perSecond), short(ours.p50), short(ours.p99), short(ours.cpu), ...ratios, short(rss / 1e6)]
  console.log(`| ${[row, ...cells].join(' | ')} |`)
}
