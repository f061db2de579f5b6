import type { JsonObject, Schema } from 'quire-client'
import type { Editor } from '../../data/editor.ts'

const MOST = 50

/** A document that names another in one of its fields. */
export interface Use {
  readonly typeName: string
  readonly document: JsonObject
}

/** The documents whose fields name a document, drafts included; at most 50 of each type. */
export async function usesOf(
  { request, schema, locale }: Editor,
  name: string,
  { docId, signal }: { readonly docId: string; readonly signal: AbortSignal },
): Promise<readonly Use[]> {
  const found = await Promise.all(
    relationshipsTo(name, schema.value).map(async ([typeName, fieldName]) => {
      const query = { [fieldName]: docId, perPage: MOST }
      const options = { query, mode: 'draft', locale: locale.value, signal } as const
      const { results } = await request<{ results: readonly JsonObject[] }>('GET', typeName, options)
      return results.map((document) => ({ typeName, document }))
    }),
  )
  const byId = new Map(found.flat().map((use) => [String(use.document._id), use]))
  return [...byId.values()]
}

/** The fields of piece types that can name a document of a type, as type and field. */
function relationshipsTo(name: string, { types }: Schema): readonly (readonly [string, string])[] {
  return Object.entries(types).flatMap(([typeName, { family, localized, fields }]) => {
    if (family !== 'piece' || !localized) return []
    const own = fields.filter(
      ({ filter, options }) => filter === 'relationship' && !options.reverseOf && options.withType?.includes(name),
    )
    return own.map((field) => [typeName, field.name] as const)
  })
}
