import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testRoute, testServer } from '../../../test/http-server.ts'
import { send } from '../../../test/wire.ts'
import { unavailable } from '../../base/errors.ts'
import { Reply } from '../requests/route.ts'

async function* words(count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) yield `"${index}",`
}

/** A stream without end, which says whether it still is read. */
function endless(): Readable {
  return new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  })
}

const TYPE = { 'Content-Type': 'application/octet-stream' }

test('an async iterable is sent as JSON text, part by part', async () => {
  const list = async function* () {
    yield '['
    yield* words(50_000)
    yield '0]'
  }
  const { call } = await testServer([testRoute({ path: '/api/v1/long', handle: async () => new Reply(list()) })])
  const answer = await call('/api/v1/long')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.has('etag')).toBe(false)
  expect(await answer.json()).toHaveLength(50_001)
})

test('an answer that fails half way is cut off, and logged; one that fails before is an error like all others', async () => {
  const half = async function* () {
    yield 'x'.repeat(100_000)
    throw new Error('The disk is gone.')
  }
  const none = () =>
    new Readable({
      read() {
        this.destroy(unavailable('Later.'))
      },
    })
  const { call, lines } = await testServer([
    testRoute({ path: '/api/v1/half', handle: async () => new Reply(half(), TYPE) }),
    testRoute({ path: '/api/v1/none', handle: async () => new Reply(none(), { ...TYPE, 'Content-Length': '5000' }) }),
  ])
  await expect(call('/api/v1/half').then((answer) => answer.arrayBuffer())).rejects.toThrow()
  expect(lines).toMatchObject([{ message: 'An answer broke off.', path: '/api/v1/half' }])
  const failed = await call('/api/v1/none')
  expect(failed.status).toBe(503)
  expect(failed.headers.get('content-type')).toMatch(/json/)
  expect(await failed.json()).toMatchObject({ name: 'unavailable' })
})

test('a stream is let go of when its caller leaves, for HEAD, and for what the caller knows already', async () => {
  const streams: Readable[] = []
  const opened = () => {
    const stream = endless()
    streams.push(stream)
    return stream
  }
  const { address } = await testServer([
    testRoute({ path: '/api/v1/endless', handle: async () => new Reply(opened(), { ...TYPE, ETag: '"one"' }) }),
  ])
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('GET /api/v1/endless HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  const head = await send(address, { method: 'HEAD', path: '/api/v1/endless' })
  expect(head).toMatchObject({ status: 200, text: '', headers: { etag: '"one"' } })
  const headers = { 'if-none-match': '"one"' }
  expect(await send(address, { method: 'GET', path: '/api/v1/endless', headers })).toMatchObject({ status: 304 })
  expect(streams).toHaveLength(3)
  await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
})

test('a stream that is ready when its caller has gone is let go of', async () => {
  const streams: Readable[] = []
  let begun = 0
  const handle = async () => {
    begun += 1
    await pause(30)
    const stream = endless()
    streams.push(stream)
    return new Reply(stream, TYPE)
  }
  const { address, lines } = await testServer([testRoute({ path: '/api/v1/late', handle })])
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('GET /api/v1/late HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => begun, { interval: 1 }).toBe(1)
  socket.destroy()
  await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true])
  expect(lines).toEqual([])
})

test('a slow caller is waited for, and not read ahead of', async () => {
  let made = 0
  const counted = async function* () {
    for (; made < 2_000; made += 1) yield Buffer.alloc(65_536)
  }
  const { address } = await testServer([
    testRoute({ path: '/api/v1/much', handle: async () => new Reply(counted(), TYPE) }),
  ])
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('GET /api/v1/much HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = made === before
        before = made
        return isStill
      },
      { interval: 100 },
    )
    .toBe(true)
  expect(made).toBeLessThan(1_000)
  socket.destroy()
})

test('cached answers are never streams: everybody gets a whole one', async () => {
  let opened = 0
  const list = async function* () {
    opened += 1
    yield '[1]'
  }
  const { call } = await testServer([
    testRoute({ path: '/api/v1/cached', cached: true, handle: async () => new Reply(list()) }),
  ])
  const answers = await Promise.all(Array.from({ length: 5 }, async () => (await call('/api/v1/cached')).text()))
  expect(answers).toEqual(Array.from({ length: 5 }, () => '[1]'))
  expect(opened).toBe(5)
})
