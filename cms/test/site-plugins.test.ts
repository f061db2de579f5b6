import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { defineSite, piece } from 'quire-cms'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'

const site = defineSite({
  prefix: '/site',
  types: [piece('topic', { publicApiProjection: ['title'] })],
  fastify: async (app: FastifyInstance) => {
    await app.register(cookie)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-site', 'yes')
      request.headers.authorization = 'ApiKey key-admin'
    })
    app.addHook('onSend', async (_request, reply, payload) => {
      reply.header('x-sent', 'yes')
      return payload
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('text/plain', { parseAs: 'string' }, async (_request: unknown, text: string) => text)
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async () => ({ title: 'Theirs' }))
    app.get('/hello/:name', async ({ params, query, cookies }) => ({ params, query, cookies }))
    app.post('/echo', async ({ body }) => ({ body }))
    app.get('/broken', async () => Promise.reject(new Error('select * from secrets')))
    const schema = { querystring: { type: 'object', properties: { page: { type: 'integer' } } } }
    app.get('/checked', { schema }, async ({ query }) => query)
    app.setErrorHandler((error, _request, reply) => {
      if (reply.request.url.includes('/broken')) throw error
      reply.code(418).send('theirs')
    })
    app.all('/*', async (_request, reply) => reply.code(404).type('text/html').send('<h1>Not here</h1>'))
  },
})

describe('§0 Fastify plugins of the site', () => {
  const failures: object[] = []
  let folder: string
  let app: App
  let address: string
  const call = (path: string, init?: RequestInit) => fetch(address + path, init)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-plugins-'))
    const log = { info: () => {}, warn: () => {}, error: (data: object) => void failures.push(data) }
    const keys = [
      { key: 'key-editor', role: 'editor', name: 'Editor' },
      { key: 'key-admin', role: 'admin', name: 'Admin' },
    ] as const
    app = await createApp(site, { database: join(folder, 'content.db'), keys, log })
    address = await app.listen(0, '127.0.0.1')
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  it('answer below the prefix of the site, with what Fastify offers', async () => {
    const response = await call('/site/hello/you?a[b]=1', { headers: { cookie: 'theme=dark' } })
    expect([response.status, response.headers.get('x-site'), response.headers.get('x-sent')]).toEqual([
      200,
      'yes',
      'yes',
    ])
    expect(await response.json()).toEqual({
      params: { name: 'you' },
      query: { a: { b: '1' } },
      cookies: { theme: 'dark' },
    })
    const echo = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'text' }
    expect(await (await call('/site/echo', echo)).json()).toEqual({ body: 'text' })
    expect((await call('/site/checked?page=2')).status).toBe(200)
    expect((await call('/site/checked?page=x')).status).toBe(418)
    expect(await (await call('/site/nothing')).text()).toBe('<h1>Not here</h1>')
    expect((await call('/hello/you')).status).toBe(404)
  })

  it('change nothing of the interface: its callers, bodies, errors and headers stay its own', async () => {
    expect((await call('/site/api/v1/topic?aposMode=draft')).status).toBe(401)
    const refused = await call('/site/api/v1/topic', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    })
    expect([refused.status, refused.headers.get('x-site')]).toEqual([415, null])
    const made = await call('/site/api/v1/topic', {
      method: 'POST',
      headers: { authorization: 'ApiKey key-editor', 'content-type': 'application/json' },
      body: '{"title":"Ours"}',
    })
    expect([made.headers.get('x-sent'), await made.json()]).toEqual([null, expect.objectContaining({ title: 'Ours' })])
    for (const path of ['/site/api/v1/nothing', '/site/api', '/site/api/v1/topic/nothing', '/site/uploads/nothing']) {
      const response = await call(path)
      expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ name: 'notfound' })])
      expect(response.headers.get('x-site')).toBeNull()
    }
  })

  it('fail as the interface does where they do not say how: no internals leave', async () => {
    const response = await call('/site/broken')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secrets')
    expect(failures).toEqual([expect.objectContaining({ path: '/site/broken', status: 500 })])
  })

  it.each(['/api/v1/topic/special', '/api/v1/:type', '/api', '/uploads/x'])(
    'may not have the route %s',
    async (path) => {
      const bad = defineSite({ fastify: (app) => void app.get(path, async () => ({})) })
      const other = await createApp(bad, { database: join(folder, 'other.db') })
      await expect(other.listen(0, '127.0.0.1')).rejects.toThrow(/among those of the service itself/)
      await other.close()
    },
  )
})
