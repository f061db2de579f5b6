import type { Json } from '../../cms/src/index.ts'
import type { AgentTools } from './agent-tools.ts'

/** A task of an editor, and what must have happened once an agent says that it is done. */
export interface Task {
  readonly id: string
  /** In the words of an editor, who names titles and no ids. */
  readonly order: string
  readonly expected: Expected
  /** Does the task by calls of tools, as an agent that makes no mistake, and answers as one. */
  script(tools: AgentTools): Promise<string>
}

/** What must have happened; whatever it does not name must be as it was. */
export interface Expected {
  /**
   * The changes of drafts, by document, and `id:locale` where it is not English: from how it was to how it is. Of a new
   * document or translation, all that it holds. New documents are `new article`, `new article 2` and so on.
   */
  readonly changes?: { readonly [document: string]: readonly ExpectedRow[] }
  /** Proposals, by document: their rows, and the names of their warnings. */
  readonly proposals?: { readonly [document: string]: ExpectedProposal }
  /** The agent says whether it has done what was asked; `done` when left out. */
  readonly ending?: 'done' | 'cannot'
  /** What the answer must say. */
  readonly answer?: TextRule
}

/** A proposal: the draft stays as it is. */
export interface ExpectedProposal {
  readonly rows: readonly ExpectedRow[]
  readonly warnings?: readonly string[]
}

/** A change row (§2.5). */
export interface ExpectedRow {
  readonly type: 'added' | 'modified' | 'deleted'
  /** The names and ids on the way, with `*` for the id of something new. */
  readonly path: string
  /** The new text as people see it. */
  readonly text?: TextRule
  /** The new value, to the letter. */
  readonly value?: Json
  /** Of a new widget or item: its values as texts, without tags. */
  readonly holds?: { readonly [name: string]: TextRule }
  /** Of a widget or item: which one of its area or list it is now. */
  readonly ordinal?: number
}

/** What a text must be like. Comparing ignores case. */
export interface TextRule {
  readonly is?: string
  readonly has?: readonly string[]
  readonly lacks?: readonly string[]
  /** Words at most. */
  readonly words?: number
}

/** A row for a value that was changed. */
export const changed = (path: string, text?: TextRule): ExpectedRow => ({
  type: 'modified',
  path,
  ...(text && { text }),
})

/** A row for a value that must be exactly this one. */
export const changedTo = (path: string, value: Json): ExpectedRow => ({ type: 'modified', path, value })

/** A row for what was empty, or not there. */
export const added = (path: string, text?: TextRule): ExpectedRow => ({ type: 'added', path, ...(text && { text }) })

/** A row for a widget or an item that was made, and where it stands. */
export const addedPart = (path: string, ordinal: number, holds: ExpectedRow['holds'] & object): ExpectedRow => {
  return { type: 'added', path, ordinal, holds }
}

/** A row for what is gone. */
export const removed = (path: string): ExpectedRow => ({ type: 'deleted', path })
