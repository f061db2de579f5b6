/** One operation of an OpenAPI document, as far as tests look into it. */
export interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly responses: object
  readonly parameters: readonly { readonly name: string; readonly description?: string }[]
  readonly requestBody?: {
    readonly content: {
      readonly [mediaType: string]: { readonly schema: { readonly $ref?: string; readonly type?: string } }
    }
  }
}

/** All operations of a document's paths. */
export function operations(paths: { readonly [path: string]: { readonly [method: string]: Operation } }): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path))
}

/** Lists the operations, parameters and properties that have no description. */
export function undescribed(document: unknown): string[] {
  // `as`: the service describes itself as OpenAPI has it.
  const { paths } = document as { readonly paths: Parameters<typeof operations>[0] }
  const silent = operations(paths).flatMap((operation) => [
    ...(operation.description ? [] : [operation.operationId]),
    ...operation.parameters.filter((one) => !one.description).map(({ name }) => `${operation.operationId} ${name}`),
  ])
  return [...silent, ...properties(document, '')]
}

function properties(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, one]) => properties(one, `${path}/${name}`))
  if (!('properties' in value) || typeof value.properties !== 'object' || value.properties === null) return inner
  const silent = Object.entries(value.properties).filter(
    ([, schema]) => typeof schema === 'object' && !('description' in schema) && !('$ref' in schema),
  )
  return [...silent.map(([name]) => `${path}/${name}`), ...inner]
}
