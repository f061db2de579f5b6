import { beforeAll, expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { problemOfDoubling } from './growth.ts'
import { type OpenApi, type Parameter, parametersOf } from './openapi-parameters.ts'
import { sample, some } from './sample.ts'
import { describeService } from './service.ts'
import { send, type WireRequest } from './wire.ts'

/** Half of what the head of a request has room for, and of what an anonymous body may have, in bytes. */
const HEAD = 23_000
const BODY = 31_000

/** What is repeated: each of these has made some program slow. */
const REPEATED: Readonly<Record<string, string>> = {
  'marks of two classes': '\u0301\u0323',
  'marks of five classes': '\u0301\u0323\u0345\u05b0\u3099',
  'letters that become marks': '\uff9e\u0301',
  'marks within the limit': `a${'\u0323\u0301'.repeat(15)}`,
  'unspaced Thai': 'สวัสดีครับ',
  Han: '漢字',
  'letters that expand': '\ufdfa',
  'one long word': 'a',
  words: 'word ',
  spaces: ' ',
  slashes: '/a',
  dots: '../',
  brackets: '[',
  'pairs of brackets': '[a]',
  commas: 'a,',
  semicolons: 'a;q=0.1,',
  assignments: 'a=b&',
  'cookies, of which one has no value': 'a=b; c; ',
  digits: '9',
  percents: '%25',
  quotes: '"\\',
  'beginnings of tags': '<a ',
}

/** Headers that some code reads of anonymous callers. */
const HEADERS: readonly string[] = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'apos-external-front-key',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'user-agent',
  'x-apos-static-base-url',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-requested-with',
]

/** Public URLs into which a text is put, and those of files. */
const PATHS: readonly string[] = [
  '/{}',
  '/articles/{}',
  '/articles/city/{}',
  '/articles/city/{}/page/2',
  '/articles/{}/x',
  '/articles?city={}',
  '/articles?page={}',
  '/articles?{}=1',
  '/%C5%BC%C3%B3%C5%82w/{}',
  '/z%CC%87{}/articles',
  '/articles?aposMode={}',
  '/articles?aposLocale={}',
  '/uploads/attachments/{}.jpg',
  '/uploads/{}/x.txt',
  '/sitemap.xml?{}',
  '/api/v1/{}',
  '/api/v1/article/{}',
  '/api/v1/article/x:{}:draft',
  '/api/v1/@cms/page/{}',
  '/api/v1/@cms/attachment/{}',
]

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** A text of about so many bytes, once it is written by a function. */
function textOf(part: string, bytes: number, written: (text: string) => string): string {
  return `a${part.repeat(Math.ceil(bytes / Buffer.byteLength(written(part))))}`
}

type MakeRequest = (part: string, double: 1 | 2) => WireRequest

const inHead = (make: (escaped: string) => WireRequest): MakeRequest => {
  return (part, times) => make(encoded(textOf(part, HEAD * times, encoded)).replace(/%.?$/, ''))
}

const inBody = (method: string, path: string, body: (text: string) => unknown): MakeRequest => {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
  return (part, times) => ({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body(textOf(part, BODY * times, escaped))),
  })
}

/** Every way in which a text can be given for a parameter of an operation. */
function formsOf({ method: lower, path: template, name, in: place }: Parameter): [string, MakeRequest][] {
  const method = lower.toUpperCase()
  const path = template.replace('{id}', 'none')
  const title = `${method} ${template} ${name}`
  if (place === 'path') return [[title, inHead((text) => ({ method, path: template.replace(`{${name}}`, text) }))]]
  if (place === 'body') {
    return [
      [title, inBody(method, path, (text) => ({ [name]: text }))],
      [`${title}[]`, inBody(method, path, (text) => ({ [name]: [text] }))],
    ]
  }
  const queries = [(text: string) => `${name}=${text}`, (text: string) => `${name}[${text}]=1`]
  const asked = queries.map((query, index): [string, MakeRequest] => {
    return [`${title} ${index}`, inHead((text) => ({ method, path: `${path}?${query(text)}` }))]
  })
  if (method !== 'GET') return asked
  return [...asked, [`${title} by POST`, inBody('POST', path, (text) => ({ __aposGetWithQuery: { [name]: text } }))]]
}

const headerForms = HEADERS.flatMap((name): [string, MakeRequest][] => {
  const make = (method: string, path: string, written: (text: string) => string): MakeRequest => {
    return (part, times) => ({ method, path, headers: { [name]: written(textOf(part, HEAD * times, written)) } })
  }
  const latin = (text: string) =>
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[^ -~\u00a1-\u00ff]/g, '_')
  return [
    [`${name} of a page`, make('GET', '/articles', latin)],
    [`${name} of a list`, make('GET', '/api/v1/article', latin)],
    [`${name} of a page, encoded`, make('GET', '/articles', encoded)],
    [`${name} of a sign-in`, make('POST', '/api/v1/@cms/login/login', latin)],
  ]
})

