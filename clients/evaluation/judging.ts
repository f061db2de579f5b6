import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../cms/src/base/json.ts'
import type { MadeRow, Outcome } from './newsroom-outcome.ts'
import type { Expected, ExpectedRow, TextRule } from './task.ts'

/** Compares what was done and said with what was expected. Returns the differences as sentences: none if all is well. */
export function differences(expected: Expected, { changes, proposals, violations }: Outcome, answer: string): string[] {
  const rowsOf = new Map([...proposals].map(([name, { rows }]) => [name, rows]))
  const proposed = Object.entries(expected.proposals ?? {}).map(([name, { rows }]) => [name, rows] as const)
  return [
    ...violations,
    ...wrongDocuments('', Object.entries(expected.changes ?? {}), changes),
    ...wrongDocuments('proposal of ', proposed, rowsOf),
    ...wrongWarnings(expected, proposals),
    ...wrongAnswer(expected, answer),
  ]
}

function wrongDocuments(
  what: string,
  expected: readonly (readonly [string, readonly ExpectedRow[]])[],
  made: ReadonlyMap<string, readonly MadeRow[]>,
): string[] {
  const names = new Map(expected)
  return [
    ...expected.flatMap(([name, rows]) => wrongRows(rows, made.get(name) ?? []).map((one) => `${what}${name}: ${one}`)),
    ...[...made.keys()].filter((name) => !names.has(name)).map((name) => `${what}${name} was not asked for`),
  ]
}

/** Each row that is expected must have been made, and no other one. */
function wrongRows(expected: readonly ExpectedRow[], made: readonly MadeRow[]): string[] {
  const left = [...made]
  const missing = expected.filter((row) => {
    const index = left.findIndex((one) => isAt(row, one) && faultsOf(row, one).length === 0)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return [
    ...missing.map((row) => `${nameOf(row)} is expected${reasonFor(row, left)}`),
    ...left.map((row) => `${nameOf(row)} is not expected: ${JSON.stringify(row.newText)}`),
  ]
}

function nameOf({ type, path }: Pick<MadeRow, 'type' | 'path'>): string {
  return `${type} ${path}`
}

/** A star stands for an id that nobody can know before. */
function isAt({ type, path }: ExpectedRow, row: MadeRow): boolean {
  const steps = row.path.split('.')
  const expected = path.split('.')
  return (
    type === row.type &&
    expected.length === steps.length &&
    expected.every((step, n) => step === '*' || step === steps[n])
  )
}

function reasonFor(row: ExpectedRow, left: readonly MadeRow[]): string {
  const near = left.find((one) => isAt(row, one))
  return near === undefined ? '' : `, but ${faultsOf(row, near).join(', ')}`
}

function faultsOf({ text, value, holds = {}, ordinal }: ExpectedRow, row: MadeRow): string[] {
  const isOther = value !== undefined && !isDeepStrictEqual(row.new, value)
  const isElsewhere = ordinal !== undefined && ordinal !== row.ordinal
  return [
    ...(isOther ? [`it is ${JSON.stringify(row.new)}`] : []),
    ...(isElsewhere ? [`it stands at ${row.ordinal}`] : []),
    ...(text ? faultsIn(row.newText, text) : []),
    ...Object.entries(holds).flatMap(([name, rule]) => faultsIn(textIn(row.new, name), rule)),
  ]
}

/** A value of a widget or item as text, without tags. */
function textIn(part: unknown, name: string): string {
  const value = isObject(part) ? part[name] : undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.replaceAll(/<[^>]*>/g, ' ').trim()
}

function faultsIn(text: string, { is, has = [], lacks = [], words }: TextRule): string[] {
  const contains = (part: string) => text.toLowerCase().includes(part.toLowerCase())
  const count = text.split(/\s+/).filter(Boolean).length
  return [
    ...(is !== undefined && is !== text ? [`it says ${JSON.stringify(text)}`] : []),
    ...has.filter((part) => !contains(part)).map((part) => `it lacks ${JSON.stringify(part)}`),
    ...lacks.filter(contains).map((part) => `it has ${JSON.stringify(part)}`),
    ...(words !== undefined && count > words ? [`it has ${count} words`] : []),
  ]
}

function wrongWarnings({ proposals = {} }: Expected, made: Outcome['proposals']): string[] {
  return Object.entries(proposals).flatMap(([name, { warnings = [] }]) => {
    const found = made.get(name)?.warnings ?? []
    return isDeepStrictEqual(found, warnings) ? [] : [`proposal of ${name}: its warnings are [${found.join(', ')}]`]
  })
}

function wrongAnswer({ ending = 'done', answer: rule = {} }: Expected, answer: string): string[] {
  const said = [...answer.matchAll(/^\W*(DONE|CANNOT)\b/gm)].at(-1)?.[1]?.toLowerCase()
  return [
    ...(said === ending ? [] : [`the agent should say “${ending}”, and says “${said ?? 'nothing'}”`]),
    ...faultsIn(answer, rule).map((fault) => `the answer: ${fault}`),
  ]
}
