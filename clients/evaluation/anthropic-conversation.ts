import { isObject } from '../../cms/src/base/json.ts'
import {
  type Answered,
  type AnsweredCall,
  ask,
  type Beginning,
  type Conversation,
  type ModelAddress,
  objectsIn,
  type Turn,
} from './language-model.ts'

/** Of one answer: more than any task needs. */
const MOST_TOKENS = 8192

/** A conversation by messages, as Anthropic answers them: `--url https://…`, without `/v1`. */
export function beginAnthropic(
  { name, url, key }: ModelAddress,
  { instructions, order, tools }: Beginning,
): Conversation {
  const messages: Answered[] = [{ role: 'user', content: order }]
  const offered = tools.map(({ inputSchema: input_schema, ...tool }) => {
    return { name: tool.name, description: tool.description, input_schema }
  })
  const headers = { 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }
  const fixed = { model: name, max_tokens: MOST_TOKENS, system: instructions, tools: offered }
  return {
    next: async (answered) => {
      if (answered.length > 0) messages.push({ role: 'user', content: answered.map(resultOf) })
      const { content, usage } = await ask(`${url}/v1/messages`, headers, { ...fixed, messages })
      messages.push({ role: 'assistant', content })
      return turnOf(objectsIn(content), usage)
    },
  }
}

function resultOf({ id, text, isError }: AnsweredCall): Answered {
  return { type: 'tool_result', tool_use_id: id, content: text, is_error: isError }
}

/** What was read from a cache or put there was input, too. */
const INPUT = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const

function turnOf(parts: readonly Answered[], usage: unknown): Turn {
  const used: Answered = isObject(usage) ? usage : {}
  return {
    text: parts.map(({ type, text }) => (type === 'text' ? String(text) : '')).join(''),
    calls: parts
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input: given }) => ({ id: String(id), name: String(name), given })),
    tokens: {
      input: INPUT.reduce((sum, name) => sum + Number(used[name] ?? 0), 0),
      output: Number(used.output_tokens ?? 0),
    },
  }
}
