import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { SiteMcp } from '../../model/declared/mcp-options.ts'

interface Asked {
  readonly name: string
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

/** A prompt of the site with what people have filled in. Throws for unknown prompts and missing arguments. */
export function promptMessage({ prompts }: SiteMcp, { name, arguments: given = {} }: Asked) {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) throw wrong(`There is no prompt ${name.slice(0, 60)}.`)
  const missing = prompt.arguments?.find((one) => one.required && !Object.hasOwn(given, one.name))
  if (missing !== undefined) throw wrong(`The prompt needs ${missing.name}.`)
  const names = new Set(prompt.arguments?.map((one) => one.name))
  const text = prompt.text.replaceAll(/\{([\w-]+)\}/g, (place, of: string) =>
    names.has(of) ? (given[of] ?? '') : place,
  )
  return {
    ...(prompt.description !== undefined && { description: prompt.description }),
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}

const wrong = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
