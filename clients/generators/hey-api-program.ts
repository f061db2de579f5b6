import { client } from './generated/hey-api/client.gen.ts'
import { articleInsert, articleList, articleRead, articleUpdate, topicInsert } from './generated/hey-api/index.ts'

// Written against a client that hey-api has generated from the description of the example; the test compiles and runs it.

const [address = '', key = ''] = process.argv.slice(2)
client.setConfig({ baseUrl: address, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) })
const throwOnError = true

const { data: topic } = await topicInsert({ throwOnError, body: { title: 'Rivers' } })
const items = [{ type: '@cms/rich-text' as const, content: '<p>Ink is slow.</p>' }]
const { data: made } = await articleInsert({
  throwOnError,
  body: { title: 'Ink', section: 'essay', body: { items }, _topics: [{ _id: topic._id }] },
})
const path = { id: made._id }
const query = { sort: '-title', section: ['essay', 'recipe'], minutes: { min: 1 }, perPage: 5 } as const
const { data: list } = await articleList({ throwOnError, query: { ...query, section: [...query.section] } })
const { data: read } = await articleRead({ throwOnError, path })
const { data: changed } = await articleUpdate({ throwOnError, path, body: { subtitle: 'Slowly' } })

// Areas need no check. A projection may leave out all of a related document but its ids and its type.
const words = read.body?.items.map((widget) => (widget.type === '@cms/rich-text' ? widget.content : widget.type))
const topics = read._topics?.flatMap(({ slug }) => slug ?? [])
const section: 'report' | 'essay' | 'recipe' | 'portrait' | null = changed.section
const listed = list.results.map(({ title }) => title)
console.log(JSON.stringify({ listed, words, topics, section, subtitle: changed.subtitle }))
