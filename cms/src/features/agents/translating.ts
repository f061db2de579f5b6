import { hash } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '../../base/errors.ts'
import { isObject, joinPath } from '../../base/json.ts'
import { seenContent } from '../../engine/values/seen-content.ts'
import type { Content, Type } from '../../model/declared/types.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import type { Agent, Row } from './agent.ts'
import { pathOf, rowsIn } from './change-sentences.ts'
import { marked } from './content-marks.ts'
import { cursorOf, pageOfText, positionOf } from './cursors.ts'
import { bareId } from './document-text.ts'
import { CURSOR, ID, LOCALE, type Tool, type ToolAnswer, tool } from './tool.ts'

const INPUT = z.strictObject({
  toLocale: z.string().max(60),
  fromLocale: LOCALE,
  id: ID.optional().describe('The document or page; without it, those that lack a translation are listed.'),
  type: z.string().max(200).optional().describe('Lists those of this type; of all types when left out.'),
  cursor: CURSOR,
})

type Input = z.infer<typeof INPUT>

/** Says what is not translated yet. */
export const translateMissing: Tool = tool({
  name: 'translate_missing',
  title: 'Find what is not translated',
  description:
    'Says which texts and blocks of a document or page lack a translation or are behind, with their source and path; or which documents do. Writes nothing: translate by write_draft.',
  input: INPUT,
  facts: { total: z.int().optional() },
  run: (agent, input) =>
    input.id === undefined ? listUntranslated(agent, input) : missingTexts(agent, input, input.id),
})

const PER_PAGE = 50

/** Documents that the locale lacks, pages too, and those that are behind there. */
async function listUntranslated(
  agent: Agent,
  { toLocale, fromLocale, type: name, cursor }: Input,
): Promise<ToolAnswer> {
  if (name !== undefined) agent.view(name)
  const continued = { tool: 'translate_missing', of: [name ?? null, toLocale, fromLocale ?? null] }
  const page = (await positionOf(agent, continued, cursor)) || 1
  const query = { page, perPage: PER_PAGE, ...(name !== undefined && { types: [name] }) }
  const [missing, outdated] = await Promise.all([
    agent.documents({ ...query, missingIn: toLocale }, { locale: fromLocale }),
    agent.documents({ ...query, outdatedIn: toLocale }, { locale: fromLocale }),
  ])
  const lines = [
    ...missing.results.map((one) => `- ${lineOf(one)}: not in ${toLocale}`),
    ...outdated.results.map((one) => `- ${lineOf(one)}: behind in ${toLocale}`),
  ]
  const isLast = page >= Math.max(missing.pages, outdated.pages)
  const text = marked(lines.join('\n') || 'Nothing is missing.')
  const total = missing.total + outdated.total
  return { text, total, ...(!isLast && { cursor: await cursorOf(agent, continued, page + 1) }) }
}

function lineOf({ aposDocId, _id, type, title }: Row): string {
  return `${bareId(aposDocId ?? _id)} ${type} ${JSON.stringify(String(title ?? '').slice(0, 120))}`
}

/** The texts and blocks of a document that are missing, the same as their source, or older than it. */
async function missingTexts(agent: Agent, { toLocale, fromLocale, cursor }: Input, id: string): Promise<ToolAnswer> {
  const type = await agent.typeOf(id)
  const docId = bareId(id)
  const from = fromLocale ?? agent.ctx.site.defaultLocale
  if (from === toLocale) throw invalid('fromLocale and toLocale are the same.')
  const source = await draftOf(agent, type, docId, from)
  const target = await translationOf(agent, type, docId, toLocale)
  const behind = target === null ? new Set<string>() : await behindIn(agent, type, docId, { toLocale, from })
  const lines = source === null ? [] : linesOf(source, target, behind)
  const head =
    target === null ? `It is not in ${toLocale} yet: write_draft with "copyFrom": ${JSON.stringify(from)}.\n` : ''
  const text = head + (lines.join('\n') || 'Nothing is missing.')
  const of = [docId, toLocale, from, hash('sha256', text)]
  return pageOfText(agent, { tool: 'translate_missing', of }, { text, cursor })
}

/** A draft as the caller sees it. Throws `notfound` where it may not be read. */
async function draftOf(agent: Agent, type: Type, docId: string, locale: string): Promise<Content | null> {
  await agent.read(type, docId, { locale }, { project: { title: '1' } })
  return contentIn(agent, docId, locale)
}

async function translationOf(agent: Agent, type: Type, docId: string, locale: string): Promise<Content | null> {
  const found = await contentIn(agent, docId, locale)
  if (found !== null) await agent.read(type, docId, { locale }, { project: { title: '1' } })
  return found
}

async function contentIn(agent: Agent, docId: string, locale: string): Promise<Content | null> {
  const { ctx } = agent
  const copy = await agent.at({ locale }).store.documents.get({ docId, locale, mode: 'draft' })
  return copy && seenContent({ site: ctx.site, actor: agent.actor }, copy.type, copy.fields)
}

/** The paths that were changed in the source since the translation was saved. */
async function behindIn(
  agent: Agent,
  type: Type,
  docId: string,
  { toLocale, from }: { readonly toLocale: string; readonly from: string },
): Promise<ReadonlySet<string>> {
  const { body } = await agent.read(type, docId, { locale: toLocale }, { compare: from, project: { title: '1' } })
  const compared = isObject(body) ? body._compared : null
  return new Set(rowsIn(compared).map(pathOf))
}

/** A line for each text and each block that the translation lacks, or that is the same or behind there. */
function linesOf(source: Content, target: Content | null, behind: ReadonlySet<string>): string[] {
  const translated = new Map(target === null ? [] : [...partsOf(target)].map((one) => [one.path, one]))
  return [...partsOf(source)].flatMap(({ path, text, block }) => {
    const there = translated.get(path)
    if (block !== undefined) return there === undefined ? [`- ${path} (block missing): ${block}`] : []
    const why = reasonFor({ text, translation: there?.text, isBehind: behind.has(path) })
    return why === null ? [] : [`- ${path} (${why}): ${JSON.stringify(text)}`]
  })
}

/** A text of a document, or a widget or an item in it. */
interface Part {
  readonly path: string
  readonly text: string
  /** The type of a widget; `item` for the others. */
  readonly block?: string
}

/** The texts of a document, and its widgets and items before what is in them, at any depth. */
function* partsOf({ type, fields }: Content): Generator<Part> {
  for (const { field, values, path } of walk(type.fields, fields)) {
    const value = storedValue(field, values)
    if (field.type.translated !== undefined) yield { path, text: typeof value === 'string' ? value : '' }
    const holders = value === null || field.type.property ? [] : (field.type.children?.(value, field.options) ?? [])
    for (const { step, values: inside } of holders) {
      const block = typeof inside.type === 'string' ? inside.type : 'item'
      if (step !== '') yield { path: joinPath(path, step), text: '', block }
    }
  }
}

interface Compared {
  readonly text: string
  readonly translation: string | undefined
  readonly isBehind: boolean
}

function reasonFor({ text, translation, isBehind }: Compared): string | null {
  if (text.trim() === '') return null
  if (translation === undefined || translation.trim() === '') return 'missing'
  if (translation === text) return 'not translated'
  return isBehind ? 'behind' : null
}
