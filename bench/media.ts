import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openFiles } from '../cms/src/files/open-files.ts'
import { freePort } from '../cms/test/free-port.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { type JobRequest, startChild } from './children.ts'
import { startCommand } from './command.ts'
import { measureServer, type Server } from './measure.ts'
import { type Bench, measureRow, median } from './steady.ts'
import { markdownTable } from './table.ts'
import { withBench } from './tables.ts'

// `node bench/media.ts`: the costs of uploads, compared with node:http that sends the same bytes. Prints a table.

const ROUNDS = 3
const REQUESTS = 3000
const CONNECTIONS = 16
const ID = '01m7dg5xk1p9zfpf1kbhzq2mra'
const SIZES = [20_000, 200_000]

const folder = await temporaryFolder('quire-bench')
const uploads = join(folder, 'uploads')
await withBench(measureAll).finally(() => rm(folder, { recursive: true, force: true }))

async function measureAll(bench: Bench): Promise<void> {
  const service = await startCommand({ database: `sqlite:${join(folder, 'bench.db')}`, uploads })
  await writeFiles()
  const bareFiles = await startBareFiles()
  try {
    const lines: string[][] = []
    for (const size of SIZES) lines.push(await measureGet(bench, service, bareFiles, size))
    const head = ['Row', 'CPU µs', 'of bare from memory', 'of bare from the file', '/s', 'p50 ms', 'p99 ms', 'MB']
    console.log(markdownTable(head, lines))
  } finally {
    await bareFiles.child.stop()
    await service.child.stop()
  }
}

/** Of one byte each: the client takes them for text. */
async function writeFiles(): Promise<void> {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const files = await openFiles({ address: uploads, path: '/uploads', log })
  for (const size of SIZES) {
    await files.put(`attachments/${ID}-${size}.jpg`, { source: Buffer.alloc(size, 'x') })
  }
}

/** Compares by processor time. */
async function measureGet(bench: Bench, service: Server, bareFiles: Server, size: number): Promise<string[]> {
  const of = (place: string): JobRequest => ({ method: 'GET', path: `${place}/${ID}-${size}.jpg` })
  const row = {
    name: `GET of ${size / 1000} KB`,
    kind: 'cached',
    requests: () => [of('/uploads/attachments')],
  } as const
  const [figures] = await measureRow(bench, row, [{ name: '', service, samples: null, sent: 0 }])
  if (figures === undefined) throw new Error('Nothing was measured.')
  const fromFile: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const job = { headers: {}, requests: [of('/attachments')], seconds: null, amount: REQUESTS }
    fromFile.push((await measureServer({ client: bench.client, connections: CONNECTIONS }, bareFiles, job)).cpu)
  }
  const { cpu, bare, perSecond, p50, p99, rss } = figures
  const cells = [cpu, bare / cpu, median(fromFile) / cpu, perSecond, p50, p99, rss / 1e6]
  return [row.name, ...cells.map((value) => String(Number(value.toPrecision(3))))]
}

async function startBareFiles(): Promise<Server> {
  const port = await freePort()
  return { address: `http://127.0.0.1:${port}`, child: await startChild('bare-files.ts', { port, folder: uploads }) }
}
