/** One way to say something to the service. */
export interface Parameter {
  readonly method: string
  readonly path: string
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: 'path' | 'query' }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

/** An OpenAPI document, as far as it says what can be said. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Every parameter of every operation, and every property of their bodies. */
export function parametersOf({ paths, components }: OpenApi): Parameter[] {
  const namesIn = (schema: Schema | undefined): string[] => {
    if (!schema) return []
    const named = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])]
    return [...Object.keys(schema.properties ?? {}), ...namesIn(named), ...parts.flatMap(namesIn)]
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) => {
      const asked = parameters.map(({ name, in: place }) => ({ method, path, name, in: place }))
      const names = new Set(namesIn(requestBody?.content['application/json']?.schema))
      return [...asked, ...[...names].map((name) => ({ method, path, name, in: 'body' as const }))]
    }),
  )
}
