import { z } from 'zod'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { seenContent } from '../../engine/values/seen-content.ts'
import type { Content, Type } from '../../model/declared/types.ts'
import { type LocatedText, textsOf } from '../../model/values/document-texts.ts'
import { type Agent, operationOf } from './agent.ts'
import { pathOf, rowsIn } from './change-sentences.ts'
import { marked } from './content-marks.ts'
import { cursorOf, pageOfText, positionOf } from './cursors.ts'
import { bareId } from './document-text.ts'
import { CURSOR, ID, LOCALE, type Tool, tool } from './tool.ts'
import type { ToolAnswer } from './tool-answer.ts'

const INPUT = z.strictObject({
  toLocale: z.string().max(60),
  fromLocale: LOCALE,
  id: ID.optional().describe('The document; without it, documents of "type" that lack a translation are listed.'),
  type: z.string().max(200).optional(),
  cursor: CURSOR,
})

type Input = z.infer<typeof INPUT>

/** Tells what is not translated yet. */
export const translateMissing: Tool = tool({
  name: 'translate_missing',
  title: 'Find what is not translated',
  description:
    'Tells which texts of a document lack a translation or are behind, with their source and path; or which documents of a type do. Writes nothing: translate by write_draft.',
  input: INPUT,
  facts: { total: z.int().optional() },
  run: (agent, input) =>
    input.id === undefined ? listUntranslated(agent, input) : missingTexts(agent, input, input.id),
})

const PER_PAGE = 50

/** Documents that the locale lacks, and then those that are behind there. */
async function listUntranslated(
  agent: Agent,
  { toLocale, fromLocale, type: name, cursor }: Input,
): Promise<ToolAnswer> {
  if (name === undefined) throw invalid('Name a document (id), or the type whose documents are listed.')
  const { type } = agent.view(name)
  if (type.family === 'page') throw invalid('type: pages are listed by read_tree; ask for each by its id.')
  const continued = { tool: 'translate_missing', of: [name, toLocale, fromLocale ?? null] }
  const page = (await positionOf(agent, continued, cursor)) || 1
  const [missing, outdated] = await Promise.all(
    ['missingIn', 'outdatedIn'].map((filter) =>
      listed(agent, type, { [filter]: toLocale, page, perPage: PER_PAGE }, fromLocale),
    ),
  )
  const lines = [
    ...(missing?.results ?? []).map((one) => `- ${lineOf(one)}: not in ${toLocale}`),
    ...(outdated?.results ?? []).map((one) => `- ${lineOf(one)}: behind in ${toLocale}`),
  ]
  const total = (missing?.total ?? 0) + (outdated?.total ?? 0)
  const isLast = page * PER_PAGE >= Math.max(missing?.total ?? 0, outdated?.total ?? 0)
  const text = marked(lines.join('\n') || 'Nothing is missing.')
  return { text, total, ...(!isLast && { cursor: await cursorOf(agent, continued, page + 1) }) }
}

interface Listed {
  readonly results: readonly { readonly [name: string]: unknown }[]
  readonly total: number
}

async function listed(agent: Agent, type: Type, query: object, locale: string | undefined): Promise<Listed> {
  const thin = { ...query, project: { title: '1' } }
  // `as`: what lists answer.
  return (await agent.run(operationOf(type, 'list'), { query: thin }, { locale, mode: 'draft' })).body as Listed
}

function lineOf({ aposDocId, _id, title }: Listed['results'][number]): string {
  return `${bareId(aposDocId ?? _id)} ${JSON.stringify(String(title ?? '').slice(0, 120))}`
}

/** The texts of a document that are empty, the same as their source, or older than it. */
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
  return pageOfText(agent, { tool: 'translate_missing', of: [docId, toLocale, from, lines.length] }, { text, cursor })
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

function linesOf(source: Content, target: Content | null, behind: ReadonlySet<string>): string[] {
  const translated = new Map(target === null ? [] : textsIn(target).map((one) => [one.path, one.text]))
  return textsIn(source).flatMap(({ path, text }) => {
    if (text.trim() === '') return []
    const why = reasonFor({ text, translation: translated.get(path), isBehind: behind.has(path) })
    return why === null ? [] : [`- ${path} (${why}): ${JSON.stringify(text)}`]
  })
}

function textsIn({ type, fields }: Content): LocatedText[] {
  return [...textsOf(type.fields, fields)]
}

interface Compared {
  readonly text: string
  readonly translation: string | undefined
  readonly isBehind: boolean
}

function reasonFor({ text, translation, isBehind }: Compared): string | null {
  if (translation === undefined || translation.trim() === '') return 'missing'
  if (translation === text) return 'not translated'
  return isBehind ? 'behind' : null
}