const pathForms = PATHS.map((path): [string, MakeRequest] => {
  return [path, inHead((text) => ({ method: 'GET', path: path.replace('{}', text) }))]
})

const STORED = ['once', 'twice'] as const
const STORED_LENGTH = 28_000
/** What anonymous callers ask of documents with such texts. */
const ASKED = [
  '/{}',
  '/{}/city/b',
  '/{}/text',
  '/api/v1/{}',
  '/api/v1/{}?choices=city,note',
  '/api/v1/{}?counts=city&sort[city]=1',
  '/api/v1/{}?search=a',
]

const site = defineSite({
  baseUrl: 'https://example.org',
  locales: { en: { label: 'English' }, pl: { label: 'Polski', prefix: '/żółw' } },
  static: true,
  sitemap: true,
  types: [
    piece('article', {
      publicApiProjection: ['title', 'slug', 'city', 'note', '_topics', '_url'],
      fields: {
        add: {
          city: { type: 'string' },
          note: { type: 'string', textarea: true },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
    // Each has one document, with a text in it; that of the second is twice as long.
    ...(['once', 'twice'] as const).flatMap((name) => [
      piece(name, {
        publicApiProjection: ['title', 'slug', 'city', 'note', 'body', '_url'],
        fields: {
          add: {
            city: { type: 'string' },
            note: { type: 'string', textarea: true },
            body: { type: 'area', widgets: { '@cms/rich-text': {} } },
          },
        },
      }),
      page(`${name}-list`, { piecesType: name, piecesFilters: ['city', 'note'] }),
    ]),
    piece('topic', { publicApiProjection: ['title', 'slug'], fields: { add: {} } }),
    page('list', { piecesType: 'article', piecesFilters: ['city', 'topics'] }),
  ],
  pages: { publicApiProjection: ['title', 'slug', '_url'] },
})

describeService(
  '§0.5 twice as much costs at most twice as much',
  { isLong: true, site, timeout: 600_000 },
  (service) => {
    let forms: [string, MakeRequest][] = []
    const ids = new Map<string, string>()

    beforeAll(async () => {
      const target = { _targetId: '_home', _position: 'lastChild' }
      await service.editor.post('@cms/page', { type: 'list', title: 'Articles', slug: '/articles', ...target })
      for (const city of ['Rome', 'Łódź']) await service.editor.post('article', { title: city, city })
      for (const name of STORED) {
        await service.editor.post('@cms/page', { type: `${name}-list`, title: name, slug: `/${name}`, ...target })
        for (const title of ['Text', 'Other'])
          ids.set(`${name} ${title}`, (await service.editor.post(name, { title, city: 'b', note: 'b' })).body.aposDocId)
      }
      const { body } = await service.anonymous.get('openapi.json')
      forms = [...parametersOf(body as OpenApi).flatMap(formsOf), ...headerForms, ...pathForms]
    })

    test('§0.5 for every input of anonymous callers', async () => {
      const wrong: string[] = []
      for (const [index, [title, make]] of sample(forms, 60).entries()) {
        for (const [kind, part] of some(Object.entries(REPEATED), 4, index)) {
          const problem = await problemOfDoubling((times) => send(service.address, make(part, times)))
          if (problem !== null) wrong.push(`${title}: ${kind}: ${problem}`)
        }
      }
      expect(wrong).toEqual([])
    })

    test('§0.5 for every stored value that anonymous callers ask for', async () => {
      const wrong: string[] = []
      for (const [kind, part] of sample(Object.entries(REPEATED), 4)) {
        for (const [at, name] of STORED.entries()) {
          // Of two texts one has to be put in order before the other.
          for (const [title, end] of [
            ['Text', part],
            ['Other', [...part].toReversed().join('')],
          ] as const) {
            const text = `a${part.repeat((STORED_LENGTH * (at + 1)) / part.length)}${end}`
            const body = { items: [{ metaType: 'widget', type: '@cms/rich-text', content: `<p>${text}</p>` }] }
            const saved = await service.editor.patch(`${name}/${ids.get(`${name} ${title}`)}`, {
              city: text,
              note: text,
              body,
            })
            expect([kind, saved.status]).toEqual([kind, 200])
          }
        }
        await service.anonymous.get('once', 'search=a')
        for (const path of ASKED) {
          const problem = await problemOfDoubling((times) => {
            service.forget()
            return send(service.address, { method: 'GET', path: path.replace('{}', STORED[times - 1] ?? '') })
          })
          if (problem !== null) wrong.push(`${path}: ${kind}: ${problem}`)
        }
      }
      expect(wrong).toEqual([])
    })
  },
)
