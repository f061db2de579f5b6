import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { defineSite, piece, widget } from 'quire-cms'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { testDatabases } from './databases.ts'
import { json, raw, testRoute, testServer } from './http-server.ts'
import { isWhole, sample } from './sample.ts'
import { callerOf, describeService, startService } from './service.ts'
import { SERVING_KEYS, serve } from './serving.ts'
import { send, wrongWith } from './wire.ts'

const MEGABYTE = 1024 * 1024
const EDITOR = { authorization: 'ApiKey key-editor', 'content-type': 'application/json' }

const site = referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' })

describeService('§0 limits', { site, on: sample(testDatabases, 1) }, (service) => {
  afterAll(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]))

  async function posted(body: string): Promise<{ status: number; name: string; message: string }> {
    const answer = await send(service.address, { method: 'POST', path: '/api/v1/article', headers: EDITOR, body })
    expect(wrongWith(answer, 'POST')).toBeNull()
    const { name = '', message = '' } = JSON.parse(answer.text)
    return { status: answer.status, name, message }
  }

  test('bodies of 16 MB are taken, of one byte more are not', async () => {
    const padded = (length: number) => `{"title":"Big","ignored":"${'x'.repeat(length - 28)}"}`
    expect(padded(1000)).toHaveLength(1000)
    expect(await posted(padded(16 * MEGABYTE))).toMatchObject({ status: 200 })
    expect(await posted(padded(16 * MEGABYTE + 1))).toMatchObject({ status: 413, name: 'toolarge' })
  })

  test('100,000 keys hold nobody up', async () => {
    const keys = (name: (number: number) => string) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, number) => [name(number), number])))
    const many = await posted(`{"title":"Many",${keys((number) => `k${number}`).slice(1)}`)
    expect(many).toMatchObject({ status: 200 })
    const id = (await service.editor.post('article', { title: 'Patched', links: [] })).body.aposDocId
    const path = `/api/v1/article/${id}`
    for (const name of [(n: number) => `k${n}`, (n: number) => `links.${n}.label`, (n: number) => `@x${n}.label`]) {
      const answer = await send(service.address, { method: 'PATCH', path, headers: EDITOR, body: keys(name) })
      expect(wrongWith(answer, 'PATCH')).toBeNull()
    }
  })

  test('a megabyte in every field is taken or refused, in short words', async () => {
    const { fields } = service.app.site.types.get('article') ?? { fields: { list: [] } }
    const long = `<p>${'word '.repeat(MEGABYTE / 5)}</p>`
    for (const name of ['body', ...sample(fields.list, 6).map((field) => field.name)]) {
      for (const value of [long, [long], { a: long }, [{ _id: long, label: long, type: long }]]) {
        const { status, message } = await posted(JSON.stringify({ title: 'Long', [name]: value }))
        expect([200, 400]).toContain(status)
        expect(message.length).toBeLessThan(2000)
      }
    }
    const found = await service.editor.get('article', 'search=long&perPage=1')
    expect(found.body.total).toBeGreaterThan(0)
  })

  test('numbers and dates at their ends', async () => {
    const numbers = ['1e400', '-1e400', '1e308', '-0', '9007199254740993', '5e-324', '"1e400"', '"Infinity"', '"NaN"']
    const dates = [
      '"9999-12-31"',
      '"10000-01-01"',
      '"0000-01-01"',
      '"-000001-01-01"',
      '"2024-02-30"',
      '8640000000000001',
    ]
    for (const value of [...numbers, ...dates]) {
      for (const name of ['count', 'rating', 'size', 'eventDate', 'eventTime', 'at', 'address', 'spacing']) {
        const { status } = await posted(`{"title":"End","${name}":${value},"address":{"zip":${value}}}`)
        expect([200, 400]).toContain(status)
      }
    }
    const zero = await posted('{"title":"Zero","code":"zero","count":-0,"rating":-0}')
    expect(zero.status).toBe(200)
    expect((await service.editor.get('article', 'code=zero&count=0&rating=0')).body.total).toBe(1)
    const list = await service.editor.get('article', 'perPage=500')
    expect(JSON.stringify(list.body)).not.toMatch(/Infinity|NaN|:-0[,}]/)
  })

  test('NUL characters and halves of pairs are the same on the way in and out', async () => {
    const texts = ['a\u0000b', '\ud800', 'x\udc00y', '\ufeffz', '\u2028']
    for (const text of texts) {
      const made = await service.editor.post('article', { title: `T${text}`, subtitle: text, code: text, link: text })
      if (made.status === 400) {
        expect(made.body.name).toBe('invalid')
        continue
      }
      const again = await service.editor.get(`article/${made.body.aposDocId}`)
      expect(again.body).toMatchObject({ title: made.body.title, subtitle: made.body.subtitle, slug: made.body.slug })
    }
  })

  test('a list of 10,000 items is stored, changed and read', async () => {
    const links = Array.from({ length: 9_999 }, (_, n) => ({ label: `l${n}`, n }))
    const made = await service.editor.post('article', { title: 'Items', links })
    expect(made.status).toBe(200)
    const id = made.body.aposDocId
    expect((await service.editor.patch(`article/${id}`, { $push: { links: { label: 'last' } } })).status).toBe(200)
    const more = await service.editor.patch(`article/${id}`, { $push: { links: { label: 'too many' } } })
    expect(more).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'links' }] } } })
    const ids = made.body.links.slice(0, 5000).map(({ _id }: { _id: string }) => _id)
    const pulled = await service.editor.patch(`article/${id}`, { $pullAllById: { links: ids } })
    expect(pulled.body.links).toHaveLength(5000)
    const each = Array.from({ length: 1_000 }, (_, n) => `t${n}`)
    expect((await service.editor.patch(`article/${id}`, { $addToSet: { links: { $each: each } } })).status).toBe(400)
  })

  test('perPage, _ids and parameters', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `_ids[]=i${at}`).join('&')
    const asked = async (query: string) => (await service.editor.get('article', query)).status
    expect(await Promise.all([asked('perPage=500'), asked('perPage=501'), asked('perPage=0')])).toEqual([200, 400, 400])
    expect(await asked('page=999999999999999')).toBe(200)
    expect(await asked('page=9007199254740993')).toBe(400)
    const asGet = async (_ids: string[]) =>
      (await service.editor.post('article', { __aposGetWithQuery: { _ids } })).status
    expect(await Promise.all([asked(ids(500)), asked(ids(501))])).toEqual([200, 400])
    expect(await asGet(Array.from({ length: 500 }, (_, at) => `i${at}`))).toBe(200)
    expect(await asGet(Array.from({ length: 501 }, (_, at) => `i${at}`))).toBe(400)
    const names = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`).join('&')
    expect(await Promise.all([asked(names(100)), asked(names(101))])).toEqual([200, 400])
    const wide = `${'a'.repeat(50_000)}=1`
    const answer = await send(service.address, { method: 'GET', path: `/api/v1/article?${wide}` })
    expect([answer.status, JSON.parse(answer.text).name]).toEqual([413, 'toolarge'])
  })

  test('HEAD and OPTIONS work on every address, and change nothing', async () => {
    const { paths } = (await service.anonymous.get('openapi.json')).body
    const before = (await service.editor.get('article', 'perPage=1')).body.total
    for (const [template, methods] of Object.entries<object>(paths)) {
      const path = template.replaceAll(/\{[^}]+\}/g, 'none')
      const options = await send(service.address, { method: 'OPTIONS', path })
      expect([options.status, options.text]).toEqual([200, '{}'])
      const allowed = String(options.headers.allow).split(', ')
      for (const method of Object.keys(methods)) expect(allowed).toContain(method.toUpperCase())
      expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'))
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => send(service.address, { method, path, headers: EDITOR })),
      )
      expect([head?.status, head?.text]).toEqual([get?.status, ''])
      expect(head?.headers['content-length']).toBe(get?.headers['content-length'])
    }
    expect((await service.editor.get('article', 'perPage=1')).body.total).toBe(before)
  })

  test('bodies that are broken off change nothing', async () => {
    const before = (await service.editor.get('article', 'perPage=1')).body.total
    const { hostname, port } = new URL(service.address)
    const head = `POST /api/v1/article HTTP/1.1\r\nHost: a\r\nAuthorization: ApiKey key-editor\r\nContent-Type: application/json\r\n`
    for (const rest of [
      'Content-Length: 5000\r\n\r\n{"title":"Broken"}',
      'Transfer-Encoding: chunked\r\n\r\n12\r\n{"title":"Broken"}\r\n',
    ]) {
      for (const wait of [0, 1, 10]) {
        const socket = connect(Number(port), hostname, () => socket.write(head + rest))
        socket.on('error', () => {})
        await pause(wait + 5)
        socket.destroy()
      }
    }
    await pause(50)
    expect((await service.editor.get('article', 'perPage=1')).body.total).toBe(before)
  })

  test('200 connections that stay open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    const asked = (number: number) =>
      new Promise<number>((resolve, reject) => {
        const path = number % 2 === 0 ? '/api/v1/article?perPage=1' : '/api/v1/topic'
        request(service.address + path, { agent }, (response: IncomingMessage) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        })
          .on('error', reject)
          .end()
      })
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, number) => asked(number)))
      expect(answers.every((status) => status === 200)).toBe(true)
    }
    agent.destroy()
  })
})

describe('§2.13 nesting', () => {
  const box = widget('box', {
    fields: { add: { text: { type: 'string' }, inside: { type: 'area', widgets: { box: {} } } } },
  })
  const deep = piece('deep', { fields: { add: { body: { type: 'area', widgets: { box: {} } } } } })
  const site = defineSite({ types: [deep], widgets: [box] })

  /** An area with so many areas and widgets in one another. */
  function nested(levels: number): object {
    return levels === 0 ? { items: [] } : { items: [{ type: 'box', text: `t${levels}`, inside: nested(levels - 1) }] }
  }

  test.each(testDatabases)(
    'areas are taken to the limit, and refused one level deeper, on $name',
    async (databases) => {
      const service = await startService(databases, { site })
      onTestFinished(() => service.stop())
      const statuses: number[] = []
      for (let levels = 1; levels < 30; levels += 1) {
        const { status, body } = await service.editor.post('deep', { title: 'D', body: nested(levels) })
        statuses.push(status)
        if (status === 200) continue
        expect(body).toMatchObject({ name: 'invalid', data: { errors: [{ name: 'max' }] } })
        expect(body.data.errors[0].message).toMatch(/Nest at most 20/)
      }
      expect(statuses).toEqual(Array.from({ length: 29 }, (_, at) => (at < 20 ? 200 : 400)))
      expect((await service.editor.post('deep', { title: 'D', body: nested(200) })).status).toBe(400)
    },
  )
})

describe('§0.5 clients that are slow', () => {
  test('are cut off, and hold nobody up', async () => {
    const save = testRoute({ method: 'POST', path: '/api/v1/save', handle: async (_, { body }) => ({ body }) })
    const { address, call } = await testServer([save], { timeouts: { headers: 300, request: 600 } })
    const { hostname, port } = new URL(address)
    let cut = 0
    const slow = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), hostname)
      socket.write(
        'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
      )
      const drip = setInterval(() => socket.writable && socket.write('{'), 50)
      return new Promise<void>((resolve) => {
        socket.on('error', () => {})
        socket.resume().on('close', () => {
          clearInterval(drip)
          cut += 1
          resolve()
        })
      })
    })
    for (let number = 0; number < 50; number += 1) {
      expect((await call('/api/v1/save', json({ number }))).status).toBe(200)
    }
    await Promise.all(slow)
    expect(cut).toBe(20)
    expect(await raw(address, 'GET /api/v1/none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 404/,
    )
  })
})

describe.runIf(isWhole)('§0 memory', () => {
  test.each(testDatabases)('a process with little of it answers many mixed reads, on $name', async (databases) => {
    const count = 20_000
    const database = await databases.createReady()
    // Were a part of what is answered kept, the process would end.
    const NODE_OPTIONS = '--max-old-space-size=80'
    const serving = await serve(database.url, { QUIRE_CACHE_MB: '8', QUIRE_ARTICLE_PUBLIC: '1', NODE_OPTIONS })
    onTestFinished(async () => {
      await serving.end('SIGKILL')
      await database.drop()
    })
    const editor = callerOf(serving.address, SERVING_KEYS.editor, null)
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const body = { title: `Memory ${number}`, body: `<p>${'lorem ipsum '.repeat(200)}</p>` }
        return (await editor.post('article', body)).body.aposDocId as string
      }),
    )
    let sent = 0
    const read = async () => {
      while (sent < count) {
        sent += 1
        const id = ids[sent % ids.length]
        const paths = [
          `article/${id}`,
          `article/${id}?n=${sent}`,
          `article?perPage=5&page=${sent % 9}&n=${sent}`,
          `x/${sent}`,
        ]
        const path = `/api/v1/${paths[sent % 4]}`
        const headers = sent % 3 === 0 ? EDITOR : {}
        await send(serving.address, { method: 'GET', path, ...(sent % 3 === 0 ? { headers } : {}) })
      }
    }
    await Promise.all(Array.from({ length: 16 }, read))
    expect((await editor.get('article', 'perPage=1')).body.total).toBe(ids.length)
  })
})
