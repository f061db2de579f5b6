import { isObject, type JsonSchema } from '../../base/json.ts'

const PREFIX = '#/components/schemas/'

/** The component schemas that are referenced, directly or by one another. */
export function usedSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  outside: unknown,
): Record<string, JsonSchema> {
  const used = new Set<string>()
  const waiting: unknown[] = [outside]
  while (waiting.length > 0) {
    for (const name of namesIn(waiting.pop())) {
      if (used.has(name)) continue
      used.add(name)
      waiting.push(schemas[name])
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(PREFIX) ? [value.slice(PREFIX.length)] : []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.values(value).flatMap(namesIn) : []
}
