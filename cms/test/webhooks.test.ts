import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createApp, defineSite, verifyWebhook } from 'quire-cms'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { send } from '../src/features/webhooks/send.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { ConfigurationError } from '../src/model/terms/configuration-error.ts'
import { sampledDatabases, testDatabases } from './databases.ts'
import { uploadedImage } from './media.ts'
import { describeService, type Service } from './service.ts'
import { SERVING_KEYS, serve } from './serving.ts'
import { site } from './webhook-site.ts'

const SITE = fileURLToPath(new URL('./webhook-site.ts', import.meta.url))

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A receiver that answers what it is told to. */
async function startReceiver(port = 0) {
  const received: Received[] = []
  const state = { status: 204 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() })
    response.writeHead(state.status, { location: '/elsewhere' }).end('x'.repeat(100_000))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const bodies = () => received.map(({ text }) => JSON.parse(text))
  return { received, state, url, bodies, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

describeService('§6.7 webhooks', { site, timeout: 60_000 }, (service: Service) => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  const make = async (more: object = {}) => {
    const { body } = await service.admin.post('@cms/webhook', {
      url: receiver.url,
      events: ['document.saved'],
      ...more,
    })
    onTestFinished(async () => void (await service.admin.delete(`@cms/webhook/${body._id}`)))
    receiver.received.length = 0
    receiver.state.status = 204
    return body
  }
  const log = async (id: string) => (await service.admin.get(`@cms/webhook/${id}/delivery`)).body.results
  const isQuiet = async (id: string) => {
    await expect
      .poll(async () => (await log(id)).every(({ status }: { status: string }) => status !== 'pending'), {
        timeout: 20_000,
      })
      .toBe(true)
  }

  it('tell of changes after they are committed, signed, and never what a document says', async () => {
    const { _id, secret } = await make({
      events: ['document.saved', 'document.published', 'document.unpublished', 'document.archived', 'document.removed'],
      types: ['note'],
    })
    const { body } = await service.editor.post('note', { title: 'Hidden title', text: 'Hidden text' })
    await service.editor.post('other', { title: 'Of another type' })
    await service.editor.patch(`note/${body.aposDocId}:en:draft`, { title: 'Hidden draft' })
    await service.editor.post(`note/${body._id}/unpublish`)
    await service.editor.patch(`note/${body.aposDocId}:en:draft`, { archived: true })
    await service.editor.delete(`note/${body.aposDocId}:en:draft`)
    await isQuiet(_id)
    const told = receiver.bodies().filter(({ document }) => document.aposDocId === body.aposDocId)
    expect(told.map(({ event, reason }) => [event, reason])).toEqual([
      ['document.saved', 'inserted'],
      ['document.published', 'inserted'],
      ['document.saved', 'saved'],
      ['document.unpublished', 'unpublished'],
      ['document.archived', 'archived'],
      ['document.removed', 'removed'],
    ])
    expect(told[0]).toEqual({
      id: expect.any(String),
      event: 'document.saved',
      createdAt: expect.any(String),
      reason: 'inserted',
      document: { _id: body._id, aposDocId: body.aposDocId, type: 'note', locale: 'en', modes: ['draft', 'published'] },
    })
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('Hidden')
    expect(receiver.bodies().every(({ document }) => document.type === 'note')).toBe(true)
    const [first] = receiver.received
    const signature = String(first?.headers['quire-signature'])
    const text = first?.text ?? ''
    expect(first?.headers).toMatchObject({ 'quire-event': 'document.saved', 'quire-delivery': told[0].id })
    expect(await verifyWebhook({ secret, signature, body: text })).toBe(true)
    expect(await verifyWebhook({ secret: 'another secret', signature, body: text })).toBe(false)
    expect(await verifyWebhook({ secret, signature, body: `${text} ` })).toBe(false)
    expect(await verifyWebhook({ secret, signature: signature.replace(/t=\d+/, 't=1'), body: text })).toBe(false)
    expect(await verifyWebhook({ secret, signature, body: text, now: Date.now() + 301_000 })).toBe(false)
    expect(await verifyWebhook({ secret, signature: undefined, body: text })).toBe(false)
  })

  it('tell of pages, their moves and their archive, and of uploads', async () => {
    const { _id } = await make({
      events: ['document.moved', 'document.archived', 'document.restored', 'media.uploaded'],
    })
    const page = async (title: string, target = '_home') =>
      (await service.editor.post('@cms/page', { type: 'landing', title, _targetId: target, _position: 'lastChild' }))
        .body
    const [one, two] = [await page('One'), await page('Two')]
    const below = await page('Below', one._id)
    const move = (body: object) => service.editor.patch(`@cms/page/${one._id}`, body)
    await move({ _targetId: two._id, _position: 'after' })
    await move({ _targetId: two._id, _position: 'lastChild' })
    await move({ _targetId: '_archive', _position: 'lastChild' })
    await move({ _targetId: '_home', _position: 'lastChild' })
    const uploaded = await uploadedImage(service)
    await isQuiet(_id)
    const told = receiver
      .bodies()
      .map(({ event, document, attachment }) => [event, document?.aposDocId ?? attachment._id])
    expect(told).toEqual([
      ['document.moved', one.aposDocId],
      ['document.moved', one.aposDocId],
      ['document.moved', below.aposDocId],
      ['document.archived', one.aposDocId],
      ['document.archived', below.aposDocId],
      ['document.restored', one.aposDocId],
      ['document.restored', below.aposDocId],
      ['media.uploaded', uploaded._id],
    ])
  })

  it('tell nothing of what was rolled back', async () => {
    const { _id } = await make()
    const content = service.app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
    const work = content.transaction(async (content) => {
      await content.insert('note', { title: 'Rolled back' })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    await service.editor.post('note', { title: '', text: 7 })
    expect(await log(_id)).toEqual([])
  })

  it('are sent again after rising delays, or when an admin says so; redirects are failures', async () => {
    const { _id } = await make()
    receiver.state.status = 302
    await service.editor.post('note', { title: 'Sent again' })
    await expect.poll(async () => (await log(_id))[0]?.attempts, { timeout: 20_000 }).toBe(1)
    const [delivery] = await log(_id)
    expect(delivery).toMatchObject({ status: 'pending', answered: 302, error: 'The receiver answered 302.' })
    const delay = Date.parse(delivery.due) - Date.parse(delivery.sentAt)
    expect(delay).toBeGreaterThanOrEqual(8_000)
    expect(delay).toBeLessThanOrEqual(12_000)
    receiver.state.status = 200
    expect((await service.admin.post(`@cms/webhook/${_id}/delivery/${delivery._id}/redeliver`)).status).toBe(200)
    await isQuiet(_id)
    expect((await log(_id))[0]).toMatchObject({ status: 'delivered', answered: 200, error: null, due: null })
    expect(receiver.bodies().map(({ id }) => id)).toEqual([delivery._id, delivery._id])
    expect((await service.admin.post(`@cms/webhook/${_id}/delivery/nothing/redeliver`)).status).toBe(404)
  })

  it('fail for good after ten attempts', async () => {
    const { _id } = await make()
    receiver.state.status = 500
    await service.editor.post('note', { title: 'Never taken' })
    for (const attempts of [1, 9, 10]) {
      await expect.poll(async () => (await log(_id))[0]?.attempts, { timeout: 20_000 }).toBe(attempts)
      const [{ _id: id, ...delivery }] = await log(_id)
      expect(delivery.status).toBe(attempts < 10 ? 'pending' : 'failed')
      if (attempts === 10) break
      const outcome = {
        status: 'pending',
        attempts: attempts === 1 ? 8 : 9,
        due: 0,
        sentAt: null,
        answered: 500,
        error: 'x',
      } as const
      await service.app.store.transaction(({ webhooks }) => webhooks.finish(id, outcome))
    }
  })

  it('are managed by admins alone; a secret is shown once', async () => {
    for (const caller of [service.anonymous, service.guest, service.editor]) {
      expect([401, 403]).toContain((await caller.get('@cms/webhook')).status)
      expect([401, 403]).toContain((await caller.post('@cms/webhook', {})).status)
    }
    const { _id, secret, ...made } = await make({ types: ['note'] })
    expect(secret).toMatch(/^[\w-]{43}$/)
    const { body } = await service.admin.get(`@cms/webhook/${_id}`)
    expect(body).toEqual({ _id, ...made })
    expect(body).not.toHaveProperty('secret')
    const renewed = await service.admin.patch(`@cms/webhook/${_id}`, { newSecret: true, events: ['document.removed'] })
    expect([renewed.body.secret === secret, renewed.body.events]).toEqual([false, ['document.removed']])
    const { results } = (await service.admin.get('@cms/webhook')).body
    expect(results.map(({ _id }: { _id: string }) => _id)).toEqual(['site:declared', _id])
    expect(JSON.stringify(results)).not.toContain('secret')
    expect((await service.admin.patch('@cms/webhook/site:declared', { enabled: false })).status).toBe(403)
    const wrong = [
      {},
      { url: 'ftp://a.example/', events: ['document.saved'] },
      { url: 'http://user:word@a.example/', events: ['document.saved'] },
      { url: receiver.url, events: [] },
      { url: receiver.url, events: ['document.read'] },
      { url: receiver.url, events: ['document.saved'], types: ['artcle'] },
      { url: receiver.url, events: ['document.saved'], more: 1 },
    ]
    for (const body of wrong) expect((await service.admin.post('@cms/webhook', body)).body.name).toBe('invalid')
    expect((await service.admin.get('@cms/webhook/nothing')).status).toBe(404)
  })

  it('can be tried, disabled and deleted, with what was to be sent', async () => {
    const { _id } = await make()
    const ping = await service.admin.post(`@cms/webhook/${_id}/ping`)
    expect(ping.body).toMatchObject({ event: 'ping', status: 'pending' })
    await isQuiet(_id)
    expect(receiver.bodies()).toEqual([{ id: ping.body._id, event: 'ping', createdAt: expect.any(String) }])
    await service.admin.patch(`@cms/webhook/${_id}`, { enabled: false })
    await service.editor.post('note', { title: 'Not told' })
    expect((await service.admin.post(`@cms/webhook/${_id}/ping`)).body.name).toBe('invalid')
    expect(await log(_id)).toHaveLength(1)
    await service.admin.delete(`@cms/webhook/${_id}`)
    expect(await service.app.store.webhooks.deliveries(_id, { limit: 9, before: null })).toEqual([])
  })

  it('are listed fifty deliveries at a time, and forgotten after two weeks', async () => {
    const { _id } = await make({ events: ['document.saved'] })
    const content = service.app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
    await content.insertMany(
      'note',
      Array.from({ length: 60 }, (_, n) => ({ title: `Many ${n}` })),
    )
    await isQuiet(_id)
    const newest = await log(_id)
    expect(newest).toHaveLength(50)
    const rest = await service.admin.get(`@cms/webhook/${_id}/delivery`, `before=${newest.at(-1)._id}`)
    expect(rest.body.results).toHaveLength(10)
    await service.app.store.transaction(({ webhooks }) => webhooks.prune(Date.now() + 1))
    expect(await log(_id)).toEqual([])
  })

  it('tell a receiver at once, however many others do not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const others = await Promise.all(Array.from({ length: 12 }, () => make({ url, types: ['other'] })))
    await make({ types: ['other'] })
    await service.editor.post('other', { title: 'For all' })
    await expect.poll(() => receiver.bodies().length).toBe(1)
    const deliveries = await Promise.all(others.map(({ _id }) => log(_id)))
    expect(deliveries.flat()).toHaveLength(12)
    expect(deliveries.flat().map(({ status, attempts }) => [status, attempts])).toEqual(Array(12).fill(['pending', 0]))
  })
})

describe.each(sampledDatabases('webhooks of a killed process'))('§6.7 webhooks on $name', (databases) => {
  it('lose nothing when a process is killed between the commit and the delivery', { timeout: 60_000 }, async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const receiver = await startReceiver()
    onTestFinished(() => void receiver.close())
    const serving = await serve(database.url, { RECEIVER: receiver.url }, SITE)
    onTestFinished(async () => void (await serving.end('SIGKILL')))
    const headers = { authorization: `ApiKey ${SERVING_KEYS.editor}`, 'content-type': 'application/json' }
    const answer = await fetch(`${serving.address}/api/v1/note`, { method: 'POST', headers, body: '{"title":"Told"}' })
    await serving.end('SIGKILL')
    expect([answer.status, receiver.received.length]).toEqual([200, 0])
    const again = await serve(database.url, { RECEIVER: receiver.url }, SITE)
    onTestFinished(async () => void (await again.end('SIGTERM')))
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1)
    const [{ text = '', headers: sent }] = receiver.received as [Received]
    const signature = String(sent['quire-signature'])
    expect(await verifyWebhook({ secret: 'a secret of the site', signature, body: text })).toBe(true)
  })
})

