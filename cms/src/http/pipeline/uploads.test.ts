import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBucket, type TestBucket } from '../../../test/bucket.ts'
import { testServer } from '../../../test/http-server.ts'
import { send } from '../../../test/wire.ts'
import type { Files } from '../../files/files.ts'
import { openFiles } from '../../files/open-files.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const ID = '01m7dg5xk1p9zfpf1kbhzq2mra'
const LARGE = randomBytes(1_000_000)
const FILES: Readonly<Record<string, Buffer>> = {
  [`${ID}-photo.max.jpg`]: Buffer.from('0123456789'),
  [`${ID}-large.png`]: LARGE,
  [`${ID}-drawing.svg`]: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  [`${ID}-größe-1.pdf`]: Buffer.from('%PDF'),
  [`${ID}-page.html`]: Buffer.from('<script>alert(1)</script>'),
  [`${ID}-empty.txt`]: Buffer.alloc(0),
  [`${ID}-photo.10.20.30.40.jpg`]: Buffer.from('top 10, left 20'),
  [`${ID}-both.10.20.30.40.jpg`]: Buffer.from('top 10, left 20'),
  [`${ID}-both.20.10.30.40.jpg`]: Buffer.from('top 20, left 10'),
}
const PHOTO = `/uploads/attachments/${ID}-photo.max.jpg`

let folder: string
let bucket: TestBucket

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-serving-'))
  bucket = await startBucket('serving')
})

afterAll(async () => {
  await bucket.stop()
  await rm(folder, { recursive: true, force: true })
})

const storages: readonly [string, () => Promise<Files>][] = [
  ['a folder', () => openFiles({ address: folder, path: '/uploads', log })],
  ['a bucket', () => openFiles({ address: 's3://serving', path: '/uploads', endpoint: bucket.url, log })],
]

