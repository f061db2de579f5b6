import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import * as conventions from '@opentelemetry/semantic-conventions'
import { createApp, defineSite, html, page, piece } from 'quire-cms'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inSpan, startTracing } from '../src/base/tracing.ts'
import { sampledDatabases, type TestDatabases, testDatabases } from './databases.ts'

const KEY = 'abcdef0123456789abcdef0123456789abcdef'
const SECRET = 'unspeakable-and-never-told'
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** An SDK that keeps its spans in memory, registered until the test ends. */
function registerSdk(): InMemorySpanExporter {
  const spans = new InMemorySpanExporter()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  propagation.setGlobalPropagator({
    inject: () => {},
    extract: (parent, carrier) => {
      const [, traceId, spanId] = String(carrier.traceparent ?? '').split('-')
      return traceId && spanId ? trace.setSpanContext(parent, { traceId, spanId, traceFlags: 1 }) : parent
    },
    fields: () => [],
  })
  onTestFinished(async () => {
    trace.disable()
    context.disable()
    propagation.disable()
    await startTracing(silent)
  })
  return spans
}

async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // `as`: it listens on a port.
  return (server.address() as AddressInfo).port
}

async function start(databases: TestDatabases, options: { readonly slowStatementMs?: number } = {}) {
  const port = await startReceiver()
  const note = piece('note', {
    publicApiProjection: ['title'],
    fields: { add: { text: { type: 'string' } } },
    hooks: {
      beforeSave(note) {
        if (note.title === 'Refused') throw new Error(SECRET)
      },
    },
  })
  const shown = page('shown', { render: () => html`<p>${SECRET}</p>` })
  const site = defineSite({
    types: [note, shown],
    pages: { parked: [{ parkedId: 'shown', type: 'shown', title: 'Shown', slug: '/shown' }] },
    webhooks: {
      allowPrivate: true,
      receivers: [
        { name: 'one', url: `http://127.0.0.1:${port}/${SECRET}`, secret: SECRET, events: ['document.saved'] },
      ],
    },
  })
  const database = await databases.createReady()
  const logged: object[] = []
  const log = { ...silent, warn: (data: object, message: string) => void logged.push({ ...data, message }) }
  const keys = [{ role: 'admin' as const, key: KEY, name: 'Test' }]
  const app = await createApp(site, { database: database.url, keys, log, timeouts: { background: 0 }, ...options })
  onTestFinished(async () => {
    await app.close()
    await database.drop()
  })
  const address = await app.listen(0, '127.0.0.1')
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(address + path, {
      ...init,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...init.headers },
    })
  const save = (title: string) => ask('/api/v1/note', { method: 'POST', body: JSON.stringify({ title, text: SECRET }) })
  return { ask, save, logged, address, databaseKind: databases.name === 'SQLite' ? 'sqlite' : 'postgresql' }
}

