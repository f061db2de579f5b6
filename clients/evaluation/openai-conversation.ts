import { isObject } from '../../cms/src/base/json.ts'
import {
  type Answered,
  type AnsweredCall,
  ask,
  type Beginning,
  type Conversation,
  type ModelAddress,
  objectsIn,
  parsed,
  type Turn,
} from './language-model.ts'

/** A conversation by chat completions, as OpenAI and many others answer them: `--url https://…/v1`. */
export function beginOpenAi({ name, url, key }: ModelAddress, { instructions, order, tools }: Beginning): Conversation {
  const messages: Answered[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: order },
  ]
  const offered = tools.map(({ inputSchema: parameters, ...tool }) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters },
  }))
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return {
    next: async (answered) => {
      messages.push(...answered.map(resultOf))
      const answer = await ask(`${url}/chat/completions`, headers, { model: name, messages, tools: offered })
      const [choice] = objectsIn(answer.choices)
      const message = isObject(choice?.message) ? choice.message : {}
      messages.push(message)
      return turnOf(message, answer.usage)
    },
  }
}

function resultOf({ id, text }: AnsweredCall): Answered {
  return { role: 'tool', tool_call_id: id, content: text }
}

function turnOf({ content, tool_calls: calls }: Answered, usage: unknown): Turn {
  const { prompt_tokens: input, completion_tokens: output } = isObject(usage) ? usage : {}
  return {
    text: typeof content === 'string' ? content : '',
    calls: objectsIn(calls).map(({ id, function: called }) => {
      const { name, arguments: given } = isObject(called) ? called : {}
      return { id: String(id), name: String(name), given: parsed(String(given)) }
    }),
    tokens: { input: Number(input ?? 0), output: Number(output ?? 0) },
  }
}
