import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { BucketFiles, bucketAddress } from './bucket.ts'
import type { Files } from './files.ts'
import { FolderFiles, recentFiles } from './folder.ts'
import { openFiles } from './open-files.ts'
import { isFileName } from './stored-names.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const NAME = 'attachments/abc-some-photo.max.jpg'

let root: string
let bucket: TestBucket

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'quire-files-'))
  bucket = await startBucket('uploads')
})

afterAll(async () => {
  await bucket.stop()
  await rm(root, { recursive: true, force: true })
})

const storages: readonly [string, () => Promise<Files>][] = [
  ['a folder', () => openFiles({ address: join(root, 'uploads'), path: '/uploads', log })],
  ['a bucket', () => openFiles({ address: 's3://uploads/some/prefix', path: '/uploads', endpoint: bucket.url, log })],
]

describe.each(storages)('§4.3 %s', (_, open) => {
  let files: Files

  beforeAll(async () => {
    files = await open()
  })

  afterAll(() => files.close())

  async function names(prefix: string): Promise<string[]> {
    return (await all(files.list(prefix))).toSorted()
  }

  async function read(name: string, range?: { start: number; end: number }) {
    const file = await files.open(name, range)
    return file && { length: file.length, text: (await buffer(file.stream)).toString('latin1') }
  }

  test('§4.3 a stored file reads back unchanged, whole or in part', async () => {
    await files.put(NAME, { source: Buffer.from('0123456789') })
    expect(await read(NAME)).toEqual({ length: 10, text: '0123456789' })
    expect(await read(NAME, { start: 2, end: 4 })).toEqual({ length: 10, text: '234' })
    expect(await read(NAME, { start: 9, end: 9 })).toEqual({ length: 10, text: '9' })
    expect(await files.facts(NAME)).toMatchObject({ length: 10, tag: expect.stringMatching(/^[\w-]+$/) })
    expect((await files.open(NAME, { start: 0, end: 0 }))?.tag).toBe((await files.facts(NAME))?.tag)
  })

  test('§4.3 a local file can be stored, and a stored file copied to a local path', async () => {
    const [from, to] = [join(root, 'from'), join(root, 'to')]
    const bytes = randomBytes(3_000_000)
    await writeFile(from, bytes)
    await files.put('attachments/large.bin', { source: { path: from } })
    expect(await files.fetch('attachments/large.bin', to)).toBe(true)
    expect((await readFile(to)).equals(bytes)).toBe(true)
    expect((await readFile(from)).equals(bytes)).toBe(true)
  })

  test('§4.3 a missing file is not an error', async () => {
    const path = join(root, 'nothing')
    expect(await files.open('attachments/none.jpg')).toBeNull()
    expect(await files.facts('attachments/none.jpg')).toBeNull()
    expect(await files.fetch('attachments/none.jpg', path)).toBe(false)
    expect(existsSync(path)).toBe(false)
    await files.remove(['attachments/none.jpg', 'attachments/neither.jpg'])
    expect(await names('attachments/none')).toEqual([])
  })

  test('§4.3 files are listed by prefix and removed by name', async () => {
    const many = ['a', 'ab', 'b'].map((letter) => `attachments/list-${letter}.txt`)
    for (const name of many) await files.put(name, { source: Buffer.from(name) })
    expect(await names('attachments/list-')).toEqual(many)
    expect(await names('attachments/list-a')).toEqual(many.slice(0, 2))
    await files.remove(many.slice(0, 2))
    expect(await names('attachments/list-')).toEqual(many.slice(2))
  })

  test('§4.3 an empty file with an unusual name is stored', async () => {
    const name = 'attachments/x-größe a+b&c.txt'
    await files.put(name, { source: new Uint8Array(0) })
    expect(await read(name)).toEqual({ length: 0, text: '' })
    expect(files.url(name)).toBe('/uploads/attachments/x-gr%C3%B6%C3%9Fe%20a%2Bb%26c.txt')
    expect(await names('attachments/x-')).toEqual([name])
  })

  test('§4.3 invalid names are never found and never written', async () => {
    for (const name of [
      '',
      '../out',
      'attachments/../../out',
      '/etc/passwd',
      'a//b',
      'a\0b',
      '.hidden',
      'a\\b',
      'a/',
    ]) {
      expect(await files.open(name)).toBeNull()
      expect(await files.facts(name)).toBeNull()
      await expect(files.put(name, { source: Buffer.from('x') })).rejects.toThrow(/cannot be the name/)
    }
  })

  test('§4.3 storing a missing local file leaves nothing behind', async () => {
    const source = { path: join(root, 'no-such-file') }
    await expect(files.put('attachments/gone.bin', { source })).rejects.toThrow()
    expect(await files.facts('attachments/gone.bin')).toBeNull()
  })

  test('§4.3 a stream may be destroyed unread', async () => {
    for (let round = 0; round < 30; round += 1) (await files.open('attachments/large.bin'))?.stream.destroy()
    expect(await read(NAME)).toMatchObject({ length: 10 })
  })
})

