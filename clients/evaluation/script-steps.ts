import type { AgentTools } from './agent-tools.ts'

/** Calls a tool that must succeed, and returns its text. */
export async function call(tools: AgentTools, name: string, given: object): Promise<string> {
  const { text, isError } = await tools.call(name, given)
  if (isError) throw new Error(`${name} refused: ${text}`)
  return text
}

/** Changes some fields of a draft. */
export function patch(tools: AgentTools, id: string, changes: object, more: object = {}): Promise<string> {
  return call(tools, 'write_draft', { id, patch: changes, ...more })
}

/** Calls a tool that must refuse, and returns why. */
export async function refused(tools: AgentTools, name: string, given: object): Promise<string> {
  const { text, isError } = await tools.call(name, given)
  if (!isError) throw new Error(`${name} did not refuse: ${text}`)
  return text
}

/** The lines of all that is found, page by page. */
export async function findAll(tools: AgentTools, given: object): Promise<string[]> {
  const lines: string[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const text = await call(tools, 'find', { ...given, ...(cursor && { cursor }) })
    lines.push(...text.split('\n').filter((line) => line.startsWith('- ')))
    cursor = JSON.parse(text.split('\n', 1)[0] ?? '').cursor
  }
  return lines
}

/** The id in a line of `find`. */
export function idIn(line: string): string {
  return line.split(' ')[1] ?? ''
}

/** The title in a line of `find`. */
export function titleIn(line: string): string {
  return JSON.parse(/"(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? '""')
}

/** An answer that says that all was done. */
export const done = (told = ''): string => `${told}\nDONE`

/** An answer that says why something was not done. */
export const cannot = (why: string): string => `${why}\nCANNOT`
