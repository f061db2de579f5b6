import { isObject } from '../../cms/src/base/json.ts'
import type { AgentTools } from './agent-tools.ts'
import type { AnsweredCall, Begin, ModelAddress, Tokens, WantedCall } from './language-model.ts'
import type { Task } from './task.ts'

const INSTRUCTIONS = [
  'You work on the site of a newspaper by your tools, for an editor who gives you one order and answers no questions.',
  'Do exactly what the order asks for: no more, and nothing that you were not asked for.',
  'Begin by finding what it speaks of. Write at once what it asks you to write.',
  'The last line of your last answer is DONE, or CANNOT if what was asked is not possible; then change nothing.',
].join('\n')

/** The work of a model at a task: its last answer, and what it took. */
export interface ModelWork {
  readonly answer: string
  readonly tokens: Tokens
  readonly steps: number
}

/** Lets a model do a task by tools, within a number of turns. */
export async function workOf(
  { begin, model, mostSteps }: { readonly begin: Begin; readonly model: ModelAddress; readonly mostSteps: number },
  { order }: Task,
  tools: AgentTools,
): Promise<ModelWork> {
  const conversation = begin(model, { instructions: INSTRUCTIONS, order, tools: await tools.list() })
  let answered: readonly AnsweredCall[] = []
  let tokens: Tokens = { input: 0, output: 0 }
  for (let steps = 1; steps <= mostSteps; steps += 1) {
    const turn = await conversation.next(answered)
    tokens = { input: tokens.input + turn.tokens.input, output: tokens.output + turn.tokens.output }
    if (turn.calls.length === 0) return { answer: turn.text, tokens, steps }
    answered = await answersTo(turn.calls, tools)
  }
  return { answer: `It was stopped after ${mostSteps} steps.`, tokens, steps: mostSteps }
}

/** Calls the tools that a turn wants, one after the other. */
async function answersTo(calls: readonly WantedCall[], tools: AgentTools): Promise<AnsweredCall[]> {
  const answered: AnsweredCall[] = []
  for (const { id, name, given } of calls) answered.push({ id, ...(await answerTo(tools, name, given)) })
  return answered
}

async function answerTo(tools: AgentTools, name: string, given: unknown): Promise<Omit<AnsweredCall, 'id'>> {
  if (!isObject(given)) return { text: 'Send the arguments as a JSON object.', isError: true }
  try {
    return await tools.call(name, given)
  } catch (error) {
    // The protocol's own errors, such as that there is no such tool: the model may go on.
    return { text: error instanceof Error ? error.message : String(error), isError: true }
  }
}
