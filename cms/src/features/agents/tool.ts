import { type ZodType, z } from 'zod'
import { readValue } from '../../http/requests/typed-route.ts'
import type { Agent } from './agent.ts'

/** The answer of a tool: a text, and facts without content. */
export interface ToolAnswer {
  readonly text: string
  /** For the next part of the answer. */
  readonly cursor?: string
  readonly [fact: string]: unknown
}

/** A tool, the same on every site. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON schemas of what it takes and answers. */
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: ToolAnnotations
  /** It changes what is stored, and takes an `idempotencyKey`. */
  readonly writes: boolean
  /** Whether the answer to such a call holds a secret: it is not kept for the same call with its `idempotencyKey`. */
  answersSecret(given: unknown): boolean
  /** Reads the arguments and does the work. Throws a `CmsError`. */
  run(agent: Agent, given: unknown): Promise<ToolAnswer>
}

/** A JSON schema of an object. */
type ObjectSchema = { readonly type: 'object' }

interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

interface ToolDeclaration<Input> extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly writes?: boolean
  answersSecret?(given: unknown): boolean
  readonly input: ZodType<Input>
  /** The facts of its answers, in addition to text and cursor. */
  readonly facts?: { readonly [name: string]: ZodType }
  run(agent: Agent, input: Input): Promise<ToolAnswer>
}

/** Makes a tool of its declaration. */
export function tool<Input>({
  input,
  facts = {},
  writes = false,
  answersSecret = () => false,
  run,
  ...names
}: ToolDeclaration<Input>): Tool {
  const output = z.object({ text: z.string(), cursor: z.string().optional(), ...facts })
  return {
    ...names,
    inputSchema: schemaOf(input),
    outputSchema: schemaOf(output),
    annotations: { readOnlyHint: !writes, destructiveHint: false, idempotentHint: !writes, openWorldHint: false },
    writes,
    answersSecret,
    run: async (agent, given) => run(agent, await readValue(input, given ?? {}, 'body')),
  }
}

function schemaOf(type: ZodType): ObjectSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' })
  return { ...schema, type: 'object' }
}

/** Common arguments. */
export const LOCALE = z.string().max(60).optional().describe("The site's own when left out.")
export const MODE = z.enum(['draft', 'published']).optional()
export const ID = z.string().min(1).max(200)
export const CURSOR = z.string().max(100).optional()
export const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The same call with it again changes nothing more.')
