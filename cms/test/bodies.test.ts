import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import type { Route } from '../src/http/requests/route.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'
import { startService } from './service.ts'

const MEGABYTE = 1024 * 1024
/** Signing in is for everybody, and guests may ask for locales. */
const OPEN = /\/(login\/(login|logout|whoami|context)|i18n\/(locale|exist-in-locale)|styles\/(render|preview))$/

/** What a route answers to a caller who announces a long body and sends nothing of it. */
async function answerTo({ method, path }: Pick<Route, 'method' | 'path'>, address: string, key: string | null) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const lines = [
    `${method} ${path.replace(':_id', '01aaaaaaaaaaaaaaaaaaaaaaaa')} HTTP/1.1`,
    'Host: a',
    ...(key === null ? [] : [`Authorization: ApiKey ${key}`]),
    `Content-Type: ${path.endsWith('/upload') ? 'multipart/form-data; boundary=b' : 'application/json'}`,
    `Content-Length: ${15 * MEGABYTE}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [bytes] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer]
  socket.destroy()
  return Number(bytes.toString('latin1').slice(9, 12))
}

describe.each(sampledDatabases('bodies'))('§0.6 bodies, on $name', (databases: TestDatabases) => {
  it('no route reads a long body of a caller who may not do what it does', async () => {
    const service = await startService(databases, { site: referenceSite({}) })
    onTestFinished(() => service.stop())
    const writes = service.app.routes.filter(({ method }) => method !== 'GET')
    const reads = service.app.routes.filter(({ method }) => method === 'GET')
    const byPost = reads.map(({ path }) => ({ method: 'POST' as const, path }))
    const refused: string[] = []
    for (const route of [...writes, ...byPost]) {
      const statuses = [await answerTo(route, service.address, null)]
      const mayGuest = OPEN.test(route.path) || byPost.some((one) => one === route)
      if (!mayGuest) statuses.push(await answerTo(route, service.address, 'key-guest'))
      if (!statuses.every((status) => [401, 403, 404, 405, 413].includes(status))) {
        refused.push(`${route.method} ${route.path}: ${statuses.join()}`)
      }
    }
    expect(refused).toEqual([])
  })
})
