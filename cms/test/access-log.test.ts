import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import type { AnsweredRequest } from '../src/http/pipeline/answered-request.ts'
import { defineSite } from '../src/index.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'

async function started(databases: TestDatabases) {
  const database = await databases.createReady()
  const log: AnsweredRequest[] = []
  const app = await createApp(defineSite({ ...referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }).options }), {
    database: database.url,
    accessLog: (answered) => log.push(answered),
    // Background work begins at once: it may change what is cached.
    timeouts: { background: 0 },
  })
  onTestFinished(async () => {
    await app.close()
    await database.drop()
  })
  const address = await app.listen(0, '127.0.0.1')
  const logged = async (count: number) => {
    await expect.poll(() => log.length).toBe(count)
    return log.splice(0)
  }
  return { address, logged }
}

/** Sends a text on a connection of its own; everything that comes back until it is closed. */
async function sent(address: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (data) => {
    answer += data
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe.each(sampledDatabases('access-log'))('the access log on $name', (databases) => {
  it('has one entry for each request, whatever answers it, and without secrets', async () => {
    const { address, logged } = await started(databases)
    const isCached = async () => {
      for (const _ of [1, 2]) await (await fetch(`${address}/api/v1/article?perPage=1`)).text()
      return (await logged(2))[1]?.cached
    }
    await expect.poll(isCached).toBe(true)
    for (const path of ['/api/v1/article?perPage=2', '/api/v1/article?perPage=2', '/api/v1/nothing', '/no/such/page'])
      await (await fetch(address + path)).text()
    await (await fetch(`${address}/api/v1/article?apikey=wrong-key&perPage=3`)).text()
    await (await fetch(`${address}/uploads/attachments/none.jpg`)).text()
    await (await fetch(`${address}/api/%E0%A4%A`)).text()
    await (await fetch(`${address}/api/v1/article`, { method: 'HEAD' })).text()
    const entries = await logged(8)
    expect(entries.map(({ method, path, status, cached }) => [method, path, status, cached])).toEqual([
      ['GET', '/api/v1/article?perPage=2', 200, false],
      ['GET', '/api/v1/article?perPage=2', 200, true],
      ['GET', '/api/v1/nothing', 404, false],
      ['GET', '/no/such/page', 404, false],
      ['GET', '/api/v1/article?perPage=3', 401, false],
      ['GET', '/uploads/attachments/none.jpg', 404, false],
      ['GET', '/api/%E0%A4%A', 400, false],
      ['HEAD', '/api/v1/article', 200, false],
    ])
    expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(8)
    expect(entries.every(({ ms, address: from }) => ms >= 0 && from === '127.0.0.1')).toBe(true)
  })

  it('counts what each answer sent, those on one connection apart', async () => {
    const { address, logged } = await started(databases)
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
    const answer = await sent(address, get('/api/v1/article') + get('/api/v1/nothing', 'Connection: close\r\n'))
    const entries = await logged(2)
    const second = answer.indexOf('HTTP/1.1 404')
    expect(entries.map(({ bytes }) => bytes)).toEqual([second, answer.length - second])
  })

  it('says so when the caller goes away before the answer', async () => {
    const { address, logged } = await started(databases)
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    const head = 'POST /api/v1/@cms/login/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    socket.write(`${head}Content-Length: 50\r\n\r\n{`)
    setTimeout(() => socket.destroy(), 200)
    expect(await logged(1)).toMatchObject([{ method: 'POST', path: '/api/v1/@cms/login/login', aborted: true }])
  })
})
