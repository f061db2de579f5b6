import fc from 'fast-check'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { inconsistencies } from './consistency.ts'
import { sampledDatabases } from './databases.ts'
import { fuzzing } from './sample.ts'
import { describeService } from './service.ts'
import { prototypeNames, send, type WireAnswer, type WireRequest, wrongWith } from './wire.ts'

const ITEM = 'item1item1item1item1item1it'
const WIDGET = 'widget1widget1widget1widg'
const FIELDS = [
  ...['title', 'slug', 'visibility', 'archived', 'subtitle', 'code', 'count', 'rating', 'featured', 'eventDate'],
  ...['eventTime', 'at', 'link', 'contact', 'level', 'tags', 'tone', 'tint', 'size', 'spacing', 'links', 'address'],
  ...['body', '_topics', 'topicsIds', 'topicsFields', '_image', 'imageIds', '_related', 'relatedIds', 'relatedFields'],
  ...['download', '_id', 'aposDocId', 'type', '_copyingId', '_restoreVersion', '_ai', '_autosave', '_patches'],
]
const INHERITED = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf']
const OPERATORS = ['$push', '$pullAll', '$pullAllById', '$addToSet', '$move', '$set', '$where', '$__proto__']

/** A JSON text: made by hand, since an object cannot hold `__proto__` as JSON can. */
type JsonText = string
const quoted = (text: string) => JSON.stringify(text)

const nastyText = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udc00x', '\ufeff', '\u202e', '𝒳', '%', '%00', "'", '"', '\\', '--'],
    ...[
      "'; drop table documents; --",
      '" or 1=1 --',
      '*',
      '_',
      '%_%',
      '$1',
      '{}',
      '[]',
      'null',
      'NaN',
      'Infinity',
      '-0',
    ],
    ...['<script>alert(1)</script>', '<p onclick=x>a', '<b><i></b></i>', 'javascript:alert(1)', '//evil', '../..'],
    ...['2024-02-30', '0000-00-00', '9999-12-31', '+275760-09-13T00:00:00.001Z', '-271821-04-20', '24:00', '12:60:61'],
    ...[
      '2024-01-01T00:00:00+99:99',
      '1e400',
      '-1e400',
      '0x10',
      '9007199254740993',
      '1,5',
      'en',
      'none',
      'a@b',
      'a@b.c',
    ],
    ...['Ａ', 'ﬁ', 'İ', 'ß', '́', 'ก'.repeat(300), 'x'.repeat(5000), '\n\r\t', ITEM, WIDGET, ...INHERITED],
  ),
  fc.string({ maxLength: 30 }),
  fc.string({ maxLength: 20, unit: 'binary' }),
)

const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1e400', '-1e400', '1e308', '5e-324', '9007199254740993', '-1', '1.5', '1e21', '0.1e1'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
)

const key = fc.oneof(
  fc.constantFrom(...FIELDS, ...INHERITED, 'items', 'metaType', 'content', 'label', 'href', 'n', 'city', 'zip', 'why'),
  nastyText,
)

const { value: json } = fc.letrec<{ value: JsonText }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', '{}', '[]'),
    numberText,
    nastyText.map(quoted),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(objectText),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `{"metaType":"area","items":[${items.join()}]}`),
    fc
      .tuple(fc.constantFrom('@cms/rich-text', '@cms/html', 'promo', 'plain', 'nope', '__proto__'), tie('value'))
      .map(([type, value]) => `{"type":${quoted(type)},"_id":"${WIDGET}","content":${value},"items":${value}}`),
  ),
}))

function objectText(entries: readonly (readonly [string, JsonText])[]): JsonText {
  return `{${entries.map(([name, value]) => `${quoted(name)}:${value}`).join()}}`
}

const field = fc.tuple(fc.constantFrom(...FIELDS), fc.oneof(json, nastyText.map(quoted)))
// Few fields are often taken, many hardly ever.
const fieldBody = fc.oneof(
  { arbitrary: field.map((one) => objectText([one])), weight: 2 },
  fc.array(field, { maxLength: 8 }).map(objectText),
)
const titled = fieldBody.map((body) => (body === '{}' ? '{"title":"T"}' : `{"title":"T",${body.slice(1)}`))
const anyBody = fc.oneof(fieldBody, titled, json)