describe('§4.3 a folder', () => {
  test('§4.3 concurrent writes of one name leave one whole file', async () => {
    const files = await openFiles({ address: join(root, 'same'), path: '/uploads', log })
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, String(index)))
    await Promise.all(contents.map((source) => files.put(NAME, { source })))
    const stored = await readFile(join(root, 'same', NAME))
    expect(contents.some((source) => source.equals(stored))).toBe(true)
  })

  test('§4.3 a folder never returns a removed or replaced file, however recently it was read', async () => {
    const files = await openFiles({ address: join(root, 'recent'), path: '/uploads', log })
    const read = async () => (await files.open(NAME))?.bytes?.toString() ?? null
    for (const text of ['first', 'second']) {
      await files.put(NAME, { source: Buffer.from(text) })
      for (let round = 0; round < 3; round += 1) expect(await read()).toBe(text)
    }
    await files.remove([NAME])
    expect(await read()).toBeNull()
  })

  test('§4.3 recently read files are cached in bounded memory', () => {
    const recent = recentFiles()
    const until = performance.now() + 60_000
    const names = Array.from({ length: 200 }, (_, index) => `attachments/${index}`)
    for (const name of names) recent.set(name, { length: 500_000, tag: 'a', bytes: Buffer.alloc(500_000) }, until)
    const kept = names.filter((name) => recent.get(name) !== undefined)
    expect(kept).toEqual(names.slice(-kept.length))
    expect(kept.length).toBeLessThan(70)
    recent.set('attachments/large', { length: 600_000, tag: 'a', bytes: Buffer.alloc(600_000) }, until)
    expect(recent.get('attachments/large')).toBeUndefined()
  })

  test('§4.3 the folder is created with the first file', async () => {
    const folder = join(root, 'not', 'yet')
    const files = await openFiles({ address: folder, path: '/uploads', log })
    expect(await all(files.list(''))).toEqual([])
    expect(existsSync(folder)).toBe(false)
    await files.put(NAME, { source: Buffer.from('x') })
    expect(await readdir(join(folder, '.incoming'))).toEqual([])
    expect(await all(files.list(''))).toEqual([NAME])
  })

  test('§4.3 a folder follows no symbolic link and opens only regular files', async () => {
    const folder = join(root, 'links')
    await mkdir(join(folder, 'attachments', 'folder'), { recursive: true })
    await writeFile(join(root, 'secret'), 'secret')
    await symlink(join(root, 'secret'), join(folder, 'attachments', 'link.txt'))
    const files = new FolderFiles(folder, '/uploads', log)
    expect(await files.open('attachments/link.txt')).toBeNull()
    expect(await files.open('attachments/folder')).toBeNull()
    expect(await files.facts('attachments/folder')).toBeNull()
    expect(await files.open('attachments')).toBeNull()
  })

  test('§4.3 leftovers of a crash are removed at start once they are an hour old', async () => {
    const folder = join(root, 'crashed')
    const incoming = join(folder, '.incoming')
    await mkdir(incoming, { recursive: true })
    for (const [name, minutes] of [
      ['old', 61],
      ['new', 59],
    ] as const) {
      await writeFile(join(incoming, name), 'half')
      const before = new Date(Date.now() - minutes * 60_000)
      await utimes(join(incoming, name), before, before)
    }
    await openFiles({ address: folder, path: '/uploads', log })
    expect(await readdir(incoming)).toEqual(['new'])
  })

  test('§4.3 a folder that cannot be made is reported when the storage is opened, others are not', async () => {
    const file = join(root, 'no-folder')
    await writeFile(file, '')
    const warn = vi.fn()
    await openFiles({ address: join(root, 'not', 'there', 'yet'), path: '/uploads', log: { ...log, warn } })
    expect(warn).not.toHaveBeenCalled()
    await openFiles({ address: join(file, 'uploads'), path: '/uploads', log: { ...log, warn } })
    expect(warn.mock.calls).toEqual([
      [
        { folder: join(file, 'uploads'), reason: expect.stringContaining('ENOTDIR') },
        expect.stringContaining('QUIRE_UPLOADS'),
      ],
    ])
  })

  test.skipIf(process.platform !== 'linux')('§4.3 a folder that no system makes is soon `unavailable`', async () => {
    const files = new FolderFiles('/proc/quire/uploads', '/uploads', log)
    await expect(files.put(NAME, { source: Buffer.from('x') })).rejects.toMatchObject({ name: 'unavailable' })
  })

  test('§4.3 a folder that cannot be written is `unavailable`, and the log says why', async () => {
    const errors: object[] = []
    const path = join(root, 'a-file')
    await writeFile(path, 'x')
    const files = new FolderFiles(path, '/uploads', { ...log, error: (data) => void errors.push(data) })
    const content = { source: Buffer.from('x') }
    await expect(files.put(NAME, content)).rejects.toMatchObject({ name: 'unavailable' })
    expect(errors).toMatchObject([{ error: { code: 'ENOTDIR' } }])
    expect((await stat(path)).size).toBe(1)
  })
})

