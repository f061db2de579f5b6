/** The answer of a tool: a text, and facts without content. */
export interface ToolAnswer {
  readonly text: string
  /** For the next part of the answer. */
  readonly cursor?: string
  readonly [fact: string]: unknown
}
