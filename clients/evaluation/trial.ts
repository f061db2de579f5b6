import { type AgentTools, connectTools } from './agent-tools.ts'
import { differences } from './judging.ts'
import type { Newsroom } from './newsroom.ts'
import { outcomeOf } from './newsroom-outcome.ts'
import { readState } from './stored-state.ts'
import type { Task } from './task.ts'

/** Does a task by tools, and gives the answer. */
export type Worker = (task: Task, tools: AgentTools) => Promise<string>

/** Lets a worker do a task in a newsroom of its own. Returns how the result differs from what was expected. */
export async function trial(task: Task, open: () => Promise<Newsroom>, work: Worker): Promise<string[]> {
  const newsroom = await open()
  try {
    const before = await readState(newsroom.databaseUrl)
    const tools = await connectTools(newsroom.address, newsroom.agentKey)
    const answer = await work(task, tools).finally(() => tools.close())
    return differences(task.expected, await outcomeOf(newsroom, before), answer)
  } finally {
    await newsroom.close()
  }
}
