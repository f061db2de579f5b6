import { articleInsert, articleList, articleRead, articleUpdate, topicInsert } from './generated/orval.ts'

// Written against a client that orval has generated from the description of the example; the test compiles and runs it.

const [, key = ''] = process.argv.slice(2)
const options = { headers: { Authorization: `ApiKey ${key}` } }

function given<Data>(answer: { status: 200; data: Data } | { status: number; data: { message: string } }): Data {
  // `as`: the status says which of the two it is.
  if (answer.status === 200) return answer.data as Data
  throw new Error(`${answer.status}: ${(answer.data as { message: string }).message}`)
}

const topic = given(await topicInsert({ title: 'Rivers' }, undefined, options))
const items = [{ type: '@cms/rich-text' as const, content: '<p>Ink is slow.</p>' }]
const made = given(
  await articleInsert(
    { title: 'Ink', section: 'essay', body: { items }, _topics: [{ _id: topic._id }] },
    undefined,
    options,
  ),
)
const list = given(await articleList({ sort: '-title', section: ['essay', 'recipe'], perPage: 5 }, options))
const read = given(await articleRead(made._id, undefined, options))
const changed = given(await articleUpdate(made._id, { subtitle: 'Slowly' }, undefined, options))

// Areas need no check. A projection may leave out all of a related document but its ids and its type.
const words = read.body?.items.map((widget) => (widget.type === '@cms/rich-text' ? widget.content : widget.type))
const topics = read._topics?.flatMap(({ slug }) => slug ?? [])
const section: 'report' | 'essay' | 'recipe' | 'portrait' | null = changed.section
const listed = list.results.map(({ title }) => title)
console.log(JSON.stringify({ listed, words, topics, section, subtitle: changed.subtitle }))
