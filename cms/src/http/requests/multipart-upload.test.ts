import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { json, raw, testRoute, testServer } from '../../../test/http-server.ts'
import { forbidden } from '../../base/errors.ts'
import { openApi } from '../openapi/openapi.ts'
import { sessionCookieName } from './headers.ts'

/** The outcomes of uploads, as a route sees them. */
const seen: string[] = []

const upload = testRoute({
  method: 'POST',
  path: '/api/v1/upload',
  upload: true,
  handle: async ({ actor }, { upload }) => {
    if (actor.kind === 'anonymous') throw forbidden()
    const { name, type, stream } = await upload.file()
    try {
      const bytes = await buffer(stream)
      seen.push(`${name} whole`)
      return { name, type, length: bytes.length, sum: bytes.reduce((sum, byte) => sum + byte, 0) }
    } catch (error) {
      seen.push(`${name} broken`)
      throw error
    }
  },
})
const save = testRoute({ method: 'POST', path: '/api/v1/save', handle: async (_, { body }) => ({ body }) })

const KEY = { authorization: 'ApiKey contributor' }

function form(...parts: readonly [name: string, value: string | Blob, fileName?: string][]): RequestInit {
  const body = new FormData()
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, fileName)
  }
  return { method: 'POST', headers: KEY, body }
}

const blob = (length: number) => new Blob([new Uint8Array(length).fill(1)], { type: 'image/png' })

/** A multipart request as bytes; `length` is announced in index of the true one. */
function wire(body: string, given: { length?: number; head?: string; boundary?: string } = {}): string {
  const boundary = given.boundary ?? '; boundary=xx'
  const length = given.length ?? Buffer.byteLength(body)
  const lines = ['POST /api/v1/upload HTTP/1.1', 'Host: a', 'Connection: close', 'Authorization: ApiKey contributor']
  return [...lines, `Content-Type: multipart/form-data${boundary}`, `Content-Length: ${length}`, '', body].join('\r\n')
}

const part = (name: string, content: string, more = 'filename="a.txt"') =>
  `--xx\r\nContent-Disposition: form-data; name="${name}"; ${more}\r\n\r\n${content}\r\n`

function readAnswer(text: string): { status: number; body: { name: string; message: string } } {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  return { status, body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) }
}

