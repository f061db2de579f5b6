import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp, defineSite, verifyWebhook } from 'quire-cms'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { LEASE_MS } from '../src/engine/lease.ts'
import { retryDelay, sendDue } from '../src/features/webhooks/deliver.ts'
import { send } from '../src/features/webhooks/send.ts'
import { signatureOf } from '../src/features/webhooks/signature.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { ConfigurationError } from '../src/model/terms/configuration-error.ts'
import type { Webhook } from '../src/store/contract/store.ts'
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

const MOST = 50

function storedWebhook(id: string): Webhook {
  const more = { events: ['document.saved'], types: [], enabled: true, secret: 's' } as const
  return { id, url: 'https://a.example/', createdAt: new Date(0).toISOString(), ...more }
}

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
    const draft = { _id: `${body.aposDocId}:en:draft`, modes: ['draft'] }
    expect(told[2].document).toMatchObject(draft)
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

  it('fail for good after ten attempts, each of which waits as long as it should', async () => {
    const { _id } = await make()
    receiver.state.status = 500
    await service.editor.post('note', { title: 'Never taken' })
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await expect.poll(async () => (await log(_id))[0]?.attempts, { timeout: 20_000 }).toBe(attempts)
      const [{ body: sent, ...delivery }] = await log(_id)
      expect(delivery).toMatchObject({ status: attempts < 10 ? 'pending' : 'failed', answered: 500 })
      expect(receiver.bodies()).toEqual(Array(attempts).fill(sent))
      if (attempts === 10) {
        expect(delivery.due).toBe(null)
        break
      }
      const delay = Date.parse(delivery.due) - Date.parse(delivery.sentAt)
      expect(delay).toBeGreaterThanOrEqual(retryDelay(attempts, 0))
      expect(delay).toBeLessThanOrEqual(retryDelay(attempts, 1))
      const due = { status: 'pending', attempts, due: 0, sentAt: null, answered: null, error: null } as const
      await service.app.store.transaction(({ webhooks }) => webhooks.finish(delivery._id, due))
      // Whatever is to be sent makes the process look for all that is due.
      await service.admin.post('@cms/webhook/site:declared/ping')
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
      { url: 'http://a.exam\nple/', events: ['document.saved'] },
      { url: 'http://a.example/\u0000', events: ['document.saved'] },
      { url: 'http://', events: ['document.saved'] },
      { url: `http://a.example/${'x'.repeat(2_000)}`, events: ['document.saved'] },
      { url: receiver.url, events: [] },
      { url: receiver.url, events: ['document.read'] },
      { url: receiver.url, events: ['document.saved'], types: ['artcle'] },
      { url: receiver.url, events: ['document.saved'], more: 1 },
    ]
    for (const body of wrong) expect((await service.admin.post('@cms/webhook', body)).body.name).toBe('invalid')
    expect((await service.admin.get('@cms/webhook/nothing')).status).toBe(404)
  })

  it('are stored and sent to as their addresses are parsed', async () => {
    const made = await service.admin.post('@cms/webhook', {
      url: ' HTTP://A.example:80/b/../c\n',
      events: ['document.saved'],
    })
    expect(made.body).toMatchObject({ url: 'http://a.example/c' })
    const changed = await service.admin.patch(`@cms/webhook/${made.body._id}`, { url: 'http://B.example' })
    expect(changed.body).toMatchObject({ url: 'http://b.example/' })
    await service.admin.delete(`@cms/webhook/${made.body._id}`)
    const receivers = [{ name: 'a', url: 'https://A.example', secret: 'x'.repeat(16), events: ['document.saved'] }]
    expect(compileSite(defineSite({ webhooks: { receivers } as never })).webhooks.receivers[0]?.url).toBe(
      'https://a.example/',
    )
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

  it('hear of nothing while they are disabled', async () => {
    const { _id, ...made } = await make({ enabled: false })
    expect(made).toMatchObject({ enabled: false, types: [], isDeclared: false })
    await service.editor.post('note', { title: 'Not told' })
    expect(await log(_id)).toEqual([])
    const enabled = await service.admin.patch(`@cms/webhook/${_id}`, { enabled: true })
    expect(enabled.body).toMatchObject({ enabled: true, events: ['document.saved'] })
    await service.editor.post('note', { title: 'Told' })
    await isQuiet(_id)
    expect(await log(_id)).toHaveLength(1)
    const declared = await service.admin.get('@cms/webhook/site:declared')
    expect(declared.body).toMatchObject({ enabled: true, isDeclared: true, types: ['note'] })
    const { body: other } = await service.admin.post('@cms/webhook', { url: receiver.url, events: ['document.saved'] })
    expect(other).toMatchObject({ enabled: true, types: [] })
    await service.admin.delete(`@cms/webhook/${other._id}`)
  })

  it('are at most fifty', async () => {
    await service.app.store.transaction(async ({ webhooks }) => {
      for (let number = 1; number < MOST; number += 1) await webhooks.put(storedWebhook(`w${number}`))
    })
    const body = { url: receiver.url, events: ['document.saved'] }
    const { body: last } = await service.admin.post('@cms/webhook', body)
    expect(last).toMatchObject({ url: receiver.url })
    expect(await service.admin.post('@cms/webhook', body)).toMatchObject({
      status: 400,
      body: { name: 'invalid', message: 'A site takes at most 50 webhooks.' },
    })
    for (let number = 1; number < MOST; number += 1) await service.admin.delete(`@cms/webhook/w${number}`)
    expect((await service.admin.delete(`@cms/webhook/${last._id}`)).status).toBe(200)
  })

  it.each([
    [
      { events: ['document.save'] },
      'events.0',
      /^Must be one of "document\.saved", .*; did you mean "document\.saved"\?$/,
    ],
    [{ events: [] }, 'events', /^Must not be empty\.$/],
    [{ url: 'ftp://a.example' }, 'url', /^Must be an address that begins with https:/],
    [{ url: 'a.example' }, 'url', /^Must be an address that begins with https:/],
    [{ types: ['notes'] }, 'types', /^There is no type notes; did you mean "note"\?$/],
    [{ enabled: 'yes' }, 'enabled', /^Must be true or false\.$/],
    [{ event: [] }, 'event', /^Unknown name; did you mean "events"\?$/],
  ])('are refused in plain words: %j', async (wrong, path, message) => {
    const body = { url: receiver.url, events: ['document.saved'], ...wrong }
    const { body: refused } = await service.admin.post('@cms/webhook', body)
    expect(refused.data.errors).toEqual([expect.objectContaining({ path, message: expect.stringMatching(message) })])
  })

  it('say of a receiver that cannot be reached why', async () => {
    const { _id } = await make({ url: `http://${'a'.repeat(1000)}.invalid/` })
    await service.editor.post('note', { title: 'Nowhere' })
    await expect.poll(async () => (await log(_id))[0]?.attempts, { timeout: 20_000 }).toBe(1)
    const [{ status, answered, error }] = await log(_id)
    expect({ status, answered, error }).toEqual({ status: 'pending', answered: null, error: expect.any(String) })
    expect(error).toMatch(/^(There is no host of this name|The name of the receiver’s host could not be looked up)/)
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

describe('§6.7 the signature of a delivery', () => {
  const SECONDS = 1_767_225_600
  const signed = { secret: 'a secret', body: '{}', signature: signatureOf('a secret', '{}', SECONDS) }
  it.each([
    // Seconds since it was signed, how many are tolerated, and whether it is valid.
    [0, undefined, true],
    [300, undefined, true],
    [301, undefined, false],
    [-300, undefined, true],
    [-301, undefined, false],
    [10, 10, true],
    [11, 10, false],
    [3600, 3600, true],
  ])('after %i seconds of %s: %s', async (age, toleranceSeconds, isValid) => {
    const tolerance = toleranceSeconds === undefined ? {} : { toleranceSeconds }
    expect(await verifyWebhook({ ...signed, now: 1000 * (SECONDS + age), ...tolerance })).toBe(isValid)
  })
})

describe('§6.7 deliveries to one receiver', () => {
  it('are sent one after another, oldest first, until one fails', async () => {
    const [databases] = testDatabases
    const database = await databases?.createReady()
    if (database === undefined) throw new Error('There is no database.')
    const receiver = await startReceiver()
    const app = await createApp(site, { database: database.url })
    onTestFinished(async () => {
      receiver.close()
      await app.close()
      await database.drop()
    })
    // It does not listen: nothing is sent but here.
    const ctx = app.context({ kind: 'operator' })
    await app.store.transaction(async ({ webhooks, tokens }) => {
      await webhooks.put({ ...storedWebhook('one'), url: receiver.url })
      tokens.roleChanged()
    })
    const content = ctx.as({ role: 'editor', name: 'Test' })
    const ids: string[] = []
    for (const title of ['First', 'Second', 'Third']) {
      const { aposDocId } = await content.insert('note', { title })
      ids.push(String(aposDocId))
    }
    const sentNow = async () => {
      const sending = { byWebhook: new Map<string, Promise<void>>(), signal: new AbortController().signal }
      receiver.received.length = 0
      expect(await sendDue(ctx, sending)).toBe(true)
      await Promise.all(sending.byWebhook.values())
      expect(sending.byWebhook.size).toBe(0)
      return receiver.bodies().map(({ document }) => ids.indexOf(document.aposDocId))
    }
    receiver.state.status = 500
    expect(await sentNow()).toEqual([0])
    expect(await sentNow()).toEqual([1])
    receiver.state.status = 200
    expect(await sentNow()).toEqual([2])
    expect(await sentNow()).toEqual([])
  })
})

describe.each(sampledDatabases('deliveries of a killed process'))('§6.7 deliveries on $name', (databases) => {
  it('under way in a killed process are sent by another one within ten seconds', { timeout: 90_000 }, async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const arrived: number[] = []
    // Answers nothing at all.
    const receiver = createServer(() => arrived.push(Date.now())).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => void receiver.close())
    const RECEIVER = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const [one, other] = await Promise.all([1, 2].map(() => serve(database.url, { RECEIVER }, SITE)))
    if (one === undefined || other === undefined) throw new Error('They did not start.')
    for (const serving of [one, other]) onTestFinished(async () => void (await serving.end('SIGKILL')))
    const headers = { authorization: `ApiKey ${SERVING_KEYS.editor}`, 'content-type': 'application/json' }
    const body = '{"title":"Told"}'
    expect((await fetch(`${one.address}/api/v1/note`, { method: 'POST', headers, body })).status).toBe(200)
    await expect.poll(() => arrived.length, { timeout: 30_000 }).toBe(1)
    // Whichever sends it; longer than a lease, which is renewed, and shorter than a receiver may take.
    await pause(LEASE_MS + 2_000)
    expect(arrived).toHaveLength(1)
    const sender = (await holderOf(one, receiver)) ? one : other
    const killed = Date.now()
    await sender.end('SIGKILL')
    await expect.poll(() => arrived.length, { timeout: 30_000, interval: 20 }).toBe(2)
    expect((arrived[1] ?? 0) - killed).toBeLessThan(10_000)
  })
})

/** Whether a process has a connection to a server. */
async function holderOf({ processId }: { readonly processId: number }, server: Server): Promise<boolean> {
  const { port } = server.address() as AddressInfo
  const sockets = new Set<string>()
  for (const fd of await readdir(`/proc/${processId}/fd`))
    sockets.add(await readlink(`/proc/${processId}/fd/${fd}`).catch(() => ''))
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return lines.some(
    ([, , remote, , , , , , , inode]) => remote?.endsWith(`:${hex}`) && sockets.has(`socket:[${inode}]`),
  )
}

describe('§6.7 the delay of a delivery that has failed', () => {
  const HOUR = 3_600_000
  it.each([
    [1, 10_000],
    [2, 40_000],
    [3, 160_000],
    [4, 640_000],
    [5, 2_560_000],
    [6, 10_240_000],
    [7, 8 * HOUR],
    [8, 8 * HOUR],
    [9, 8 * HOUR],
  ])('%i times is %i ms, give or take a fifth', (attempts, delay) => {
    const delays = [0, 0.25, 0.5, 0.75, 1].map((random) => retryDelay(attempts, random))
    expect(delays).toEqual([0.8, 0.9, 1, 1.1, 1.2].map((part) => Math.round(part * delay)))
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
    expect(mistakesOf({ receivers: [{ ...receiver, url: 'https://a\n.example/' }] })).toEqual([
      'webhooks.receivers.0.url',
    ])
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
