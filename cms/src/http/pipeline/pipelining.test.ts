import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { raw, testRoute, testServer } from '../../../test/http-server.ts'
import { MAX_UNANSWERED } from '../load/sockets.ts'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

/** A server that counts the requests whose work was begun, and answers each with 100,000 characters. */
async function counting() {
  let begun = 0
  const handle = async () => {
    begun += 1
    return { number: begun, long: 'x'.repeat(100_000) }
  }
  const { address } = await testServer([testRoute({ path: '/api/v1/long', handle })])
  return { address, begun: () => begun }
}

describe('§0.10 requests that are sent ahead on one connection', () => {
  test('a few are answered in their order', async () => {
    const { address } = await counting()
    const ahead = get('/api/v1/long').repeat(MAX_UNANSWERED - 1) + get('/api/v1/long', 'Connection: close\r\n')
    const text = await raw(address, ahead)
    const numbers = [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(Array.from({ length: MAX_UNANSWERED }, (_, index) => index + 1))
  })

  test('a connection with more than that is closed, and no more of its requests are begun', async () => {
    const { address, begun } = await counting()
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(get('/api/v1/long').repeat(5_000))
    socket.resume()
    await new Promise((done) => socket.once('close', done))
    expect(begun()).toBeLessThanOrEqual(MAX_UNANSWERED)
    expect(await raw(address, get('/api/v1/long', 'Connection: close\r\n'))).toContain('200 OK')
  })

  test('one after another, as many as the client likes', async () => {
    const { address, begun } = await counting()
    for (let n = 0; n < 2 * MAX_UNANSWERED; n += 1) await (await fetch(`${address}/api/v1/long`)).text()
    expect(begun()).toBe(2 * MAX_UNANSWERED)
  })
})