describe('§4.3 uploads', () => {
  test('a route gets the file as it comes, with its name and claimed type', async () => {
    const { call } = await testServer([upload])
    const answer = await call('/api/v1/upload', form(['a', 'b'], ['file', blob(250_000), 'Küche “1”.png'], ['c', 'd']))
    expect(await answer.json()).toEqual({ name: 'Küche “1”.png', type: 'image/png', length: 250_000, sum: 250_000 })
    expect(answer.status).toBe(200)
  })

  test('folders in the name are dropped', async () => {
    const { address } = await testServer([upload])
    for (const name of ['/etc/a.txt', '..\\\\..\\\\a.txt', '../../a.txt']) {
      const text = await raw(address, wire(`${part('file', 'x', `filename="${name}"`)}--xx--\r\n`))
      expect(readAnswer(text)).toMatchObject({ status: 200, body: { name: 'a.txt' } })
    }
  })

  test('16 at a time do not disturb each other', async () => {
    const { call } = await testServer([upload])
    const lengths = Array.from({ length: 16 }, (_, index) => 10_000 + index)
    const answers = await Promise.all(
      lengths.map(async (length) => (await call('/api/v1/upload', form(['file', blob(length), 'a.png']))).json()),
    )
    expect(answers).toMatchObject(lengths.map((length) => ({ length })))
  })

  test('§4.3 JSON, a form or nothing in its place is invalid', async () => {
    const { call } = await testServer([upload])
    const nothing = { method: 'POST', headers: KEY }
    const text = {
      ...nothing,
      headers: { ...KEY, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'file=a',
    }
    const sentJson = json({ file: 'a' })
    const bytes = { ...text, body: Buffer.from([0xff, 0xd8, 0xff]) }
    for (const init of [
      nothing,
      text,
      bytes,
      { ...text, body: '{}' },
      { ...sentJson, headers: { ...sentJson.headers, ...KEY } },
    ]) {
      const answer = await call('/api/v1/upload', init)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        name: 'invalid',
        message: 'Send the file as multipart/form-data, in a part named "file".',
        data: {},
      })
    }
  })

  test('other types are unsupported, and so is multipart for other routes', async () => {
    const { call } = await testServer([upload, save])
    const plain = { method: 'POST', headers: { ...KEY, 'content-type': 'image/png' }, body: 'x' }
    expect((await call('/api/v1/upload', plain)).status).toBe(415)
    expect((await call('/api/v1/save', form(['file', blob(3), 'a.png']))).status).toBe(415)
  })

  test.each<[string, string, RegExp]>([
    ['an empty form', '--xx--\r\n', /part named "file"/],
    ['no part named file', `${part('a', 'b', '')}--xx--\r\n`, /part named "file"/],
    [
      'a text named file',
      `--xx\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--xx--\r\n`,
      /is not a file/,
    ],
    ['two files', `${part('file', 'a')}${part('file', 'b')}--xx--\r\n`, /two parts named "file"/],
    ['a file of another name', `${part('photo', 'a')}--xx--\r\n`, /not named "file"/],
    ['another file after it', `${part('file', 'a')}${part('photo', 'b')}--xx--\r\n`, /not named "file"/],
    ['too many fields', `${part('file', 'a')}${part('a', 'b', '').repeat(51)}--xx--\r\n`, /too many parts/],
    ['too many parts', `${part('file', 'a')}${'--xx\r\nX: y\r\n\r\nz\r\n'.repeat(61)}--xx--\r\n`, /too many parts/],
    ['too long a head of a part', `${part('file', 'a', `filename="${'n'.repeat(100_000)}"`)}--xx--\r\n`, /too long/],
    ['no end', part('file', 'aaaa').slice(0, -2), /middle of its file|malformed/],
    ['an end in a head', '--xx\r\nContent-Disposition: form-', /malformed|part named "file"/],
    ['another boundary', part('file', 'a').replaceAll('xx', 'yy'), /malformed/],
    ['no multipart at all', 'a'.repeat(10_000), /malformed/],
    ['nothing', '', /malformed|part named "file"/],
  ])('%s is invalid', async (_, body, message) => {
    const { address, lines } = await testServer([upload])
    const answer = readAnswer(await raw(address, wire(body)))
    expect(answer).toEqual({
      status: 400,
      body: { name: 'invalid', message: expect.stringMatching(message), data: {} },
    })
    expect(lines).toEqual([])
  })

  test('a type without a boundary is invalid', async () => {
    const { address } = await testServer([upload])
    expect(readAnswer(await raw(address, wire(part('file', 'a'), { boundary: '' })))).toMatchObject({ status: 400 })
  })

  test('a request that is refused is not read to its end, and its sender gets the answer', async () => {
    const { address } = await testServer([upload])
    const refused = await flooded(address, wire('', { length: 10 ** 9 }).replace('ApiKey contributor', 'ApiKey wrong'))
    expect(readAnswer(refused.text)).toMatchObject({ status: 401 })
    expect(refused.sent).toBeLessThan(40_000_000)
    const anonymous = await flooded(address, wire('', { length: 10 ** 9 }).replace('Authorization', 'X-Authorization'))
    expect(readAnswer(anonymous.text)).toMatchObject({ status: 403 })
    expect(anonymous.sent).toBeLessThan(40_000_000)
  })

  test('§4.3 too large a file is refused by its announced length, or while it streams', async () => {
    const { address } = await testServer([upload])
    const announced = await raw(address, wire(`${part('file', 'a')}--xx--\r\n`, { length: 3_000_000 }))
    expect(readAnswer(announced)).toMatchObject({ status: 413, body: { name: 'toolarge' } })
    const head = wire(part('file', '').slice(0, -2)).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
    const [top = '', body = ''] = head.split(/(?<=\r\n\r\n)/, 1).concat(part('file', '').slice(0, -2))
    const streamed = await flooded(address, `${top}${body.length.toString(16)}\r\n${body}\r\n`, chunk())
    expect(readAnswer(streamed.text)).toMatchObject({
      status: 413,
      body: { message: 'The file is larger than the 300000 bytes that this service takes.' },
    })
    expect(streamed.sent).toBeLessThan(40_000_000)
    expect(seen.at(-1)).toBe('a.txt broken')
  })

  test('§4.3 a limit that is no whole number of megabytes is shown to a tenth', async () => {
    const limits = { bodyBytes: 1000, perPage: 10, ids: 10, depth: 20, crops: 100, imageMemory: 600_000_000 }
    const { call } = await testServer([upload], { site: { limits: { ...limits, uploadBytes: 8_000_000 } } })
    const refused = await call('/api/v1/upload', form(['file', blob(9_000_000), 'a.png']))
    expect(await refused.json()).toMatchObject({
      message: 'The file is larger than the 7.6 MB that this service takes.',
    })
  })

  test('a file of exactly the limit is taken', async () => {
    const { call } = await testServer([upload])
    expect((await call('/api/v1/upload', form(['file', blob(300_000), 'a.png']))).status).toBe(200)
    const larger = await call('/api/v1/upload', form(['file', blob(300_001), 'a.png']))
    expect(await larger.json()).toMatchObject({ name: 'toolarge' })
  })

  test('a sender who goes away, or stands still, leaves a broken file and no error of ours', async () => {
    const { address, call, lines } = await testServer([upload], { timeouts: { uploadPause: 200 } })
    seen.length = 0
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write(wire(part('file', 'half').slice(0, -2), { length: 5000 }))
    await wait(100)
    socket.destroy()
    await expect.poll(() => seen).toEqual(['a.txt broken'])
    const slow = await raw(address, wire(part('file', 'half').slice(0, -2), { length: 5000 }))
    expect(readAnswer(slow)).toMatchObject({ status: 400, body: { message: expect.stringMatching(/stalled/) } })
    expect((await call('/api/v1/upload', form(['file', blob(3), 'a.png']))).status).toBe(200)
    expect(lines).toEqual([])
  })

  test('who waits for a word before sending gets it once the file is wanted, and a refusal instead of it', async () => {
    const { address } = await testServer([upload, save])
    const head = (text: string, length: number) =>
      text.replace(/Content-Length: \d+/, `Content-Length: ${length}\r\nExpect: 100-continue`)
    const body = `${part('file', 'abc')}--xx--\r\n`
    const whole = head(wire(body), body.length)
    expect(await raw(address, whole)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
    const refused = await raw(address, head(wire('').replace('contributor', 'wrong'), 10))
    expect(readAnswer(refused)).toMatchObject({ status: 401 })
    const lines = ['POST /api/v1/save HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Type: application/json']
    const other = [...lines, 'Expect: 100-continue', 'Content-Length: 2', '', '{}'].join('\r\n')
    expect(await raw(address, other)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
    const odd = other.replace('100-continue', 'a-wonder')
    expect(await raw(address, odd)).toMatch(/^HTTP\/1.1 200 /)
  })

  test('§5.4 with a session cookie only pages of this site may upload', async () => {
    const { call } = await testServer([upload])
    const cookie = `${sessionCookieName({ name: 'Test', prefix: '' })}=editor`
    const sent = (origin: string) =>
      call('/api/v1/upload', { ...form(['file', blob(3), 'a.png']), headers: { cookie, origin } })
    seen.length = 0
    expect((await sent('https://evil.example')).status).toBe(403)
    expect(seen).toEqual([])
  })

  test('a route that does not read on, or fails, holds nobody up', async () => {
    const lazy = testRoute({
      method: 'POST',
      path: '/api/v1/lazy',
      upload: true,
      handle: async (_, { upload }) => ({ name: (await upload.file()).name }),
    })
    const failing = testRoute({
      method: 'POST',
      path: '/api/v1/failing',
      upload: true,
      handle: async (_, { upload }) => {
        await once((await upload.file()).stream, 'data')
        throw forbidden()
      },
    })
    const { call } = await testServer([lazy, failing])
    const sent = form(['file', blob(290_000), 'a.png'])
    expect(await (await call('/api/v1/lazy', sent)).json()).toEqual({ name: 'a.png' })
    expect((await call('/api/v1/failing', sent)).status).toBe(403)
  })

  test('the description says that it takes a file', () => {
    const none = { locales: new Map(), types: new Map(), widgets: new Map() }
    const site = { name: 'A', namespace: '@cms', prefix: '', baseUrl: null, strict: false, purge: null, ...none }
    expect(openApi(site, [upload], { kind: 'operator' })).toMatchObject({
      paths: {
        '/api/v1/upload': {
          post: {
            requestBody: {
              required: true,
              content: {
                'multipart/form-data': { schema: { properties: { file: { type: 'string', format: 'binary' } } } },
              },
            },
          },
        },
      },
    })
  })
})

function chunk(): Buffer {
  return Buffer.concat([Buffer.from(`${(65_536).toString(16)}\r\n`), randomBytes(65_536), Buffer.from('\r\n')])
}

/** Sends a head, and then bytes without end, until the other side has had enough. */
async function flooded(address: string, head: string, more: Buffer = Buffer.alloc(65_536)) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let text = ''
  let sent = 0
  let isOver = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isOver = true
  })
  socket.setEncoding('utf8').on('data', (data) => {
    text += data
  })
  socket.write(head)
  function* bytes() {
    while (!isOver && sent < 10 ** 9) {
      sent += more.length
      yield more
    }
  }
  const closed = new Promise((resolve) => socket.on('close', resolve))
  Readable.from(bytes()).pipe(socket)
  await closed
  return { text, sent }
}
