import { readFileSync } from 'node:fs'

/** One recorded request and its answer, as a line of the file holds it. */
export interface Recording {
  readonly id: string
  /** The paragraph, or `extras`. */
  readonly section: string
  /** The caller: a role, `anonymous`, `front`, or `bearer:` and the name of a saved token. */
  readonly as: string
  readonly method: string
  readonly path: string
  readonly query?: string | Readonly<Record<string, string>>
  readonly body?: unknown
  /** The content type of a body that is sent as it stands. */
  readonly requestType?: string
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly status: number
  readonly contentType?: string
  readonly response: unknown
  readonly note?: string
  /** Names of ids that this answer brings. */
  readonly saves?: readonly string[]
}

/** The values of names in double braces that are known so far. */
export type Names = Map<string, string>

const NAME = /\{\{([\w-]+)\}\}/g
const RECORDED_NAMESPACE = '@apostrophecms'

/** The recordings of a file, in order, with the vendor prefix `namespace`. */
export function readRecordings(file: string, namespace: string): Recording[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line.replaceAll(RECORDED_NAMESPACE, namespace)))
}

/** The names in a value that nothing is known for. */
export function unknownNames(value: unknown, names: Names): string[] {
  const all = [...JSON.stringify(value ?? null).matchAll(NAME)].map((match) => match[1] ?? '')
  return [...new Set(all.filter((name) => !names.has(name)))]
}

/** The value with all known names filled in, in property names too. */
export function withNames<Value>(value: Value, names: Names): Value {
  if (value === undefined) return value
  return JSON.parse(JSON.stringify(value).replace(NAME, (braced, name) => names.get(name) ?? braced))
}

/** Finds out what names stand for, by laying a recorded answer over ours: `{{a}}:en:draft` over `01h…:en:draft`. */
export function learnNames(recorded: unknown, ours: unknown, names: Names): void {
  if (typeof recorded === 'string') learnName(recorded, ours, names)
  if (typeof recorded !== 'object' || recorded === null || typeof ours !== 'object' || ours === null) return
  const values = new Map(Object.entries(ours))
  for (const [property, value] of Object.entries(recorded)) learnNames(value, values.get(property), names)
}

function learnName(recorded: string, ours: unknown, names: Names): void {
  const [braced, name] = [...recorded.matchAll(NAME)][0] ?? []
  if (braced === undefined || name === undefined || names.has(name) || typeof ours !== 'string') return
  const [before = '', after = ''] = recorded.split(braced)
  if (!ours.startsWith(before) || !ours.endsWith(after)) return
  names.set(name, ours.slice(before.length, ours.length - after.length))
}
