import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { KEY, startCommand } from './command.ts'
import { usage } from './measure.ts'

// `node bench/uploads.ts`: uploads of a photograph of 12 megapixels and 2 MB, with all six sizes. Prints a table.

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '80' },
    together: { type: 'string', default: '4' },
  },
})

const SAME_NAME = 16

const folder = await temporaryFolder('quire-bench')
const service = await startCommand({
  database: `sqlite:${join(folder, 'bench.db')}`,
  uploads: join(folder, 'uploads'),
})
try {
  const photo = await photograph()
  console.log(`A JPEG of ${(photo.length / 1e6).toPrecision(2)} MB.\n`)
  console.log('| Row | Uploads/s | p50 ms | p99 ms | CPU ms | Memory MB at most |')
  console.log('|---|---|---|---|---|---|')
  await measureUploads('first uploads', photo, { count: 8, together: 2 })
  await measureUploads('one after the other', photo, { count: Number(flags.count) / 4, together: 1 })
  await measureUploads(`${flags.together} together`, photo, {
    count: Number(flags.count),
    together: Number(flags.together),
  })
  await measureUploads(`${SAME_NAME} together`, photo, { count: SAME_NAME * 2, together: SAME_NAME })
} finally {
  await service.child.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Noise over a gradient compresses about as well as a photograph does. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 15 } as const
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 75 })
    .toBuffer()
}

async function measureUploads(
  row: string,
  photo: Buffer,
  { count, together }: { readonly count: number; readonly together: number },
): Promise<void> {
  const before = await usage(service)
  const times: number[] = []
  const urls = new Set<string>()
  let left = count
  let memory = 0
  const started = performance.now()
  const sendRest = async () => {
    while (left > 0) {
      left -= 1
      const begun = performance.now()
      urls.add(await upload(photo))
      times.push(performance.now() - begun)
      memory = Math.max(memory, (await usage(service)).rss)
    }
  }
  await Promise.all(Array.from({ length: together }, sendRest))
  const seconds = (performance.now() - started) / 1000
  if (urls.size !== count) throw new Error(`${count} uploads of one name have ${urls.size} URLs.`)
  const cpu = ((await usage(service)).cpu - before.cpu) / 1000 / count
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  const cells = [count / seconds, at(0.5), at(0.99), cpu, memory / 1e6].map((value) =>
    String(Number(value.toPrecision(3))),
  )
  console.log(`| ${[row, ...cells].join(' | ')} |`)
}

async function upload(photo: Buffer): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(photo)]), 'photo.jpg')
  const response = await fetch(`${service.address}/api/v1/@cms/attachment/upload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `ApiKey ${KEY}` },
  })
  const body: unknown = await response.json()
  if (response.status !== 200 || typeof body !== 'object' || body === null || !('_url' in body)) {
    throw new Error(`An upload was refused: ${JSON.stringify(body)}`)
  }
  return String(body._url)
}
