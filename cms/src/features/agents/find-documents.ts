import { z } from 'zod'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { STATES } from '../../engine/lists/states.ts'
import { may } from '../../engine/permissions.ts'
import type { Agent, Place, Row, RowsPage } from './agent.ts'
import { marked } from './content-marks.ts'
import { cursorOf, pageOfText, positionOf } from './cursors.ts'
import { bareId } from './document-text.ts'
import { CURSOR, ID, LOCALE, MODE, type Tool, tool } from './tool.ts'

/** As many lines of the longest titles and slugs fit into an answer. */
const MOST_FOUND = 50
const LONGEST = 120

const FIND = z.strictObject({
  types: z.array(z.string().max(200)).max(50).optional().describe('All that you may read when left out.'),
  search: z.string().max(500).optional().describe('All of these words, anywhere.'),
  where: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Filters by fields, as in the query of GET lists: {"price": {"min": 3}}. Needs exactly one type.'),
  state: z.array(z.enum(STATES)).max(4).optional(),
  locale: LOCALE,
  sort: z.string().max(100).optional().describe('-updatedAt when left out.'),
  perPage: z.int().min(1).max(MOST_FOUND).default(20),
  cursor: CURSOR,
})

/** Finds documents: one line for each, never what they hold. */
export const find: Tool = tool({
  name: 'find',
  title: 'Find documents',
  description:
    'Finds documents by type, words, filters and state: a line for each with id, type, title, state and slug.',
  input: FIND,
  facts: { total: z.int() },
  run: async (agent, { cursor, ...input }) => {
    const continued = { tool: 'find', of: [input] }
    const page = (await positionOf(agent, continued, cursor)) || 1
    const { results, total, pages } = await findPage(agent, input, page)
    const text = marked(results.map(lineOf).join('\n') || 'Nothing was found.')
    return { text, total, ...(page < pages && { cursor: await cursorOf(agent, continued, page + 1) }) }
  },
})

type FindInput = Omit<z.infer<typeof FIND>, 'cursor'>

function findPage(agent: Agent, input: FindInput, page: number): Promise<RowsPage> {
  const { where, locale } = input
  const reads = [...agent.ctx.site.types.values()].some((type) => may(agent.actor, 'readDraft', type))
  if (where === undefined && reads) return agent.documents(acrossQuery(input, page), { locale })
  return listOfOne(agent, input, page)
}

function acrossQuery({ types, search, state, sort, perPage }: FindInput, page: number) {
  return {
    page,
    perPage,
    ...(types && types.length > 0 && { types }),
    ...(search && { search }),
    ...(state && state.length > 0 && { state }),
    ...(sort && { sort }),
  }
}

/** A list with the filters of one type. */
async function listOfOne(
  agent: Agent,
  { types = [], where = {}, search, state, sort, perPage, locale }: FindInput,
  page: number,
): Promise<RowsPage> {
  const [name, ...others] = types
  if (name === undefined || others.length > 0) throw invalid('types: name exactly one type with "where".')
  const { type } = agent.view(name)
  if (type.family === 'page') throw invalid('where: pages are found without it, or by read_tree.')
  const query = {
    ...where,
    page,
    perPage,
    project: THIN,
    ...(search && { search }),
    ...(state && { state }),
    ...(sort && { sort }),
  }
  // `as`: lists answer this.
  return (await agent.run(`${name}.list`, { query }, { locale, mode: agent.modeFor(type) })).body as RowsPage
}

const THIN = Object.fromEntries(
  ['title', 'slug', 'type', 'updatedAt', 'modified', 'lastPublishedAt'].map((name) => [name, '1']),
)

function lineOf({ aposDocId, _id, type, title, state, updatedAt, slug, modified, lastPublishedAt }: Row): string {
  const known = state ?? (lastPublishedAt ? (modified ? 'modified' : 'published') : 'draft')
  const facts = [type, JSON.stringify(short(title)), known, short(slug), String(updatedAt ?? '').slice(0, 10)]
  return `- ${bareId(aposDocId ?? _id)} ${facts.filter(Boolean).join(' ')}`
}

function short(value: unknown): string {
  const text = String(value ?? '')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** Shows the tree of pages. */
export const readTree: Tool = tool({
  name: 'read_tree',
  title: 'Read the tree of pages',
  description:
    'Shows the pages as a tree: id, type, title and path of each; with "below" only the children of one page.',
  input: z.strictObject({ locale: LOCALE, mode: MODE, below: ID.optional(), cursor: CURSOR }),
  run: async (agent, { locale, mode, below, cursor }) => {
    const place = { locale, mode: mode ?? readableMode(agent) }
    const pages = below === undefined ? await wholeTree(agent, place) : await childrenOf(agent, bareId(below), place)
    const text = pages.map(pageLine).join('\n') || 'No page is below it.'
    return pageOfText(agent, { tool: 'read_tree', of: [place, below ?? null] }, { text, cursor })
  },
})

function readableMode(agent: Agent): 'draft' | 'published' {
  const isReader = [...agent.ctx.site.types.values()].some((type) => {
    return type.family === 'page' && may(agent.actor, 'readDraft', type)
  })
  return isReader ? 'draft' : 'published'
}

async function wholeTree(agent: Agent, place: Place): Promise<readonly Row[]> {
  const query = { all: '1', flat: '1', project: { title: '1', slug: '1', type: '1', level: '1' } }
  const { body } = await agent.run('page.list', { query }, place)
  return resultsIn(body)
}

async function childrenOf(agent: Agent, id: string, place: Place): Promise<readonly Row[]> {
  const type = await agent.typeOf(id)
  if (type.family !== 'page') throw invalid('below: this is no page.')
  const { body } = await agent.run('page.read', { id, query: { project: { _children: '1', title: '1' } } }, place)
  return isObject(body) && Array.isArray(body._children) ? body._children.filter(isObject) : []
}

function resultsIn(body: unknown): readonly Row[] {
  return isObject(body) && Array.isArray(body.results) ? body.results.filter(isObject) : []
}

function pageLine({ aposDocId, _id, type, title, slug, level }: Row): string {
  const indent = '  '.repeat(Math.min(Number(level ?? 0), 20))
  return `${indent}- ${bareId(aposDocId ?? _id)} ${type} ${JSON.stringify(short(title))} ${short(slug)}`
}
