import {
  ZodArray,
  ZodDefault,
  ZodNullable,
  ZodObject,
  ZodOptional,
  ZodPipe,
  ZodPrefault,
  ZodRecord,
  type ZodType,
  z,
} from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject, type JsonSchema, joinPath } from '../../base/json.ts'
import type { Report } from '../terms/configuration-error.ts'

type Issue = z.core.$ZodIssue

/** Options are read only once, so compiling each schema would take longer than reading them. */
const ONCE = { jitless: true }

/**
 * Reads options by their schema and reports every mistake, unknown names with the nearest known one. What is wrong is
 * then left out, so that the rest can be checked too; null when the options are unusable without it.
 */
export function readOptions<Options>(schema: ZodType<Options>, given: unknown, report: Report): Options | null {
  const result = schema.safeParse(given, ONCE)
  if (result.success) return result.data
  for (const issue of result.error.issues) reportIssue(schema, given, issue, report)
  const rest = withoutWrong(given, result.error.issues)
  const again = schema.safeParse(rest, ONCE)
  return again.success ? again.data : null
}

function withoutWrong(given: unknown, issues: readonly Issue[]): unknown {
  if (!isObject(given)) return {}
  const wrong = new Set(issues.flatMap((issue) => namesOf(issue)))
  return Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)))
}

/** The top-level names that an issue affects. */
function namesOf(issue: Issue): string[] {
  if (issue.path.length > 0) return [String(issue.path[0])]
  return issue.code === 'unrecognized_keys' ? issue.keys : []
}

function reportIssue(schema: ZodType, given: unknown, issue: Issue, report: Report): void {
  const path = issue.path.map(String).join('.')
  const value = valueAt(given, issue.path)
  if (issue.code === 'unrecognized_keys') {
    for (const name of issue.keys)
      report(joinPath(path, name), `unknown option${hintOf(schema, issue, name, valueAt(value, [name]))}`)
  } else if (issue.code === 'invalid_key') {
    report(path, issue.issues.map((inner) => inner.message).join('; '))
  } else if (value === undefined) {
    report(path, 'is missing')
  } else {
    report(path, messageOfIssue(issue, value))
  }
}

function hintOf(schema: ZodType, { path }: Issue, name: string, value: unknown): string {
  const known = optionNames(schema, path)
  const holder = known.find((one) => optionNames(schema, [...path, one]).includes(name))
  if (holder !== undefined) return `; did you mean "${holder}.${name}"?`
  const isField = known.includes('add') && isObject(value)
  return didYouMean(name, known) || (isField ? '; fields are declared inside of "add"' : '')
}

/** The names of value types in messages. */
const KINDS: { readonly [kind: string]: string } = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}
const MOST_VALUES = 8

/** The message about a value, in our words, without the path before it. */
export function messageOfIssue(issue: Issue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return choiceMessage(issue.values.map(String), given)
    case 'too_small':
      if (issue.minimum === 1 && (issue.origin === 'string' || issue.origin === 'array')) return 'must not be empty'
      if (issue.origin === 'array') return `needs at least ${issue.minimum}`
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'invalid_union':
      return issue.message === 'Invalid input' ? 'has the wrong format' : issue.message
    default:
      return issue.message.charAt(0).toLowerCase() + issue.message.slice(1).replace(/\.$/, '')
  }
}

/** Returns the unit of a bound: characters for texts. */
function unitOf(origin: string): string {
  return origin === 'string' ? ' characters long' : ''
}

function choiceMessage(values: readonly string[], given: unknown): string {
  const [only = ''] = values
  if (values.length === 1) return `must be "${only}"`
  if (values.length <= MOST_VALUES) return `must be one of "${values.join('", "')}"${didYouMean(String(given), values)}`
  return `${JSON.stringify(given)} is not a known name${didYouMean(String(given), values)}`
}

/** The value at a path; undefined where there is none. */
export function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

/** The names of the options that a schema takes, or that it takes at a path. */
export function optionNames(schema: unknown, path: readonly PropertyKey[] = []): string[] {
  const bare = unwrapped(schema)
  const [step, ...rest] = path
  if (step === undefined) return bare instanceof ZodObject ? Object.keys(bare.shape) : []
  if (bare instanceof ZodObject) return optionNames(bare.shape[String(step)], rest)
  if (bare instanceof ZodRecord) return optionNames(bare.valueType, rest)
  if (bare instanceof ZodArray) return optionNames(bare.element, rest)
  return []
}

const WRAPPERS = [ZodOptional, ZodNullable, ZodDefault, ZodPrefault]

function unwrapped(schema: unknown): unknown {
  for (const Wrapper of WRAPPERS) if (schema instanceof Wrapper) return unwrapped(schema.unwrap())
  return schema instanceof ZodPipe ? unwrapped(schema.in) : schema
}

/** The given options that have one of these names. */
export function only(given: { readonly [name: string]: unknown }, names: readonly string[]) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}

/** The JSON Schema of what a schema is given, before it is read; rules that are only code are left out. */
export function inputSchemaOf(schema: ZodType): JsonSchema {
  const {
    $schema: _dialect,
    '~standard': _standard,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  })
  return rest
}

/** An option that is null when it is left out. */
export const orNull = <Value>(schema: ZodType<Value>) => schema.optional().transform((value) => value ?? null)

/** Reports below a key path. */
export function below(report: Report, base: string): Report {
  return (path, message) => report(joinPath(base, path), message)
}
