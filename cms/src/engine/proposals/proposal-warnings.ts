import type { Json } from '../../base/json.ts'
import type { Change } from '../../model/changes/content-change.ts'
import { keysByPath } from '../../model/changes/touched.ts'
import type { Content } from '../../model/declared/types.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import type { Context } from '../context.ts'
import { seenContent } from '../values/seen-content.ts'
import type { FoundProposal } from './proposal-access.ts'

/** Something that a person should look at before they accept a proposal. */
export interface ProposalWarning {
  readonly name: 'newLink' | 'html' | 'invisible'
  /** The key of the row. */
  readonly key: string
  readonly message: string
}

/** The changes of a proposal, and both sides of them. */
interface Compared {
  readonly changes: readonly Change[]
  readonly older: Content
  readonly newer: Content
}

/** The most warnings of one proposal. */
const MOST = 100

/** Hosts of links, with or without a scheme. */
const LINK = /(?:[a-z][a-z0-9+.-]{1,20}:)?\/\/([^\s/"'<>?#\\]{1,253})/gi
const TAG = /<[a-z!/]/i
/**
 * Characters that nobody sees. Those that join letters, choose their form or their direction belong to some scripts and
 * to emoji, but never many in a row.
 */
const INVISIBLE =
  /(?!\p{Variation_Selector}|[\u200c-\u200f\u061c])\p{Default_Ignorable_Code_Point}|\p{Default_Ignorable_Code_Point}{3}/u

/**
 * The warnings about what a proposal adds (§4.9), in steps: links to hosts that the document does not name, HTML outside of
 * rich text, and invisible characters.
 */
export function* warningsOf(
  ctx: Context,
  { draft }: FoundProposal,
  { changes, older, newer }: Compared,
): Generator<void, ProposalWarning[]> {
  const now = draft && seenContent(ctx, draft.type, draft.fields)
  const known = yield* hostsOf([older.fields, now?.fields ?? null, ctx.site.baseUrl ?? null])
  const before = yield* textsByPath(older)
  const rowOf = keysByPath(new Set(changes.map(({ key }) => key.split('#', 1)[0] ?? '')))
  const found = new Map<string, ProposalWarning>()
  for (const { path, texts, isRichText } of textsOf(newer)) {
    yield
    const key = rowOf(path)
    const added = key === null ? [] : texts.filter((text) => !before.get(path)?.includes(text))
    if (key === null || added.length === 0) continue
    for (const one of warningsAbout({ key, added, isRichText }, known)) found.set(`${one.key} ${one.message}`, one)
  }
  return [...found.values()].slice(0, MOST)
}

function* textsByPath(content: Content): Generator<void, ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>()
  for (const { path, texts } of textsOf(content)) {
    all.set(path, texts)
    yield
  }
  return all
}

/** Texts that a row adds. */
interface Added {
  readonly key: string
  readonly added: readonly string[]
  /** Rich text is cleaned when it is saved. */
  readonly isRichText: boolean
}

function warningsAbout({ key, added, isRichText }: Added, known: ReadonlySet<string>): ProposalWarning[] {
  const hosts = [...new Set(added.flatMap(hostsIn))].filter((host) => !known.has(host))
  const isRaw = !isRichText && added.some((text) => TAG.test(text))
  const isInvisible = added.some((text) => INVISIBLE.test(text))
  return [
    ...hosts.map((host) => ({ name: 'newLink' as const, key, message: `It links to ${host}, which is new here.` })),
    ...(isRaw ? [{ name: 'html' as const, key, message: 'It contains HTML outside of rich text.' }] : []),
    ...(isInvisible ? [{ name: 'invisible' as const, key, message: 'It contains characters that nobody sees.' }] : []),
  ]
}

/** The texts of a field that holds no further fields. */
interface FieldTexts {
  readonly path: string
  readonly texts: readonly string[]
  readonly isRichText: boolean
}

function* textsOf({ type, fields }: Content): Generator<FieldTexts> {
  for (const { field, values, path } of walk(type.fields, fields)) {
    if (field.type.children !== undefined && field.type.relation === undefined) continue
    yield { path, texts: [...textsIn(storedValue(field, values))], isRichText: field.type.translated === 'html' }
  }
}

function* hostsOf(values: readonly Json[]): Generator<void, ReadonlySet<string>> {
  const hosts = new Set<string>()
  for (const value of values) {
    for (const text of textsIn(value)) {
      for (const host of hostsIn(text)) hosts.add(host)
      yield
    }
  }
  return hosts
}

function hostsIn(text: string): string[] {
  return [...text.matchAll(LINK)].map(([, host = '']) => host.toLowerCase().replace(/^.*@/, ''))
}

/** The texts of a value, at any depth. */
function* textsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}
