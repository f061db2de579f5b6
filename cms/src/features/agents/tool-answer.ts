/** What a tool answers: a text, and facts beside it that no content is in. */
export interface ToolAnswer {
  readonly text: string
  /** For the next part of the answer. */
  readonly cursor?: string
  readonly [fact: string]: unknown
}
