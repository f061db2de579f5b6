import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { default as formats } from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../../test/answers.ts'
import { obstacles } from '../../../test/generator-obstacles.ts'
import { testRoute, testServer } from '../../../test/http-server.ts'
import { isObject } from '../../base/json.ts'
import type { Actor } from '../../engine/permissions.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { piece, widget } from '../../model/declared/content-type.ts'
import { choiceSchema } from '../../model/field-type/choice-list.ts'
import { archived, compareParameter, project } from '../requests/read-parameters.ts'
import { bulkAnswer, documentInputRef, documentRef, emptyAnswer, listOf, schemaName } from './answer-schemas.ts'
import { openApi } from './openapi.ts'
import { openApiRoute } from './service-routes.ts'

const site = compileSite(
  defineSite({
    name: 'Test site',
    prefix: '/site',
    baseUrl: 'https://example.org',
    widgets: [widget('quote', { label: 'Quotation', fields: { add: { words: { type: 'string' } } } })],
    types: [
      piece('topic', { label: 'Topic' }),
      piece('article', {
        label: 'Article',
        fields: {
          add: {
            subtitle: { type: 'string', max: 120, help: 'Below the title' },
            count: { type: 'integer' },
            secret: { type: 'password' },
            when: { type: 'dateAndTime' },
            _topics: { type: 'relationship', withType: 'topic', fields: { add: { why: { type: 'string' } } } },
            links: { type: 'array', fields: { add: { to: { type: 'url' } } } },
            body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {} } },
          },
        },
      }),
    ],
  }),
)

const handle = async () => ({})
const article = documentRef('article')
const routes = [
  testRoute({
    path: '/api/v1/article',
    answer: listOf(article),
    query: [
      { name: 'page', description: 'Which page', schema: { type: 'integer', minimum: 1 } },
      { name: '_ids[]', description: 'Only these', schema: { type: 'array', items: { type: 'string' } } },
      {
        name: 'sort',
        description: 'By field',
        schema: { type: 'object', additionalProperties: { enum: ['1', '-1'] } },
      },
    ],
    handle,
  }),
  testRoute({ path: '/api/v1/article/:_id', answer: article, handle }),
  testRoute({
    method: 'PUT',
    path: '/api/v1/article/:_id',
    answer: article,
    body: documentInputRef('article'),
    handle,
  }),
  testRoute({ method: 'DELETE', path: '/api/v1/article/:_id', answer: emptyAnswer, handle }),
  testRoute({ method: 'POST', path: '/api/v1/article/publish', answer: bulkAnswer, handle }),
]
const document = openApi(site, [...routes, openApiRoute(site, routes)], { kind: 'operator' })

/** A validator for one schema of the document, named by its pointer. */
function validator(pointer: string) {
  const ajv = new Ajv2020({ strict: false, formats: FORMATS })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  return ajv.compile({ $ref: `openapi#${pointer}` })
}

