import { z } from 'zod'

/** A prompt that agents offer to people (§4.10). */
interface McpPrompt {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The arguments that people are asked for; each replaces `{name}` in the text. */
  readonly arguments?: {
    readonly name: string
    readonly description?: string | undefined
    readonly required?: boolean | undefined
  }[]
  /** The text for the model: `Shorten the article {id} to 300 words.` */
  readonly text: string
}

/** How agents may use a site by MCP (§4.10), as declared. */
export interface DeclaredMcp {
  readonly prompts?: readonly McpPrompt[]
  /** The limits of a key in a minute, all processes together: 120 calls, and 200,000 characters written, when left out. */
  readonly limits?: { readonly calls?: number; readonly characters?: number }
}

const NAME = z.string().regex(/^[\w-]{1,60}$/, 'must be one word of letters, digits, "_" and "-"')
const ARGUMENT = z.strictObject({
  name: NAME,
  description: z.string().max(500).optional(),
  required: z.boolean().optional(),
})
const PROMPT = z.strictObject({
  name: NAME,
  title: z.string().min(1).max(100).optional(),
  description: z.string().max(500).optional(),
  arguments: z.array(ARGUMENT).max(20).default([]),
  text: z.string().min(1).max(10_000),
})

/** The options of MCP, read strictly. */
export const MCP = z.strictObject({
  prompts: z.array(PROMPT).max(50).default([]),
  limits: z
    .strictObject({ calls: z.int().min(1).default(120), characters: z.int().min(1).default(200_000) })
    .prefault({}),
})

/** How agents may use a site by MCP, as compiled. */
export type SiteMcp = z.infer<typeof MCP>
