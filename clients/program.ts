import createClient from 'openapi-fetch'
import type { paths } from './generated/api.ts'

// Written against types that are generated from the description of the site; the test compiles and runs it.

const [address = '', key = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `ApiKey ${key}` } })

function given<Value>({ data, error }: { data?: Value; error?: { name: string; message: string } }): Value {
  if (data === undefined) throw new Error(`${error?.name}: ${error?.message}`)
  return data
}

const venue = given(await client.POST('/api/v1/venue', { body: { title: 'Town hall', capacity: 300 } }))
for (const [title, starts, price] of [
  ['Jazz night', '2026-05-01', 12],
  ['Lecture', '2026-06-01', 0],
  ['Opera', '2026-07-01', 80],
] as const) {
  const _venue = [{ _id: venue._id, _fields: { room: 'Great hall' } }]
  given(await client.POST('/api/v1/event', { body: { title, starts, price, _venue, program: [{ title: 'Welcome' }] } }))
}

const query = {
  sort: { starts: -1 },
  price: { min: 1, max: 100 },
  starts: { min: '2026-04-01' },
  project: { title: 1, _venue: 1 },
  perPage: 10,
} as const
const list = given(await client.GET('/api/v1/event', { params: { query } }))
const listed = list.results.map(
  (event) => `${event.title} at ${event._venue?.[0]?.title}, ${event._venue?.[0]?._fields.room}`,
)
const several = given(
  await client.GET('/api/v1/event', { params: { query: { kind: ['talk', 'concert'], sort: '-title' } } }),
)

const [first] = list.results
if (first === undefined) throw new Error('No event was found.')
const changed = given(
  await client.PATCH('/api/v1/event/{id}', { params: { path: { id: first._id } }, body: { kind: 'concert' } }),
)

const page = given(
  await client.POST('/api/v1/@cms/page', {
    body: {
      _targetId: '_home',
      _position: 'lastChild',
      type: 'plain-page',
      title: 'About',
      main: {
        items: [
          { type: '@cms/rich-text', content: '<p>Hello</p>' },
          { type: 'quote', words: 'Be brief.', by: 'A. Writer' },
        ],
      },
    },
  }),
)
const widgets = page.type === 'plain-page' ? (page.main?.items ?? []) : []
const words = widgets.map((one) => (one.type === 'quote' ? one.words : one.type))
const home = given(await client.GET('/api/v1/@cms/page'))
const children = 'results' in home ? [] : (home._children ?? []).map((child) => child.title)

const missing = await client.GET('/api/v1/event/{id}', { params: { path: { id: 'nothing' } } })

const stale = await client.PATCH('/api/v1/event/{id}', {
  params: { path: { id: first._id }, header: { 'If-Match': '"0"' } },
  body: { kind: 'talk' },
})
const repeatable = { params: { header: { 'Idempotency-Key': 'venue-1' } }, body: { title: 'Sent twice', capacity: 2 } }
const twice = [
  given(await client.POST('/api/v1/venue', repeatable)),
  given(await client.POST('/api/v1/venue', repeatable)),
]
const once = new Set(twice.map(({ _id }) => _id)).size

const failures = { missing: missing.error?.name, stale: stale.error?.name }
const found = { listed, several: several.total, kind: changed.kind, words, children, once, ...failures }
console.log(JSON.stringify(found))