const step = fc.oneof(
  fc.constantFrom(...FIELDS, ...INHERITED, 'items', 'content', 'label', '_id', ''),
  fc.constantFrom(`@${ITEM}`, `@${WIDGET}`, '@nope', '@', '@__proto__', '@constructor'),
  fc.constantFrom('0', '1', '-1', '00', '1e3', '999999999', '4294967296', '99999999999999999999', '$', '$[]'),
)
const path = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => steps.join('.'))
const deepPath = fc.integer({ min: 50, max: 3000 }).map((times) => 'body.'.repeat(times))
const operand = fc.oneof(
  json,
  fc.tuple(json, fc.constantFrom('$position', '$before', '$after', '$each'), json).map(([each, name, value]) => {
    return `{"$each":${each},${quoted(name)}:${value}}`
  }),
  fc.tuple(nastyText, nastyText).map(([item, before]) => `{"$item":${quoted(item)},"$before":${quoted(before)}}`),
)
const operator = fc.tuple(
  fc.constantFrom(...OPERATORS),
  fc.oneof(fc.array(fc.tuple(path, operand), { maxLength: 3 }).map(objectText), json),
)
const patchPart = fc.oneof(fc.tuple(path, json), fc.tuple(deepPath, json), operator)
const patchBody = fc.array(patchPart, { minLength: 1, maxLength: 4 }).map(objectText)
const patches = fc.oneof(
  { arbitrary: patchBody, weight: 4 },
  fc.array(patchBody, { maxLength: 3 }).map((bodies) => `{"_patches":[${bodies.join()}]}`),
  fc.tuple(patchBody, json).map(([body, value]) => `{"_patches":[{"_patches":[${body}]},${value}]}`),
)

const PARAMETERS = [
  ...['page', 'perPage', 'search', 'autocomplete', '_ids', 'sort', 'choices', 'counts', 'project', 'archived'],
  ...[
    'aposMode',
    'aposLocale',
    'render-areas',
    'topics',
    '_topicsAnd',
    'topicsAnd',
    'minPrice',
    'createdAt',
    'updatedAt',
  ],
  ...['apikey', '__aposGetWithQuery', 'relatedAnd', ...FIELDS, ...INHERITED],
]
const escaped = nastyText.map((text) => encodeURIComponent(text.toWellFormed()))
const queryName = fc
  .tuple(
    fc.oneof({ arbitrary: fc.constantFrom(...PARAMETERS), weight: 4 }, escaped),
    fc.constantFrom(
      '',
      '',
      '[]',
      '[0]',
      '[999]',
      '[min]',
      '[max]',
      '[title]',
      '[__proto__]',
      '[a][b][]',
      '[',
      ']',
      '[][]',
    ),
  )
  .map((parts) => parts.join(''))
const queryValue = fc.oneof(
  escaped,
  fc.constantFrom(
    '1',
    '-1',
    '0',
    '1.5',
    'true',
    'draft',
    'published',
    'fr:draft',
    'it',
    '%ff',
    '%C3%28',
    '%',
    '%zz',
    '+',
  ),
  fc.constantFrom('title,subtitle,tags', '-title', '_topics', 'none', '1e999', '2024', '2024-01-01', '%ED%A0%80'),
)
const query = fc
  .array(
    fc.tuple(queryName, queryValue).map(([name, value]) => `${name}=${value}`),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join('&'))
const idText = fc.oneof(
  escaped,
  fc.constantFrom(...INHERITED, '%00', '%ff', '..', '.', 'a:b', ':::', 'x:en', 'x:en:draft', 'x:xx:draft', '%2e%2e%2f'),
  fc.constantFrom(`${'a'.repeat(26)}:en:published`, 'a'.repeat(7000), '%E0%A4%A', '@cms', '*', '$where'),
)
const EDITOR = { authorization: 'ApiKey key-editor' }
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