describe('§6.7 receivers', () => {
  const delivery = { id: 'd', event: 'ping', body: '{}' } as never
  const at = (url: string) => ({ id: 'r', url, events: [], types: [], secret: 's' })
  const options = { allowPrivate: false, seconds: 1, signal: new AbortController().signal }

  it('on private addresses are refused, by the address that a name resolves to when it is connected to', async () => {
    const names: string[] = []
    const resolve = async (name: string) => {
      names.push(name)
      return [{ address: '10.0.0.1', family: 4 }]
    }
    await expect(send(at('https://a.example/'), delivery, { ...options, resolve })).rejects.toThrow(
      'not on the public internet',
    )
    expect(names).toEqual(['a.example'])
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:10.0.0.1]', '192.168.1.1', '0.0.0.0']) {
      await expect(send(at(`https://${host}/`), delivery, options)).rejects.toThrow('not on the public internet')
    }
    await expect(send(at('http://a.example/'), delivery, options)).rejects.toThrow('https')
  })

  it('that answer with another protocol do not hold up the service that stops', async () => {
    const server = createServer().on('upgrade', () => {})
    server.on('connection', (socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const stop = new AbortController()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const sent = send(at(url), delivery, { ...options, allowPrivate: true, signal: stop.signal })
    setTimeout(() => stop.abort(), 200)
    await expect(sent).rejects.toThrow('aborted')
  })

  it('that a site declares are checked', () => {
    const receiver = { name: 'a', url: 'https://a.example/', secret: 'x'.repeat(16), events: ['document.saved'] }
    const mistakesOf = (webhooks: object) => {
      try {
        compileSite(defineSite({ webhooks: webhooks as never }))
        return []
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        return error.problems.map(({ path }) => path)
      }
    }
    expect(mistakesOf({ receivers: [receiver, { ...receiver, name: 'b', types: ['@cms/image'] }] })).toEqual([])
    expect(mistakesOf({ receivers: [receiver, receiver] })).toEqual(['webhooks.receivers.1.name'])
    expect(mistakesOf({ receivers: [{ ...receiver, url: 'http://a.example/' }] })).toEqual(['webhooks.receivers.0.url'])
    expect(mistakesOf({ receivers: [{ ...receiver, types: ['x'] }] })).toEqual(['webhooks.receivers.0.types'])
    expect(mistakesOf({ receivers: [{ ...receiver, secret: 'short' }] })).toEqual(['webhooks.receivers.0.secret'])
    expect(mistakesOf({ receivers: [{ ...receiver, events: ['x'] }] })).toEqual(['webhooks.receivers.0.events.0'])
  })

  it('without allowPrivate must have public addresses', async () => {
    const [databases] = testDatabases
    const database = await databases?.createReady()
    if (database === undefined) throw new Error('There is no database.')
    const app = await createApp(defineSite({}), {
      database: database.url,
      keys: [{ key: 'k', role: 'admin', name: 'A' }],
    })
    onTestFinished(async () => {
      await app.close()
      await database.drop()
    })
    const address = await app.listen(0, '127.0.0.1')
    const make = async (url: string) => {
      const headers = { authorization: 'ApiKey k', 'content-type': 'application/json' }
      const body = JSON.stringify({ url, events: ['document.saved'] })
      return (await fetch(`${address}/api/v1/@cms/webhook`, { method: 'POST', headers, body })).status
    }
    expect(
      await Promise.all(['https://127.0.0.1/', 'http://a.example/', 'https://[::1]/', 'https://a.example/'].map(make)),
    ).toEqual([400, 400, 400, 200])
  })
})
