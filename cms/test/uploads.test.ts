import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isWhole } from './sample.ts'
import { SERVING_KEYS, type Serving, serve } from './serving.ts'

const MEGABYTE = 1024 * 1024
/** Megabytes of each of four large files. */
const SIZE = isWhole ? 90 : 60
const TOP = '--xx\r\nContent-Disposition: form-data; name="file"; filename="long.txt"\r\n\r\n'
const END = '\r\n--xx--\r\n'
const LINE = Buffer.from(`${'All work and no play makes a dull text. '.repeat(26)}\n`.slice(0, 1023).padEnd(1024, '\n'))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-uploads-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** A request that uploads; what it answers comes as text. */
function begin({ address }: Serving, length: number): { call: ClientRequest; answer: Promise<string> } {
  const call = request(`${address}/api/v1/@cms/attachment/upload`, {
    method: 'POST',
    headers: {
      authorization: `ApiKey ${SERVING_KEYS.editor}`,
      'content-type': 'multipart/form-data; boundary=xx',
      'content-length': TOP.length + length + END.length,
    },
  })
  const answer = new Promise<string>((resolve, reject) => {
    call.on('response', (response) =>
      response.toArray().then((parts) => resolve(Buffer.concat(parts).toString()), reject),
    )
    call.on('error', reject)
  })
  answer.catch(() => {})
  call.write(TOP)
  return { call, answer }
}

async function* lines(count: number): AsyncGenerator<Buffer> {
  const many = Buffer.concat(Array.from({ length: 64 }, () => LINE))
  for (let sent = 0; sent < count; sent += 64) yield many
}

/** Everything that is kept, whatever its name. */
async function kept(uploads: string): Promise<string[]> {
  return existsSync(uploads)
    ? (await readdir(uploads, { recursive: true })).filter((name) => name.includes('long'))
    : []
}

async function started(name: string, memory?: number) {
  const uploads = join(folder, name, 'uploads')
  const temporary = await mkdtemp(join(folder, 'temporary-'))
  const serving = await serve(`sqlite:${join(folder, `${name}.db`)}`, {
    QUIRE_UPLOADS: uploads,
    TMPDIR: temporary,
    ...(memory === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${memory}` }),
  })
  onTestFinished(async () => void (await serving.end('SIGKILL')))
  return { serving, uploads, temporary }
}

describe('§4.3 uploads of a process of its own', () => {
  test.skipIf(!existsSync('/proc/self/status'))(
    'large files take a fraction of their size in memory',
    { timeout: 120_000 },
    async () => {
      const { serving, uploads } = await started('large', 128)
      const sent = async (megabytes: number) => {
        const { call, answer } = begin(serving, megabytes * MEGABYTE)
        await pipeline(Readable.from(lines(megabytes * 1024)), call, { end: false })
        call.end(END)
        return JSON.parse(await answer)
      }
      // What a first upload reads, programs for images among it, stays.
      await sent(5)
      const before = await peak(serving)
      const [attachment] = await Promise.all(Array.from({ length: 4 }, () => sent(SIZE)))
      expect(attachment).toMatchObject({ length: SIZE * MEGABYTE, extension: 'txt', group: 'office' })
      expect(await kept(uploads)).toHaveLength(5)
      const served = await fetch(`${serving.address}${attachment._url}`)
      let length = 0
      for await (const part of served.body ?? []) length += part.length
      expect(length).toBe(SIZE * MEGABYTE)
      expect((await peak(serving)) - before).toBeLessThan(180 * MEGABYTE)
    },
  )

  test('a sender who goes away half way leaves nothing behind', async () => {
    const { serving, uploads, temporary } = await started('aborted')
    const { call } = begin(serving, 20 * MEGABYTE)
    await pipeline(Readable.from(lines(5 * 1024)), call, { end: false })
    await expect.poll(() => readdir(temporary), { timeout: 20_000 }).not.toEqual([])
    call.destroy()
    await expect.poll(() => readdir(temporary), { timeout: 20_000 }).toEqual([])
    expect(await kept(uploads)).toEqual([])
    expect((await fetch(`${serving.address}/api/v1/health`)).status).toBe(200)
  })

  test('a process that is killed half way leaves no half file under any name', async () => {
    const { serving, uploads } = await started('killed')
    const calls = Array.from({ length: 8 }, () => begin(serving, 8 * MEGABYTE))
    const sending = calls.map(async ({ call }, index) => {
      await pipeline(Readable.from(lines(8 * 1024)), call, { end: false })
      if (index % 2 === 0) call.end(END)
    })
    await Promise.race([...sending, pause(2_000)]).catch(() => {})
    await serving.end('SIGKILL')
    await Promise.allSettled([...sending, ...calls.map(({ answer }) => answer)])
    const names = (await kept(uploads)).filter((name) => !name.startsWith('.incoming'))
    for (const name of names) expect((await readFile(join(uploads, name))).length).toBe(8 * MEGABYTE)
  })
})

/** The most memory that a process has held so far, in bytes. */
async function peak({ processId }: Serving): Promise<number> {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${processId}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
