import type { JsonSchema } from '../../base/json.ts'
import { oneOfTypes } from '../../base/json-schema.ts'
import type { Type } from '../../model/declared/types.ts'
import { schemaName } from './answer-schemas.ts'

type Schemas = Record<string, JsonSchema>

/** The forms in which answers have pages: as written, as read, in one list, and both with areas as HTML. */
const ANSWERS = ['', '.projected', '.rendered', '.flat', '.flat.rendered'] as const

/** Returns the schemas of pages: in answers one of the page types; one flat body for all of them. */
export function pageSchemas(shown: readonly Type[], written: readonly Type[], schemas: Schemas): Schemas {
  const bodies = (kind: 'input' | 'patch') => written.map((type) => schemas[`${schemaName(type.name)}.${kind}`] ?? {})
  const oneOf = (suffix: string) => oneOfTypes(shown.map(({ name }) => [name, schemaName(name) + suffix]))
  return {
    ...(shown.length > 0 && Object.fromEntries(ANSWERS.map((suffix) => [`page${suffix}`, oneOf(suffix)]))),
    ...(written.length > 0 && pageBodies(merged(bodies('input'), written), merged(bodies('patch'), written))),
  }
}

function pageBodies(input: JsonSchema, patch: JsonSchema): Schemas {
  const required = ['_targetId', '_position', 'type', ...listOf(input.required)]
  return { 'page.insert': { ...input, description: 'A new page.', required }, 'page.input': input, 'page.patch': patch }
}

/** Merges the bodies of several types into one flat object: clients that expose tools accept nothing else. */
function merged(bodies: readonly JsonSchema[], types: readonly Type[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const body of bodies) {
    // `as`: `holderSchema` gives properties.
    for (const [name, schema] of Object.entries(body.properties as Record<string, JsonSchema>)) {
      properties[name] = name in properties ? eitherOf(properties[name] ?? {}, schema) : schema
    }
  }
  const [first, ...others] = bodies
  const { required, ...words } = first ?? {}
  const needed = listOf(required).filter((name) => others.every((body) => listOf(body.required).includes(name)))
  return {
    ...words,
    description: 'A page.',
    ...(needed.length > 0 && { required: needed }),
    properties: {
      ...properties,
      type: { type: 'string', enum: types.map(({ name }) => name), description: 'The type of the page.' },
      _targetId: { type: 'string', description: 'The _id of a page, `_home` or `_archive`: where it is to stand.' },
      _position: {
        type: ['string', 'integer'],
        description:
          'As seen from the target: `before`, `after`, `firstChild`, `lastChild`, or the index among its children.',
      },
    },
  }
}

function eitherOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  const types = [...new Set([one.type, other.type].flat())]
  const choices = [...new Set([...listOf(one.enum), ...listOf(other.enum)])]
  return {
    ...(types.includes(undefined) ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(one.enum !== undefined && other.enum !== undefined && { enum: choices }),
    description: 'As the type of the page declares it.',
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