describe.each(testDatabases)('§0.12 traces on $name', (databases) => {
  test('tell of request, statement, hook and webhook in one tree, and of nothing that they are about', async () => {
    const spans = registerSdk()
    const { save, databaseKind } = await start(databases)
    expect((await save(SECRET)).status).toBe(200)
    const all = () => spans.getFinishedSpans()
    const named = (name: string) => all().filter((span) => span.name === name)
    await expect.poll(() => named('POST')).not.toEqual([])
    const [request] = named('POST /api/v1/note')
    expect(request).toMatchObject({
      kind: SpanKind.SERVER,
      attributes: {
        [conventions.ATTR_HTTP_REQUEST_METHOD]: 'POST',
        [conventions.ATTR_HTTP_ROUTE]: '/api/v1/note',
        [conventions.ATTR_HTTP_RESPONSE_STATUS_CODE]: 200,
        [conventions.ATTR_URL_SCHEME]: 'http',
        'quire.request.id': expect.any(String),
      },
    })
    const traceId = request?.spanContext().traceId
    const hook = named('hook beforeSave').find(({ attributes }) => attributes['quire.document.type'] === 'note')
    expect(hook).toMatchObject({ kind: SpanKind.INTERNAL, attributes: { 'quire.hook.name': 'beforeSave' } })
    expect(hook?.spanContext().traceId).toBe(traceId)
    const inserts = named('insert').filter((span) => span.spanContext().traceId === traceId)
    expect(inserts[0]).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        [conventions.ATTR_DB_SYSTEM_NAME]: databaseKind,
        [conventions.ATTR_DB_OPERATION_NAME]: 'insert',
        [conventions.ATTR_DB_QUERY_TEXT]: expect.stringContaining('?'),
      },
    })
    const [delivery] = named('POST')
    expect(delivery).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        [conventions.ATTR_SERVER_ADDRESS]: '127.0.0.1',
        [conventions.ATTR_SERVER_PORT]: expect.any(Number),
        [conventions.ATTR_HTTP_RESPONSE_STATUS_CODE]: 204,
        'quire.webhook.event': 'document.saved',
      },
    })
    const told = JSON.stringify(all().map(({ name, attributes, status, events }) => [name, attributes, status, events]))
    for (const secret of [SECRET, KEY]) expect(told).not.toContain(secret)
  })

  test('tell where the time of a write goes: until its transaction begins, in its statements, in its commit', async () => {
    const spans = registerSdk()
    const { save, databaseKind } = await start(databases)
    expect((await save('Saved')).status).toBe(200)
    const requests = () => spans.getFinishedSpans().filter(({ name }) => name === 'POST /api/v1/note')
    await expect.poll(requests).toHaveLength(1)
    const traceId = requests()[0]?.spanContext().traceId
    const ofRequest = spans.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId)
    const insert = ofRequest.find(
      ({ name, attributes }) => name === 'insert' && /documents/.test(`${attributes['db.query.text']}`),
    )
    const transaction = ofRequest.find((span) => span.spanContext().spanId === insert?.parentSpanContext?.spanId)
    expect(transaction).toMatchObject({
      name: 'transaction',
      kind: SpanKind.INTERNAL,
      attributes: {
        [conventions.ATTR_DB_SYSTEM_NAME]: databaseKind,
        'quire.transaction.wait_ms': expect.any(Number),
      },
    })
    const below = ofRequest.filter((span) => span.parentSpanContext?.spanId === transaction?.spanContext().spanId)
    const [commit, ...more] = below.filter(({ name }) => name === 'commit')
    expect([commit?.kind, commit?.status.code, more]).toEqual([SpanKind.INTERNAL, SpanStatusCode.UNSET, []])
  })

  test('a transaction that fails is marked, and has no commit', async () => {
    const spans = registerSdk()
    const { save } = await start(databases)
    spans.reset()
    expect((await save('Refused')).status).toBe(500)
    const named = (wanted: string) => spans.getFinishedSpans().filter(({ name }) => name === wanted)
    await expect.poll(() => named('POST /api/v1/note')).not.toEqual([])
    const traceId = named('POST /api/v1/note')[0]?.spanContext().traceId
    const ofRequest = (name: string) => named(name).filter((span) => span.spanContext().traceId === traceId)
    expect(ofRequest('transaction')).toMatchObject([{ status: { code: SpanStatusCode.ERROR }, events: [] }])
    expect(ofRequest('commit')).toEqual([])
  })

  test('what fails is marked, by the name of the error alone; a page is rendered in a span', async () => {
    const spans = registerSdk()
    const { save, ask } = await start(databases)
    expect((await save('Refused')).status).toBe(500)
    expect(await (await ask('/shown')).text()).toContain(SECRET)
    const named = (name: string) => spans.getFinishedSpans().find((span) => span.name === name)
    await expect.poll(() => named('GET /*')).toBeDefined()
    const failed = { status: { code: SpanStatusCode.ERROR } }
    expect(named('POST /api/v1/note')).toMatchObject({ ...failed, attributes: { 'error.type': '500' } })
    const hook = spans.getFinishedSpans().find(({ name, status }) => name === 'hook beforeSave' && status.code === 2)
    expect(hook).toMatchObject({ attributes: { [conventions.ATTR_ERROR_TYPE]: 'Error' }, events: [] })
    expect(named('render')?.attributes).toEqual({
      'quire.document.type': 'shown',
      'quire.template.path': expect.stringContaining('shown'),
    })
    expect(JSON.stringify(spans.getFinishedSpans().map(({ status, events }) => [status, events]))).not.toContain(SECRET)
  })

  test('a request lies below the span that its caller names', async () => {
    const spans = registerSdk()
    const { ask } = await start(databases)
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    await ask('/api/v1/note', { headers: { traceparent: `00-${traceId}-${spanId}-01` } })
    const request = () => spans.getFinishedSpans().find(({ name }) => name === 'GET /api/v1/note')
    await expect.poll(request).toBeDefined()
    expect(request()?.spanContext().traceId).toBe(traceId)
    expect(request()?.parentSpanContext?.spanId).toBe(spanId)
  })

  test('slow statements are logged with their route, and without their values', async () => {
    const { save, logged } = await start(databases, { slowStatementMs: 0 })
    await save(SECRET)
    expect(logged).toContainEqual({
      message: 'A statement was slow.',
      route: 'POST /api/v1/note',
      ms: expect.any(Number),
      statement: expect.stringMatching(/^insert into .*\?/s),
    })
    expect(JSON.stringify(logged)).not.toContain(SECRET)
  })
})

describe.each(sampledDatabases('without an SDK'))('§0.12 without an SDK, on $name', (databases) => {
  test('nothing is traced, nor logged of statements that are fast enough', async () => {
    const { ask, logged } = await start(databases, { slowStatementMs: 3_600_000 })
    await ask('/api/v1/note')
    const facts = () => {
      throw new Error('Nobody asks for the facts of a span.')
    }
    expect(await inSpan(facts, async () => 'done')).toBe('done')
    expect(logged.filter((line) => JSON.stringify(line).includes('statement'))).toEqual([])
  })
})
