import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface OpenApiDocument {
  readonly components: object
  readonly paths: Record<string, Record<string, { readonly responses: Responses }>>
}

interface Responses {
  readonly [status: string]: { readonly headers?: { readonly ETag?: object } }
}

const checks = new Map<string, AnswerCheck>()

/** The check of a document, which is compiled once however many services have it. */
export function checkOf(document: string): AnswerCheck {
  const check = checks.get(document) ?? new AnswerCheck(JSON.parse(document))
  checks.set(document, check)
  return check
}

/** What Ajv does not know of the formats that schemas name. */
export const FORMATS = {
  color: true,
  iri: true,
  'iri-reference': true,
  'idn-email': /^[^\s@]+@[^\s@]+\.[^\s@]+$/u,
} as const

/** Checks answers against the OpenAPI document of the site that gave them. */
export class AnswerCheck {
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // Most schemas check a few answers: code that is made faster would cost more than it saves.
    code: { optimize: false },
    // A schema that many others refer to is compiled once.
    inlineRefs: false,
    // No schema, but a document with schemas in it, of which this would look at nothing.
    validateSchema: false,
    formats: FORMATS,
  })
  readonly #document: OpenApiDocument
  readonly #paths: { readonly path: string; readonly pattern: RegExp }[]

  constructor(document: object) {
    // `as`: the document was checked against the OpenAPI schema in its own test.
    this.#document = document as OpenApiDocument
    addFormats(this.#ajv)
    this.#ajv.addSchema(document, 'openapi')
    this.#paths = Object.keys(this.#document.paths)
      .map((path) => ({ path, pattern: patternOf(path) }))
      .toSorted((left, right) => parametersIn(left.path) - parametersIn(right.path))
  }

  /**
   * What is wrong with an answer; empty when it is as documented. Undocumented routes have no answers but errors, and
   * redirects say nothing in their bodies. `mediaType` is the one that the answer has.
   */
  problems(method: string, path: string, status: number, body: unknown, mediaType = 'application/json'): string[] {
    if (status === 302) return []
    const found = this.#pathOf(method, path)
    const documented = found && status < 400 ? `${pointer(found.path)}/${method.toLowerCase()}/responses/200` : null
    const schema = documented
      ? `openapi#/paths/${documented}/content/${pointer(mediaType)}/schema`
      : 'openapi#/components/schemas/Error'
    const validate = this.#ajv.getSchema(schema)
    if (!validate) return [`No schema for ${method} ${path}`]
    if (validate(body)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  }

  /** Whether the answer to a caller with a credential has an ETag where the document says so, and only there. */
  etagProblems(method: string, path: string, hasEtag: boolean): string[] {
    const found = this.#pathOf(method, path)
    const operation = found && this.#document.paths[found.path]?.[method.toLowerCase()]
    const isDeclared = operation?.responses['200']?.headers?.ETag !== undefined
    if (hasEtag && !isDeclared) return ['has an ETag that is not declared']
    // Reads have one only where all fields are shown.
    return isDeclared && !hasEtag && method !== 'GET' ? ['has not the ETag that is declared'] : []
  }

  #pathOf(method: string, path: string): { readonly path: string } | undefined {
    return this.#paths.find(({ path: one, pattern }) => {
      return pattern.test(path) && this.#document.paths[one]?.[method.toLowerCase()] !== undefined
    })
  }
}

// `as`: a CommonJS module, whose default the compiler sees one level too deep.
const addFormats = formats as unknown as (ajv: Ajv2020) => void

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}

function parametersIn(path: string): number {
  return path.split('{').length
}

function pointer(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~')
}
