import { isObject, type JsonSchema } from '../src/base/json.ts'

/** What generators of clients are known to stumble over; see clients/generators.test.ts for whole ones. */
export function obstacles(described: JsonSchema): string[] {
  const found: string[] = []
  const titles = new Set<unknown>()
  for (const [path, value] of objectsIn(described, '')) {
    if (typeof value.title === 'string' && path !== '/info') {
      if (titles.has(value.title)) found.push(`${path} has the title of another schema`)
      titles.add(value.title)
    }
    const kinds = new Set((Array.isArray(value.enum) ? value.enum : []).map(kindOf).filter((kind) => kind !== 'null'))
    if (kinds.size > 1 || kinds.has('boolean')) found.push(`${path} is an enum of ${[...kinds]}`)
  }
  for (const [path, operations] of Object.entries(described.paths ?? {})) {
    for (const [, name = ''] of path.matchAll(/\{([^}]*)\}/g)) {
      if (!/^[a-zA-Z]\w*$/.test(name)) found.push(`${path} has a parameter that is no name of a variable`)
    }
    for (const { operationId } of Object.values(operations as Record<string, { operationId?: string }>)) {
      if (operationId === undefined) found.push(`${path} has an operation without an id`)
    }
  }
  const silent = (described.tags ?? []) as { name: string; description?: string }[]
  return [
    ...found,
    ...silent.filter(({ description = '' }) => !/^.{15,}[.]$/.test(description)).map(({ name }) => name),
  ]
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value
}

function* objectsIn(value: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* objectsIn(one, `${path}/${index}`)
  if (!isObject(value)) return
  yield [path, value]
  for (const [name, one] of Object.entries(value)) yield* objectsIn(one, `${path}/${name}`)
}