describe('§0.1 the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never)
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
  })

  test('names the server with the site prefix, and no version of the program', () => {
    expect(document.servers).toEqual([{ url: 'https://example.org/site' }])
    expect(document.info).toMatchObject({ title: 'Test site', version: '1' })
    expect(openApi({ ...site, baseUrl: null, prefix: '' }, [], { kind: 'operator' }).servers).toEqual([{ url: '/' }])
  })

  test('has every route once, with its parameters', () => {
    expect(document.paths).toMatchObject({
      '/api/v1/article': {
        get: {
          operationId: 'GET /api/v1/article',
          parameters: [
            { name: 'page', in: 'query' },
            { name: '_ids[]' },
            { name: 'sort', style: 'deepObject' },
            { name: 'aposLocale' },
            { name: 'aposMode' },
          ],
        },
      },
      '/api/v1/article/{id}': { get: {}, put: { requestBody: {} }, delete: {} },
      '/api/v1/openapi.json': { get: {} },
    })
  })

  test('every schema in it compiles', () => {
    const pointers: string[] = []
    collectRefs(document, '', pointers)
    expect(pointers.length).toBeGreaterThan(15)
    for (const pointer of pointers) expect(() => validator(pointer), pointer).not.toThrow()
  })

  test('describes documents as they are presented', () => {
    const validate = validator('/components/schemas/article')
    const time = '2026-01-01T00:00:00.000Z'
    const ofEvery = (type: string, id: string) => ({
      _id: `${id}:en:published`,
      aposDocId: id,
      aposLocale: 'en:published',
      aposMode: 'published',
      type,
      metaType: 'doc',
      title: 'A',
      slug: 'a',
      visibility: 'public',
      archived: false,
      createdAt: time,
      updatedAt: time,
      updatedBy: { _id: null, firstName: '', lastName: '', username: null, title: 'System' },
      lastPublishedAt: null,
    })
    const shown = {
      ...ofEvery('article', 'a'),
      subtitle: 'b',
      count: 1,
      when: null,
      links: [],
      _topics: [{ ...ofEvery('topic', 't'), _fields: { why: 'x' } }],
      topicsIds: ['t'],
      topicsFields: { t: { why: 'x' } },
      body: { _id: 'b', metaType: 'area', items: [{ _id: 'w', metaType: 'widget', type: 'quote', words: 'Hm' }] },
      _edit: true,
    }
    expect([validate(shown), validate.errors]).toEqual([true, null])
    for (const wrong of [
      { count: 'one' },
      { aposMode: 'live' },
      { _id: 1 },
      { _topics: [{}] },
      { visibility: null },
      { subtitle: undefined },
      { updatedAt: 'today' },
    ]) {
      expect(validate(JSON.parse(JSON.stringify({ ...shown, ...wrong }))), JSON.stringify(wrong)).toBe(false)
    }
  })

  test('never describes secrets as shown, but as written', () => {
    const { schemas } = document.components as { schemas: Record<string, { properties: object }> }
    expect(schemas.article?.properties).not.toHaveProperty('secret')
    expect(schemas['article.input']?.properties).toHaveProperty('secret')
  })

  test('bodies need no ids', () => {
    const validate = validator('/components/schemas/article.input')
    expect(validate({ title: 'A', links: [{ to: 'https://example.org' }] })).toBe(true)
  })

  test('tells of the headers that a client sends and acts upon', () => {
    const reader = openApi(site, routes, { kind: 'anonymous' })
    const editor = { kind: 'key', role: 'editor', ai: false, draftsOnly: false } as const
    const known = openApi(site, routes, { ...editor, id: '1', name: '', username: null, firstName: '', lastName: '' })
    const paths = (described: object) => JSON.stringify(Object.entries(described).find(([name]) => name === 'paths'))
    expect(paths(known)).toContain('Idempotency-Key')
    expect(paths(known)).toContain('If-Match')
    expect(paths(known)).toContain('Quire-Revision')
    expect(paths(reader)).not.toContain('Idempotency-Key')
    expect(known.components).toMatchObject({ responses: { Unavailable: { headers: { 'Retry-After': {} } } } })
  })

  test('§5.3 names to anonymous callers nothing that only others may ask for', () => {
    const query = [archived, compareParameter, project]
    const listed = testRoute({ path: '/api/v1/topic', answer: listOf(documentRef('topic')), query, handle })
    const described = (actor: Actor) => JSON.stringify(openApi(site, [listed], actor))
    const identity = { id: '1', name: '', username: null, firstName: '', lastName: '' }
    const editor = described({ kind: 'key', role: 'editor', ai: false, draftsOnly: false, ...identity })
    const anonymous = described({ kind: 'anonymous' })
    for (const mention of ['"name":"archived"', '"name":"compare"', '"name":"aposMode"', '"updatedBy":', '"etag":']) {
      expect(editor).toContain(mention)
      expect(anonymous).not.toContain(mention)
    }
    expect(anonymous).toContain('"name":"project"')
  })

  test('describes errors', () => {
    const validate = validator('/components/schemas/Error')
    expect(validate({ name: 'notfound', message: 'No.', data: {} })).toBe(true)
    expect(validate({ name: 'oops', message: 'No.', data: {} })).toBe(false)
  })

  test('names of components hold only letters, digits and dots', () => {
    expect(schemaName('@cms/image-tag')).toBe('cms.image-tag')
  })

  test('is what generators can take: names, titles, enums, tags', () => {
    const described = openApi(site, [...routes, openApiRoute(site, routes)], { kind: 'operator' })
    expect(obstacles(described)).toEqual([])
    expect(obstacles({ paths: { '/a/{_id}': { get: {} } }, tags: [] })).toHaveLength(2)
    expect(obstacles({ a: { enum: ['a', false] }, b: { title: 'A' }, c: { title: 'A' } })).toHaveLength(2)
  })

  test('choices of one kind are an enum, of several an enum for each', () => {
    const of = (...values: (string | number | boolean | null)[]) =>
      choiceSchema(
        values.map((value) => ({ value, label: String(value) })),
        'orNull',
      )
    expect(of('a', 'b')).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] })
    expect(of(1, 2, null)).toEqual({ type: ['integer', 'null'], enum: [1, 2, null] })
    expect(of('a', 1, 0.5, true)).toEqual({
      oneOf: [
        { type: 'string', enum: ['a'] },
        { type: 'integer', enum: [1] },
        { type: 'number', const: 0.5 },
        { type: 'boolean', const: true },
        { type: 'null' },
      ],
    })
  })

  test('is served', async () => {
    const { call } = await testServer([openApiRoute(site, [])])
    const response = await call('/api/v1/openapi.json')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', paths: { '/api/v1/openapi.json': {} } })
  })
})

/** The pointers of all answer, body, parameter and component schemas. */
function collectRefs(value: unknown, pointer: string, pointers: string[]): void {
  if (!isObject(value) && !Array.isArray(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const below = `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
    if (name === 'schema' || pointer === '/components/schemas') pointers.push(below)
    else collectRefs(inner, below, pointers)
  }
}
