import { ZodType, type z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { invalid } from '../../base/errors.ts'
import { isObject, type JsonSchema } from '../../base/json.ts'
import type { Query } from '../declared/type-options.ts'
import type { FieldFilters, TypeQuery } from '../declared/type-query.ts'
import type { Fields } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'
import { DATES } from '../terms/document-times.ts'
import { fieldNameMistake } from '../terms/property-labels.ts'
import { inputSchemaOf } from './read-options.ts'

/** The built-in parameters of lists (§4.1). */
const LIST_PARAMETERS = [
  'apikey',
  'apiKey',
  'aposLocale',
  'aposMode',
  'archived',
  'autocomplete',
  'choices',
  'counts',
  'createdAt',
  'highlight',
  'missingIn',
  'outdatedIn',
  'page',
  'perPage',
  'project',
  'render-areas',
  'search',
  'sort',
  'state',
  'updatedAt',
  'updatedBy',
  'where',
  'withRelationships',
]

type Declared = { readonly [name: string]: unknown }

/** Compiles the query parameters of a type; mistakes are reported below `queries`. */
export function compileQueries(declared: Declared, fields: Fields, report: Report): ReadonlyMap<string, TypeQuery> {
  const queries = new Map<string, TypeQuery>()
  for (const [name, query] of Object.entries(declared)) {
    const path = `queries.${name}`
    if (!isQuery(query)) {
      report(path, 'must be made by query({ input, where })')
      continue
    }
    const mistake = nameMistake(name, fields)
    if (mistake !== null) report(path, mistake)
    queries.set(name, compileQuery(name, query, fields))
  }
  return queries
}

function isQuery(value: unknown): value is Query {
  return (
    isObject(value) && value.kind === 'query' && value.input instanceof ZodType && typeof value.where === 'function'
  )
}

function nameMistake(name: string, fields: Fields): string | null {
  if (LIST_PARAMETERS.includes(name)) return 'lists have a parameter of this name already'
  if (fields.byName.has(name)) return 'a field has this name, and lists filter by it already'
  return fieldNameMistake(name, false)
}

function compileQuery(name: string, { description, input, where }: Query, fields: Fields): TypeQuery {
  const jsonSchema = inputSchemaOf(input)
  const isOneValue = takesOneValue(jsonSchema)
  return {
    name,
    description,
    jsonSchema,
    where(given) {
      // `z.coerce` would read a list of one as its item, and an object as a text.
      if (isOneValue && typeof given === 'object' && given !== null) throw refusal(name, 'This takes one value.')
      const result = input.safeParse(given)
      if (!result.success) throw refusal(name, messageOf(result.error))
      return knownFilters(name, where(result.data), fields)
    },
  }
}

/** A filter on a field that does not exist would show everything: that is the site's mistake, not the caller's. */
function knownFilters(name: string, filters: FieldFilters, fields: Fields): FieldFilters {
  const known = [...fields.byName.keys(), ...DATES]
  const wrong = namesIn(filters).find((field) => !known.includes(field.split('.')[0] ?? ''))
  if (wrong === undefined) return filters
  throw new TypeError(`The query "${name}" filters by "${wrong}", which is not a field${didYouMean(wrong, known)}`)
}

/** The names that conditions are about, in groups, too. */
function namesIn(filters: unknown): string[] {
  if (Array.isArray(filters)) return filters.flatMap(namesIn)
  if (!isObject(filters)) return []
  return Object.entries(filters).flatMap(([name, value]) => (GROUPS.includes(name) ? namesIn(value) : name))
}

const GROUPS: readonly string[] = ['$and', '$or', '$not']

function messageOf(error: z.ZodError): string {
  return error.issues.map((issue) => issue.message).join('; ')
}

function refusal(name: string, message: string) {
  return invalid(`The parameter "${name}" has an invalid value: ${message.replace(/\.$/, '')}.`, {
    errors: [{ path: name, name: 'invalid', message }],
  })
}

/** Whether a parameter is a text, a number or a switch, and no list or object. */
function takesOneValue({ type }: JsonSchema): boolean {
  return type !== undefined && [type].flat().every((one) => one !== 'array' && one !== 'object')
}