describeService(
  '§0 random requests',
  { site: referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), on: sampledDatabases('fuzz') },
  (service) => {
    const before = prototypeNames()
    let id = ''

    beforeAll(async () => {
      const topic = await service.editor.post('topic', { title: 'Topic' })
      const made = await service.editor.post('article', {
        title: 'Victim',
        tags: ['red'],
        links: [{ _id: ITEM, label: 'one' }, { label: 'two' }],
        address: { city: 'Rome' },
        body: { items: [{ _id: WIDGET, type: '@cms/rich-text', content: '<p>Hello</p>' }] },
        _topics: [{ _id: topic.body._id }],
        _related: [],
      })
      expect(made.status).toBe(200)
      id = made.body.aposDocId
    })

    afterEach(async () => {
      expect(prototypeNames()).toBe(before)
      expect((await inconsistencies(service.databaseUrl, service.app.site)).slice(0, 5)).toEqual([])
    })

    /** Sends a request, and throws, printing it, when the answer is not as every answer must be. */
    async function sound(request: WireRequest, key: string | null = 'key-editor'): Promise<WireAnswer> {
      const headers = { ...(key === null ? {} : { authorization: `ApiKey ${key}` }), ...request.headers }
      const answer = await send(service.address, { ...request, headers })
      const wrong = wrongWith(answer, request.method)
      if (wrong === null) return answer
      const log = service.logged.filter(({ level }) => level === 'error').at(-1)
      throw new Error(
        `${JSON.stringify({ ...request, headers }).slice(0, 3000)}\n${wrong}\n${JSON.stringify(log?.data)}`,
      )
    }

    async function stored(): Promise<string> {
      const both = await Promise.all(
        ['draft', 'published'].map((mode) =>
          send(service.address, { ...reading(`/api/v1/article/${id}?aposMode=${mode}&archived=any`), headers: EDITOR }),
        ),
      )
      expect(both.map(({ status }) => status)).toEqual([200, 200])
      return both.map(({ text }) => text).join('\n')
    }

    /** A refused write leaves the document as it was; any other one leaves a readable document. */
    async function harmless(request: WireRequest): Promise<void> {
      const wasStored = await stored()
      const { status } = await sound({ ...request, headers: { 'content-type': 'application/json' } })
      if (status === 200) await service.editor.post(`article/${id}/restore`)
      const isStored = await stored()
      if (status !== 200 && isStored !== wasStored)
        throw new Error(`A refused request changed the document: ${request.body}`)
    }

    const modes = fc.constantFrom('draft', 'published')

    test('bodies of POST', async () => {
      const property = fc.asyncProperty(anyBody, modes, async (body, mode) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await sound({ method: 'POST', path: `/api/v1/article?aposMode=${mode}`, headers, body })
        if (answer.status !== 200) return
        const { aposDocId } = JSON.parse(answer.text)
        const again = await sound(reading(`/api/v1/article/${aposDocId}?aposMode=${mode}&archived=any`))
        expect(again.status).toBe(200)
      })
      await fc.assert(property, fuzzing(250))
    })

    test('bodies of PUT', async () => {
      const property = fc.asyncProperty(anyBody, modes, (body, mode) =>
        harmless({ method: 'PUT', path: `/api/v1/article/${id}?aposMode=${mode}`, body }),
      )
      await fc.assert(property, fuzzing(150))
    })

    test('§4.1 paths and operators of PATCH', async () => {
      const property = fc.asyncProperty(patches, modes, (body, mode) =>
        harmless({ method: 'PATCH', path: `/api/v1/article/${id}?aposMode=${mode}`, body }),
      )
      await fc.assert(property, fuzzing(400))
    })

    test('bodies of every other route', async () => {
      const routes = [
        'publish',
        'archive',
        'restore',
        'localize',
        `${id}/publish`,
        `${id}/localize`,
        `${id}/archive`,
        id,
      ]
      const names = fc.constantFrom('_ids', 'toLocale', 'toLocales', 'update', '__aposGetWithQuery', 'a')
      const body = fc.oneof(fc.array(fc.tuple(names, json), { maxLength: 3 }).map(objectText), json)
      const property = fc.asyncProperty(fc.constantFrom(...routes, ''), body, async (route, text) => {
        const headers = { 'content-type': 'application/json' }
        await sound({ method: 'POST', path: `/api/v1/article/${route}`, headers, body: text })
        await service.editor.post(`article/${id}/restore`)
      })
      await fc.assert(property, fuzzing(150))
    })

    test('query strings of lists and single documents, as a anonymous caller and as an editor', async () => {
      const target = fc.constantFrom(
        'article',
        'product',
        'topic',
        'note',
        `article/${id}`,
        '@cms/image',
        'openapi.json',
      )
      const property = fc.asyncProperty(target, query, fc.boolean(), async (route, text, isKnown) => {
        await sound(reading(`/api/v1/${route}?${text}`), isKnown ? 'key-editor' : null)
      })
      await fc.assert(property, fuzzing(700))
    })

    test('ids, methods and headers', async () => {
      const names = [
        'if-match',
        'if-none-match',
        'content-type',
        'content-encoding',
        'cookie',
        'accept',
        'range',
        'origin',
      ]
      const more = [
        'x-forwarded-for',
        'x-forwarded-host',
        'x-http-method-override',
        'x-requested-with',
        'accept-language',
      ]
      const value = fc.oneof(
        fc.constantFrom(
          '*',
          '"1"',
          'W/"1"',
          ',',
          '""',
          'application/json',
          'text/html',
          'gzip',
          'bytes=0-1',
          'identity',
        ),
        fc.constantFrom(
          'application/json; charset=utf-16',
          'multipart/form-data',
          'application/x-www-form-urlencoded',
          ';',
        ),
        fc.string({ maxLength: 30 }),
      )
      const headers = fc.dictionary(fc.constantFrom(...names, ...more), value, { maxKeys: 3 })
      const property = fc.asyncProperty(
        fc.constantFrom(...METHODS),
        idText,
        headers,
        anyBody,
        async (method, text, given, body) => {
          const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method)
          const path = `/api/v1/article/${text}`
          await sound({ method, path, headers: given, ...(hasBody ? { body } : {}) })
        },
      )
      await fc.assert(property, fuzzing(300))
    })

    test('credentials of every sort', async () => {
      const scheme = fc.constantFrom('ApiKey ', 'Bearer ', 'Basic ', '', 'apikey', 'BEARER\t')
      const secret = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom(...INHERITED, 'x'.repeat(8000), 'null'))
      const property = fc.asyncProperty(scheme, secret, async (first, second) => {
        const authorization = `${first}${second.replace(/[^\x20-\x7e]/g, '?')}`
        const { status } = await sound({ ...reading('/api/v1/article'), headers: { authorization } }, null)
        if (authorization.trim() !== '') expect(status).toBe(401)
        expect((await sound(reading(`/api/v1/article?apikey=${encodeURIComponent(second)}`), null)).status).toBe(401)
      })
      await fc.assert(property, fuzzing(80))
    })

    test.each<[string, string | Buffer]>([
      ['nothing', ''],
      ['no JSON', '{'],
      ['a text', '"title"'],
      ['a list', '[{"title":"a"}]'],
      ['null', 'null'],
      ['10,000 brackets', `{"body":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
      ['10,000 brackets that are not closed', '['.repeat(10_000)],
      ['10,000 braces', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x74, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['a number that is too large', '{"count":1e400,"rating":-1e400,"title":"a"}'],
      ['a prototype', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
      ['UTF-16', Buffer.from('{"title":"a"}', 'utf16le')],
    ])('a body that is %s is refused', async (_, body) => {
      const headers = { 'content-type': 'application/json' }
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', `/${id}`],
      ] as const) {
        const wasStored = await stored()
        expect((await sound({ method, path: `/api/v1/article${path}`, headers, body })).status).toBe(400)
        expect(await stored()).toBe(wasStored)
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    })

    test('it still answers', async () => {
      expect((await service.anonymous.get('article')).status).toBe(200)
      expect((await service.editor.post('article', { title: 'After' })).status).toBe(200)
      expect(service.logged.filter(({ level }) => level === 'error')).toEqual([])
    })
  },
)

function reading(path: string): WireRequest {
  return { method: 'GET', path, headers: {} }
}
