import { defineSite, type Feature, html, piece, Reply, route } from 'quire-cms'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unavailable } from '../src/base/errors.ts'
import { describeService } from './service.ts'

const article = piece('article', { fields: { add: { votes: { type: 'integer', def: 0 } } } })

const body = z.strictObject({
  article: z.string().min(1).describe('The id of the article.'),
  stars: z.int().min(1).max(5),
  tags: z.array(z.strictObject({ name: z.string() })).default([]),
  even: z
    .number()
    .refine(async (value) => value % 2 === 0, 'This must be even.')
    .optional(),
})
const query = z.object({
  page: z.coerce.number().int().min(1).default(1).describe('Which page.'),
  note: z.string().optional(),
})

const common = { tag: 'desk', answer: { type: 'object' } } as const
const desk: Feature = {
  name: 'desk',
  routes: () => [
    route({
      ...common,
      method: 'POST',
      path: '/api/v1/vote/:_id',
      summary: 'Vote',
      operationId: 'desk.vote',
      body,
      query,
      maxBodyBytes: 1000,
      handle: async (ctx, { body: { stars, tags }, query: { page }, params }) => {
        const found = await ctx.as(ctx.actor).findOne('article', params._id ?? '')
        return { stars: stars + 0, page: page + 0, tags: tags.map(({ name }) => name), title: found?.title ?? null }
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/api/v1/desk/page',
      summary: 'A page with scripts of its own',
      operationId: 'desk.page',
      csp: "default-src 'none'; script-src 'self'; frame-ancestors 'self'",
      query: z.object({ name: z.string().default('you') }),
      handle: async (_ctx, { query: { name } }) => html`<h1>Hello ${name}</h1>`,
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/v1/desk/by-json-schema',
      summary: 'A route with JSON schemas',
      operationId: 'desk.by-json-schema',
      body: {
        type: 'object',
        required: ['n'],
        additionalProperties: false,
        properties: {
          n: { type: 'number', minimum: 1 },
          kind: { enum: ['a', 'b'] },
          size: { type: 'integer', default: 3 },
        },
      },
      query: [
        { name: 'page', description: 'Which page.', schema: { type: 'integer', minimum: 1 } },
        { name: 'isOpen', description: 'Open ones.', schema: { type: 'boolean' } },
        { name: 'ids', description: 'These.', schema: { type: 'array', items: { type: 'integer' }, maxItems: 2 } },
        { name: 'range', description: 'From.', schema: { type: 'object', properties: { min: { type: 'number' } } } },
      ],
      handle: async (_ctx, { body, query }) => ({ body, query }),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/v1/desk/away',
      summary: 'The database goes away, perhaps after a save',
      operationId: 'desk.away',
      body: z.object({ saves: z.boolean() }),
      handle: async (ctx, { body: { saves } }) => {
        if (saves) await ctx.as(ctx.actor).insert('article', { title: 'Saved' })
        throw unavailable('The database is away.')
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/desk-plain',
      summary: 'A page without any',
      operationId: 'desk.plain',
      mediaType: 'text/html',
      handle: async () => new Reply(html`<p>Plain</p>`, { 'X-Desk': 'yes' }, 201),
    }),
  ],
}

describeService('§6.6 routes of a site', { site: defineSite({ types: [article], features: [desk] }) }, (service) => {
  const vote = (sent: object, asked = '', id = 'none') => service.editor.post(`vote/${id}`, sent, asked)

  it('get body and query as their schemas read them', async () => {
    const { body } = await service.editor.post('article', { title: 'Voted' })
    const answer = await vote({ article: 'a', stars: 3, tags: [{ name: 'x' }] }, 'page=2', body._id)
    expect([answer.status, answer.body]).toEqual([200, { stars: 3, page: 2, tags: ['x'], title: 'Voted' }])
    expect((await vote({ article: 'a', stars: 3 })).body).toEqual({ stars: 3, page: 1, tags: [], title: null })
  })

  it('say that something may be stored when the database is away after a commit, and only then', async () => {
    const { status, body } = await service.editor.post('desk/away', { saves: true })
    expect([status, body.name, body.data.mayBeStored]).toEqual([503, 'unavailable', true])
    const before = await service.editor.post('desk/away', { saves: false })
    expect([before.status, before.body.name, before.body.data.mayBeStored]).toEqual([503, 'unavailable', undefined])
  })

  it('refuse what does not fit, with all problems by their paths', async () => {
    const refused = await vote({ stars: 9, tags: [{ name: 'a' }, { name: 7, more: 1 }], extra: 1, even: 3 })
    expect([refused.status, refused.body.name]).toEqual([400, 'invalid'])
    expect(refused.body.data.errors).toEqual([
      { path: 'article', name: 'required', message: 'This is required.' },
      { path: 'stars', name: 'max', message: expect.any(String) },
      { path: 'tags.1.name', name: 'invalid', message: expect.any(String) },
      { path: 'tags.1.more', name: 'unknown', message: 'Unknown name.' },
      { path: 'extra', name: 'unknown', message: 'Unknown name.' },
      { path: 'even', name: 'invalid', message: 'This must be even.' },
    ])
    const paths = async (sent: object, asked = '') =>
      (await vote(sent, asked)).body.data.errors.map(({ path }: { path: string }) => path)
    expect(await paths({ article: 'a', stars: 3, even: 3 })).toEqual(['even'])
    expect(await paths({ article: 'a', stars: 3 }, 'page=x')).toEqual(['page'])
    expect(await paths({ article: 'a', stars: 3 }, 'note[a]=1')).toEqual(['note'])
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`n${n}`, n]))
    expect((await paths(unknown)).length).toBeLessThanOrEqual(100)
  })

  it('with JSON schemas get body and query as they were sent, if they fit', async () => {
    const send = (sent: object, asked = '') => service.editor.post('desk/by-json-schema', sent, asked)
    const fitting = await send({ n: 3 }, 'page=2&isOpen=true&ids=1&range[min]=0.5&utm=x')
    expect([fitting.status, fitting.body]).toEqual([
      200,
      { body: { n: 3 }, query: { page: '2', isOpen: 'true', ids: '1', range: { min: '0.5' }, utm: 'x' } },
    ])
    const refused = await send({ n: 'three', kind: 'c', more: 1 }, '')
    expect([refused.status, refused.body.name]).toEqual([400, 'invalid'])
    expect(refused.body.data.errors).toMatchObject([
      { path: 'n', name: 'invalid' },
      { path: 'kind', name: 'invalid' },
      { path: 'more', name: 'unknown' },
    ])
    expect((await send({})).body.data.errors).toMatchObject([{ path: 'n', name: 'required' }])
    expect((await send({ n: 0 })).body.data.errors).toMatchObject([{ path: 'n', name: 'min' }])
    for (const [asked, path] of [
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['page=', 'page'],
      ['page[]=1&page[]=2', 'page'],
      ['isOpen=maybe', 'isOpen'],
      ['ids=1&ids=x', 'ids.1'],
      ['ids=1&ids=2&ids=3', 'ids'],
      ['range[min]=x', 'range.min'],
    ] as const) {
      expect({ asked, ...(await send({ n: 1 }, asked)) }).toMatchObject({
        asked,
        status: 400,
        body: { data: { errors: [{ path }] } },
      })
    }
  })

  it('refuses a JSON schema that cannot be checked', () => {
    const declare = () =>
      route({
        ...common,
        method: 'POST',
        path: '/api/v1/x',
        summary: 'X',
        operationId: 'x',
        body: { $ref: '#/components/schemas/article' },
        handle: async () => ({}),
      })
    expect(declare).toThrow(/POST \/api\/v1\/x has a JSON schema that cannot be checked: /)
  })

  it('take no longer body than they say', async () => {
    expect((await vote({ article: 'x'.repeat(1000), stars: 3 })).status).toBe(413)
  })

  it('answer HTML with their own policy, else with one that lets nothing in', async () => {
    const page = await fetch(`${service.address}/api/v1/desk/page?name=<b>`)
    expect(await page.text()).toBe('<h1>Hello &lt;b&gt;</h1>')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; frame-ancestors 'self'",
    )
    const plain = await fetch(`${service.address}/desk-plain`)
    expect([plain.status, await plain.text(), plain.headers.get('x-desk')]).toEqual([201, '<p>Plain</p>', 'yes'])
    expect(plain.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  })

  it('tell the OpenAPI document what they take', async () => {
    const { paths } = (await service.admin.get('openapi.json')).body
    const { post } = paths['/api/v1/vote/{id}']
    const schema = post.requestBody.content['application/json'].schema
    expect(schema).toMatchObject({ required: ['article', 'stars'], additionalProperties: false })
    expect(schema.properties.article).toMatchObject({ description: 'The id of the article.', minLength: 1 })
    const named = post.parameters.find(({ name }: { name: string }) => name === 'page')
    expect(named).toMatchObject({ in: 'query', description: 'Which page.', schema: { minimum: 1, default: 1 } })
    expect(Object.keys(paths['/api/v1/desk/page'].get.responses['200'].content)).toEqual(['text/html'])
  })
})

describe('§6.6 declaring routes', () => {
  it('refuses a policy that would break its header', () => {
    const declared = {
      ...common,
      method: 'GET',
      path: '/x',
      summary: 'x',
      operationId: 'x',
      handle: async () => ({}),
    } as const
    expect(() => route({ ...declared, csp: "default-src 'none'\r\nX: y" })).toThrow(TypeError)
  })
})
