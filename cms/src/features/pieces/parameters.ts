import type { JsonSchema } from '../../base/json.ts'
import { archived, project } from '../../http/parameters.ts'
import type { QueryParameter } from '../../http/route.ts'
import type { Field } from '../../model/fields/field-type.ts'
import type { Type } from '../../model/types.ts'

const text: JsonSchema = { type: 'string' }
const oneOrMany: JsonSchema = { anyOf: [text, { type: 'array', items: text }] }

function parameter(name: string, description: string, schema: JsonSchema = text): QueryParameter {
  return { name, description, schema }
}

/** The query of a single document (§4.1 GET single). */
export const singleParameters: readonly QueryParameter[] = [archived, project]

/** The query of a list of this type (§4.1 GET list), with a filter for each of its fields. */
export function listParameters(type: Type): QueryParameter[] {
  const whole = { type: 'integer', minimum: 1 }
  const built = [
    parameter('page', 'Which page, from 1.', whole),
    parameter('perPage', `How many on a page; ${type.perPage} without it.`, whole),
    parameter('search', 'All of these words, anywhere.'),
    parameter('autocomplete', 'All of these words, the last one by its beginning.'),
    parameter('_ids', 'These documents, in this order.', { type: 'array', items: text }),
    parameter('sort', '`sort[field]=1` or `-1`, `sort=field`, `sort=-field`.', { anyOf: [text, { type: 'object' }] }),
    parameter('choices', 'Names of filters: answer the values in use of each.'),
    parameter('counts', 'As choices, with how many documents have each value.'),
  ]
  const queries = [...type.queries.values()].map((query) => parameter(query.name, query.description, query.jsonSchema))
  const taken = new Set([...type.fields.byName.keys(), ...queries.map(({ name }) => name)])
  return [
    ...singleParameters.filter(({ name }) => !taken.has(name) || name === 'archived'),
    ...built.filter(({ name }) => !taken.has(name)),
    ...queries,
    ...type.fields.list.flatMap(filterParameters),
  ]
}

function filterParameters(field: Field): QueryParameter[] {
  if (field.name === 'archived') return []
  if (field.type.relation === 'forward') {
    const slug = field.name.slice(1)
    return [
      parameter(field.name, `Related by ${field.label}: an id, several (one of them), or \`none\`.`, oneOrMany),
      parameter(`${field.name}And`, `Related by ${field.label} to all of these ids.`, oneOrMany),
      parameter(slug, `Related by ${field.label}: a slug, several, or \`none\`.`, oneOrMany),
      parameter(`${slug}And`, `Related by ${field.label} to all of these slugs.`, oneOrMany),
    ]
  }
  if (!field.type.index) return []
  const values = { anyOf: [text, { type: 'array', items: text }, { type: 'object' }] }
  return [parameter(field.name, `${field.label}: a value, several, or [min] and [max].`, values)]
}
