import type { JsonSchema } from '../../base/json.ts'
import { takesBounds } from '../../engine/lists/index-keys.ts'
import { type Actor, readAccess, seesDate, seesField } from '../../engine/permissions.ts'
import { archived, compareParameter, project, renderAreasParameter } from '../../http/requests/common-parameters.ts'
import type { QueryParameter } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { Limits } from '../../model/terms/limits.ts'

const text: JsonSchema = { type: 'string' }
const texts: JsonSchema = { type: 'array', items: text }

function parameter(name: string, description: string, schema: JsonSchema = text): QueryParameter {
  return { name, description, schema }
}

/** The query of a single document (§4.1 GET single). */
export const singleParameters: readonly QueryParameter[] = [archived, project, renderAreasParameter, compareParameter]

/** Those of them that lists have too. */
const sharedParameters = singleParameters.filter((one) => one !== compareParameter)

/** The query of a list of this type (§4.1 GET list), with a filter for each of its fields. */
export function listParameters(type: Type, limits: Limits): QueryParameter[] {
  const page = { type: 'integer', minimum: 1, default: 1 }
  const perPage = { type: 'integer', minimum: 1, maximum: limits.perPage, default: type.perPage }
  const built = [
    parameter('page', 'Which page, from 1.', page),
    parameter('perPage', 'How many documents on a page.', perPage),
    parameter('search', 'All of these words, anywhere.'),
    parameter('autocomplete', 'All of these words, the last one by its beginning.'),
    parameter('_ids', 'These documents, in this order.', { ...texts, maxItems: limits.ids }),
    parameter('sort', 'By fields, each `1` or `-1`: `sort[title]=1`. Also `sort=title`, `sort=-title`.', SORT),
    parameter('choices', 'Names of filters, with commas: answer the values in use of each.'),
    parameter('counts', 'As choices, with how many documents have each value.'),
  ]
  const queries = [...type.queries.values()].map((query) =>
    parameter(query.name, query.description || `The query ${query.name}.`, query.jsonSchema),
  )
  const taken = new Set([...type.fields.byName.keys(), ...queries.map(({ name }) => name)])
  return [
    ...sharedParameters.filter(({ name }) => !taken.has(name) || name === 'archived'),
    ...built.filter(({ name }) => !taken.has(name)),
    ...queries,
    ...type.fields.list.flatMap((field) => forThoseWhoSee(type, field, filterParameters(field))),
    ...(['createdAt', 'updatedAt'] as const).map((name) => ({
      ...parameter(name, `When it was ${name === 'createdAt' ? 'made' : 'last saved'}: [min] and [max].`, range(text)),
      isFor: (actor: Actor) => {
        const access = readAccess(actor, type)
        return access !== null && seesDate(access, type, name)
      },
    })),
  ]
}

const SORT: JsonSchema = { type: 'object', additionalProperties: { type: 'integer', enum: [1, -1] } }

/** Only callers who see a field can filter by it. */
function forThoseWhoSee(type: Type, field: Field, parameters: readonly QueryParameter[]): QueryParameter[] {
  const isFor = (actor: Actor) => {
    const access = readAccess(actor, type)
    return access !== null && seesField(actor, access, type, field)
  }
  return parameters.map((one) => ({ ...one, isFor }))
}

function filterParameters(field: Field): QueryParameter[] {
  const { name, label, type, options } = field
  if (name === 'archived') return []
  if (type.relation === 'forward') {
    const slug = name.slice(1)
    return [
      parameter(name, `Related by ${label}: an id, several (one of them), or \`none\`.`, texts),
      parameter(`${name}And`, `Related by ${label} to all of these ids.`, texts),
      parameter(slug, `Related by ${label}: a slug, several, or \`none\`.`, texts),
      parameter(`${slug}And`, `Related by ${label} to all of these slugs.`, texts),
    ]
  }
  if (!type.index) return []
  const scalar = type.choices ? undefined : type.scalar?.(options)
  if (scalar === 'boolean') return [parameter(name, `${label}: true or false.`, { type: 'boolean' })]
  if (!takesBounds(field)) return [parameter(name, `${label}: one of these values.`, texts)]
  const schema = scalar === 'number' ? { type: 'number' } : text
  return [parameter(name, `${label}: one of some values, or from [min] to [max].`, range(schema))]
}

/** A value, a list of values, or bounds, both included. */
function range(bound: JsonSchema): JsonSchema {
  const bounds = {
    min: { ...bound, description: 'At least.' },
    max: { ...bound, description: 'At most.' },
  }
  return { oneOf: [bound, { type: 'array', items: bound }, { type: 'object', properties: bounds }] }
}