describe('§4.3 a bucket', () => {
  const content = { source: Buffer.alloc(100_000) }

  test('§4.3 a bucket is named by its address', () => {
    expect(bucketAddress('s3://files')).toEqual({ bucket: 'files', prefix: '' })
    expect(bucketAddress('s3://files/a/b/')).toEqual({ bucket: 'files', prefix: 'a/b/' })
    for (const text of ['s3:files', 's3://', 's3://Files', 's3:///a'])
      expect(() => bucketAddress(text)).toThrow(/s3:\/\//)
  })

  test('§4.3 objects carry their content type, disposition and cache control', async () => {
    const files = await openFiles({ address: 's3://uploads', path: '/uploads', endpoint: bucket.url, log })
    await files.put('attachments/drawing.svg', { source: Buffer.from('<svg/>') })
    const { headers } = await bucket.head('attachments/drawing.svg')
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-disposition')).toBe('attachment')
    await files.close()
  })

  test('§4.3 URLs point to the bucket or CDN where one is configured', async () => {
    const url = 'https://cdn.example.org/files/'
    const files = await openFiles({ address: 's3://uploads', path: '/uploads', url, endpoint: bucket.url, log })
    expect(files.url(NAME)).toBe(`https://cdn.example.org/files/${NAME}`)
    await files.close()
  })

  test.each<[string, (url: string) => Promise<string> | string]>([
    ['that is down', async () => unused()],
    ['that does not know us', async (url) => vi.stubEnv('AWS_ACCESS_KEY_ID', 'UNKNOWN') && url],
  ])('§4.3 a bucket %s is soon `unavailable`, and nothing is left behind', async (_, endpointOf) => {
    const endpoint = await endpointOf(bucket.url)
    const files = await openFiles({ address: 's3://uploads/none', path: '/uploads', endpoint, log })
    await expect(files.put(NAME, content)).rejects.toMatchObject({ name: 'unavailable' })
    await expect(files.open(NAME)).rejects.toMatchObject({ name: 'unavailable' })
    await expect(all(files.list(''))).rejects.toMatchObject({ name: 'unavailable' })
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
    expect((await bucket.names()).filter((name) => name.startsWith('none/'))).toEqual([])
    await files.close()
  })

  test('§4.3 a bucket that stops is `unavailable` until it is back', async () => {
    const own = await startBucket('own')
    const files = await openFiles({ address: 's3://own', path: '/uploads', endpoint: own.url, log })
    await files.put(NAME, content)
    await own.pause()
    await expect(files.put('attachments/second.jpg', content)).rejects.toMatchObject({ name: 'unavailable' })
    await expect(files.fetch(NAME, join(root, 'half'))).rejects.toMatchObject({ name: 'unavailable' })
    expect(existsSync(join(root, 'half'))).toBe(false)
    await own.resume()
    expect(await all(files.list(''))).toEqual([NAME])
    await files.close()
    await own.stop()
  })

  test('§4.3 a bucket that never answers times out', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const timeouts = { connect: 200, idle: 200 }
    const options = { base: '/uploads', endpoint: `http://127.0.0.1:${port}`, log, timeouts }
    const files = new BucketFiles({ bucket: 'uploads', prefix: '' }, options)
    await expect(files.put(NAME, content)).rejects.toMatchObject({ name: 'unavailable' })
    await expect(files.open(NAME)).rejects.toMatchObject({ name: 'unavailable' })
    expect(sockets.length).toBe(6)
    await files.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  test('§4.3 a bucket that does not exist is `unavailable`', async () => {
    const files = await openFiles({ address: 's3://no-such-bucket', path: '/uploads', endpoint: bucket.url, log })
    await expect(files.put(NAME, content)).rejects.toMatchObject({ name: 'unavailable' })
    await files.close()
  })
})

test('§4.3 file names are path segments of visible characters', () => {
  expect(isFileName('attachments/a-b.10.20.30.40.max.jpg')).toBe(true)
  for (const name of ['a/./b', 'a/..', 'a%2e', 'a/\u202e\n', `a/${'x'.repeat(256)}`, '\ud800']) {
    expect(isFileName(name)).toBe(false)
  }
})

async function all(names: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const name of names) found.push(name)
  return found
}

/** An address at which nothing answers. */
async function unused(): Promise<string> {
  const gone = await startBucket('gone')
  await gone.stop()
  return gone.url
}
