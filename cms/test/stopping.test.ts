import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../src/app.ts'
import type { Feature } from '../src/features/feature.ts'
import { defineSite, piece } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, serve, serveByScript } from './serving.ts'

describe.each(sampledDatabases('stopping'))('§0.11 a service that is asked to stop, on $name', (databases) => {
  it('is not ready any more, takes no new connections, and finishes what it has begun', async () => {
    const database = await databases.createReady()
    const serving = await serve(database.url)
    onTestFinished(async () => {
      await serving.end('SIGKILL')
      await database.drop()
    })
    const json = '{"title":"Begun before"}'
    const head = `Authorization: ApiKey ${SERVING_KEYS.editor}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n`
    const saving = await begun(
      serving.address,
      `POST /api/v1/topic HTTP/1.1\r\nHost: a\r\n${head}\r\n${json.slice(0, 5)}`,
    )
    const asking = await begun(serving.address, 'GET /api/v1/ready HTTP/1.1\r\nHost: a\r\n')
    const watching = await begun(serving.address, 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n')
    expect((await callerOf(serving.address, null, null).get('ready')).status).toBe(200)
    const ended = serving.end('SIGTERM')
    await expect.poll(() => isRefused(serving.address), { interval: 5 }).toBe(true)
    expect(await finished(asking, '\r\n')).toMatch(
      /^HTTP\/1\.1 503 .*Connection: close.*"name":"unavailable".*stopping/is,
    )
    expect(await finished(watching, '\r\n')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await finished(saving, json.slice(5))).toMatch(/^HTTP\/1\.1 200 .*Begun before/s)
    expect(await ended).toBe(0)
    const again = await serve(database.url)
    onTestFinished(async () => void (await again.end('SIGKILL')))
    expect(
      (await callerOf(again.address, SERVING_KEYS.editor, null).get('topic', 'slug=begun-before')).body.total,
    ).toBe(1)
  })

  it('says first that it is not ready, and answers on for as long as it is told', async () => {
    const database = await databases.createReady()
    const serving = await serve(database.url, { QUIRE_DRAIN_SECONDS: '2' })
    onTestFinished(async () => {
      await serving.end('SIGKILL')
      await database.drop()
    })
    const caller = callerOf(serving.address, SERVING_KEYS.editor, null)
    const ended = serving.end('SIGTERM')
    await expect.poll(async () => (await caller.get('ready')).status, { interval: 5 }).toBe(503)
    const notReady = await caller.get('ready')
    expect(Number(notReady.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await caller.post('topic', { title: 'While it drains' })).status).toBe(200)
    expect(await ended).toBe(0)
    expect(await isRefused(serving.address)).toBe(true)
  })

  it('gives writes the time it is told, and no more', async () => {
    const database = await databases.createReady()
    const serving = await serve(database.url, { QUIRE_STOP_SECONDS: '1' })
    onTestFinished(async () => {
      await serving.end('SIGKILL')
      await database.drop()
    })
    const head = `Authorization: ApiKey ${SERVING_KEYS.editor}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`
    const saving = await begun(serving.address, `POST /api/v1/topic HTTP/1.1\r\nHost: a\r\n${head}\r\n{`)
    // Where the service has not read all that was sent, its end resets the connection, which is an error here.
    saving.on('error', () => {})
    const closed = new Promise((done) => saving.once('close', done))
    expect(await serving.end('SIGTERM')).toBe(0)
    await closed
  })

  it('does not wait for connections on which nothing was ever sent', async () => {
    const database = await databases.createReady()
    const serving = await serve(database.url, { QUIRE_STOP_SECONDS: '60' })
    onTestFinished(async () => {
      await serving.end('SIGKILL')
      await database.drop()
    })
    const unused = await begun(serving.address, '')
    const closed = once(unused, 'close')
    unused.resume()
    expect((await callerOf(serving.address, null, null).get('ready')).status).toBe(200)
    expect(await serving.end('SIGTERM')).toBe(0)
    await closed
  })

  it('stops without plugins, listeners and hooks that never end, and says so once for each', async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const never = () => new Promise<never>(() => {})
    const endless: Feature = { name: 'endless', hooks: { afterSave: never, onStop: never } }
    const site = defineSite({
      types: [piece('topic')],
      features: [endless],
      fastify: (app) => void app.addHook('onClose', never),
    })
    const parts: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (data: object) => void parts.push(data) }
    const keys = [{ name: 'editor', role: 'editor', key: SERVING_KEYS.editor }] as const
    const app = await createApp(site, { database: database.url, keys, log, timeouts: { close: 50 } })
    const address = await app.listen(0, '127.0.0.1')
    const editor = callerOf(address, SERVING_KEYS.editor, null)
    expect((await editor.post('topic', { title: 'Told to an endless listener' })).status).toBe(200)
    await app.close()
    expect(parts).toEqual([{ part: 'requests and plugins' }, { part: 'hooks after commits' }, { part: 'onStop' }])
    expect(await isRefused(address)).toBe(true)
  })

  it('§0.2 operations in its process that go on while it closes end with an error of ours, and so do later ones', async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const site = defineSite({ types: [piece('topic')] })
    const app = await createApp(site, { database: database.url })
    const content = app.as({ role: 'editor', name: 'Import' })
    const { _id } = await content.insert('topic', { title: 'First' })
    const operations = [
      () => content.insert('topic', { title: 'More' }),
      () => content.find('topic', { search: 'more' }),
      () => content.findOne('topic', _id),
      () => content.patch('topic', _id, { title: `Again ${Math.random()}` }),
      () => content.transaction(async (content) => content.findOne('topic', _id)),
    ]
    const untilItFails = async (operation: () => Promise<unknown>): Promise<unknown> => {
      for (;;) {
        try {
          await operation()
        } catch (error) {
          return error
        }
        await new Promise((done) => setImmediate(done))
      }
    }
    const failures = operations.map(untilItFails)
    await app.close()
    const refusal = { name: 'unavailable', message: expect.stringContaining('stopping') }
    expect(await Promise.all(failures)).toEqual(operations.map(() => expect.objectContaining(refusal)))
    expect(await Promise.all(operations.map(untilItFails))).toEqual(
      operations.map(() => expect.objectContaining(refusal)),
    )
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('stops when %s ends the script of npm that started it', async (signal) => {
    const database = await databases.createReady()
    const serving = await serveByScript(database.url, 'shell')
    onTestFinished(() => database.drop())
    expect(await isRefused(serving.address)).toBe(false)
    await serving.end(signal)
    await expect.poll(() => isRefused(serving.address)).toBe(true)
  })

  // Elsewhere nothing tells whether the parent of a parent has gone.
  it.runIf(process.platform === 'linux')('stops when npm is killed, and its shell lives on', async () => {
    const database = await databases.createReady()
    const serving = await serveByScript(database.url, 'npm')
    onTestFinished(() => database.drop())
    expect(await isRefused(serving.address)).toBe(false)
    await serving.end('SIGKILL')
    await expect.poll(() => isRefused(serving.address)).toBe(true)
  })
})

/** A connection on which half of a request was sent. */
async function begun(address: string, half: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(half)
  return socket
}

/** Sends the other half; everything that comes until the other side closes. */
function finished(socket: Socket, rest: string): Promise<string> {
  const answer = text(socket)
  socket.write(rest)
  return answer
}

async function isRefused(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return !isOpen
}