describe.each(storages)('§4.3 uploads served from %s', (_, open) => {
  let files: Files
  let server: Awaited<ReturnType<typeof testServer>>

  beforeAll(async () => {
    files = await open()
    for (const [name, source] of Object.entries(FILES)) {
      await files.put(`attachments/${name}`, { source })
    }
  })

  beforeEach(async () => {
    server = await testServer([], { files })
  })

  afterAll(() => files.close())

  const get = (path: string, headers: Record<string, string> = {}) => server.call(path, { headers })

  test('a file comes whole, to be cached for ever, and can do nothing where it is shown', async () => {
    const answer = await get(PHOTO)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('0123456789')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '10',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'content-disposition': 'inline; filename="photo.max.jpg"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    })
    for (const name of ['vary', 'x-frame-options', 'set-cookie']) expect(answer.headers.has(name)).toBe(false)
    const large = await get(`/uploads/attachments/${ID}-large.png`)
    expect(Buffer.from(await large.arrayBuffer()).equals(LARGE)).toBe(true)
    expect(await (await get(`/uploads/attachments/${ID}-empty.txt`)).text()).toBe('')
  })

  test.each([
    ['drawing.svg', 'image/svg+xml', 'attachment; filename="drawing.svg"', /sandbox$/],
    [
      'größe-1.pdf',
      'application/pdf',
      `inline; filename="gr__e-1.pdf"; filename*=UTF-8''gr%C3%B6%C3%9Fe-1.pdf`,
      /object-src/,
    ],
    ['page.html', 'application/octet-stream', 'attachment; filename="page.html"', /sandbox$/],
  ])('%s is %s, and %s', async (name, type, disposition, policy) => {
    const { headers, status } = await get(`/uploads/attachments/${ID}-${encodeURIComponent(name)}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('content-disposition')).toBe(disposition)
    expect(headers.get('content-security-policy')).toMatch(policy)
  })

  test('HEAD has the same headers and no body', async () => {
    const got = await send(server.address, { method: 'GET', path: PHOTO })
    const head = await send(server.address, { method: 'HEAD', path: PHOTO })
    const { 'x-request-id': _id, date: _date, ...expected } = got.headers
    expect(head).toMatchObject({ status: 200, text: '', headers: expected })
  })

  test('what the caller has already is not sent again', async () => {
    const tag = (await get(PHOTO)).headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await get(PHOTO, { 'if-none-match': known, range: 'bytes=0-1' })
      expect(answer.status).toBe(304)
      expect(answer.headers.get('etag')).toBe(tag)
      expect(await answer.text()).toBe('')
    }
    expect((await get(PHOTO, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(`${PHOTO}x`, { 'if-none-match': '*' })).status).toBe(404)
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=a-b', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=0-99999999999999999999', 200, '0123456789', null],
  ])('range %s: %d', async (range, status, text, contentRange) => {
    const answer = await get(PHOTO, { range })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toBe(text)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(answer.headers.get('cache-control')).toMatch(/immutable/)
  })

  test.each(['bytes=10-', 'bytes=-0', 'bytes=99-100'])('§0.2 range %s is refused as everything is', async (range) => {
    const answer = await get(PHOTO, { range })
    expect(answer.status).toBe(416)
    expect(await answer.json()).toEqual({ name: 'invalid', message: expect.stringContaining('range'), data: {} })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-range': 'bytes */10',
      'cache-control': 'no-store',
    })
    expect(answer.headers.has('content-disposition')).toBe(false)
    const head = await send(server.address, { method: 'HEAD', path: PHOTO, headers: { range } })
    expect(head).toMatchObject({ status: 416, text: '' })
  })

  test('a part of a large file, and If-Range', async () => {
    const path = `/uploads/attachments/${ID}-large.png`
    const part = await get(path, { range: 'bytes=100000-899999' })
    expect(Buffer.from(await part.arrayBuffer()).equals(LARGE.subarray(100_000, 900_000))).toBe(true)
    const tag = part.headers.get('etag') ?? ''
    for (const [ifRange, status] of [
      [tag, 206],
      ['"other"', 200],
      [new Date().toUTCString(), 200],
    ] as const) {
      const answer = await get(path, { range: 'bytes=0-1', 'if-range': ifRange })
      // Unread, it would hold up the end of the server.
      await answer.arrayBuffer()
      expect(answer.status).toBe(status)
    }
  })

  test('a crop answers under both names, and has its own where two claim one', async () => {
    expect(await (await get(`/uploads/attachments/${ID}-photo.10.20.30.40.jpg`)).text()).toBe('top 10, left 20')
    expect(await (await get(`/uploads/attachments/${ID}-photo.20.10.30.40.jpg`)).text()).toBe('top 10, left 20')
    expect(await (await get(`/uploads/attachments/${ID}-both.20.10.30.40.jpg`)).text()).toBe('top 20, left 10')
    const part = await get(`/uploads/attachments/${ID}-photo.20.10.30.40.jpg`, { range: 'bytes=4-5' })
    expect(await part.text()).toBe('10')
  })

  test.each([
    'attachments/../attachments/x.jpg',
    'attachments/..%2fx.jpg',
    'attachments/%2e%2e/x.jpg',
    `attachments/${ID}-photo%2emax.jpg`,
    `attachments/${ID}-photo.max.jpg%00`,
    `attachments/${ID}-photo.max.jpg%00.png`,
    `attachments%2f${ID}-photo.max.jpg`,
    `attachments\\${ID}-photo.max.jpg`,
    `attachments/%5c${ID}-photo.max.jpg`,
    `attachments//${ID}-photo.max.jpg`,
    `attachments/${ID}-photo.max.jpg/`,
    `attachments/${'a'.repeat(4000)}`,
    `attachments/${'é'.repeat(300)}`,
    'attachments/.incoming',
    '.incoming/x',
    'attachments/',
    'attachments',
    '',
    'attachments/__proto__',
    'attachments/nothing.jpg',
  ])('there is nothing at %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(server.address, { method, path: `/uploads/${encodeURI(path).replaceAll('%25', '%')}` })
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toMatch(/json/)
      expect(answer.headers['cache-control']).toBe('no-store')
      if (method === 'GET') expect(JSON.parse(answer.text)).toMatchObject({ name: 'notfound', data: {} })
    }
    expect(server.lines).toEqual([])
  })

  test.each(['%ff', '%', 'a%zz.jpg'])('what is not properly percent-encoded, like %s, is invalid', async (name) => {
    const answer = await send(server.address, { method: 'GET', path: `/uploads/attachments/${name}` })
    expect([answer.status, JSON.parse(answer.text).name]).toEqual([400, 'invalid'])
  })

  test('§0.6 takes no other methods, and no other paths', async () => {
    const refused = await server.call(PHOTO, { method: 'DELETE' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'OPTIONS, HEAD, GET'])
    expect((await server.call('/uploadsx/attachments/a')).status).toBe(404)
    expect((await get(`${PHOTO}?v=1`)).status).toBe(200)
    expect((await get(PHOTO, { authorization: 'Bearer wrong' })).status).toBe(200)
  })

  test('below the prefix of a site it is there too', async () => {
    const prefixed = await testServer([], { files, site: { prefix: '/site' } })
    for (const path of [PHOTO, `/site${PHOTO}`]) expect((await prefixed.call(path)).status).toBe(200)
    expect((await server.call(`/site${PHOTO}`)).status).toBe(404)
  })

  test('callers who go away leave nothing open, and no line in the log', async () => {
    const path = `/uploads/attachments/${ID}-large.png`
    await (await get(path)).arrayBuffer()
    // The file of the answer before is closed a moment after its last byte has come.
    await expect.poll(() => openFilesOf(folder)).toBe(0)
    for (let round = 0; round < 40; round += 1) {
      const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      if (round % 2 === 0) await once(socket, 'data')
      socket.destroy()
    }
    await (await get(path)).arrayBuffer()
    await expect.poll(() => openFilesOf(folder), { timeout: 20_000 }).toBe(0)
    expect(server.lines).toEqual([])
  })

  test('callers who go away while their file is opened leave nothing open either', async () => {
    let opening = 0
    let opened = 0
    const openSlowly: Files['open'] = async (...args) => {
      opening += 1
      await pause(30)
      const file = await files.open(...args)
      opened += 1
      return file
    }
    const slow = new Proxy(files, {
      get: (target, name: keyof Files) => {
        if (name === 'open') return openSlowly
        const value = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const waiting = await testServer([], { files: slow })
    await expect.poll(() => openFilesOf(folder)).toBe(0)
    for (let round = 0; round < 10; round += 1) {
      const socket = connect(Number(new URL(waiting.address).port), '127.0.0.1')
      socket.write(`GET /uploads/attachments/${ID}-large.png HTTP/1.1\r\nHost: a\r\n\r\n`)
      await expect.poll(() => opening, { interval: 1 }).toBe(round + 1)
      socket.destroy()
    }
    await expect.poll(() => opened, { interval: 1 }).toBe(10)
    await expect.poll(() => openFilesOf(folder), { timeout: 20_000 }).toBe(0)
    expect(waiting.lines).toEqual([])
  })

  test('a burst of senseless requests changes nothing for others', async () => {
    const senseless = [`${PHOTO}.max`, '/uploads/attachments/%ff', `${PHOTO.replace('max', '1.2.3.4')}`, '/uploads/']
    const methods = ['HEAD', 'GET', 'HEAD']
    const burst = Array.from({ length: 200 }, (_, index) => {
      const path = senseless[index % senseless.length] ?? ''
      return send(server.address, { method: methods[index % 3] ?? '', path, headers: { range: 'bytes=9-1,x' } })
    })
    expect(new Set((await Promise.all(burst)).map(({ status }) => status))).toEqual(new Set([404, 400]))
    expect(await (await get(PHOTO)).text()).toBe('0123456789')
  })
})

/** How many files below a folder this process holds open, where the system tells. */
function openFilesOf(folder: string): number {
  const descriptors = '/proc/self/fd'
  if (!existsSync(descriptors)) return 0
  const held = readdirSync(descriptors).filter((name) => {
    const path = join(descriptors, name)
    return existsSync(path) && readlinkSync(path).startsWith(folder)
  })
  return held.length
}

describe('§4.3 uploads when their storage fails', () => {
  test('a bucket that is down is unavailable, in JSON, and nothing else suffers', async () => {
    const down = await startBucket('down')
    const files = await openFiles({ address: 's3://down', path: '/uploads', endpoint: down.url, log })
    await down.stop()
    const { call } = await testServer([], { files })
    const answer = await call(PHOTO)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ name: 'unavailable', data: { requestId: expect.any(String) } })
    expect((await call('/api/v1/none')).status).toBe(404)
    await files.close()
  })

  test('a file that breaks off half way is a broken connection', async () => {
    const own = await startBucket('broken')
    const files = await openFiles({ address: 's3://broken', path: '/uploads', endpoint: own.url, log })
    const name = `attachments/${ID}-long.bin`
    await files.put(name, { source: Buffer.alloc(30_000_000) })
    const { call, lines } = await testServer([], { files })
    const answer = await call(`/uploads/${name}`)
    await own.stop()
    await expect(answer.arrayBuffer()).rejects.toThrow()
    await expect.poll(() => lines).toMatchObject([{ message: 'An answer broke off.' }])
    await files.close()
  })
})
