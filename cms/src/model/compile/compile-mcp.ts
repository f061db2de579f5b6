import { MCP, type SiteMcp } from '../declared/mcp-options.ts'
import { checkDistinct, type Report } from '../terms/configuration-error.ts'
import { readOptions } from './read-options.ts'

/** Reads the option `mcp` (§4.10); null where the site is not open to agents. */
export function compileMcp(declared: false | object, report: Report): SiteMcp | null {
  if (declared === false) return null
  const options = readOptions(MCP, declared, report) ?? MCP.parse({})
  checkDistinct(options.prompts, 'a prompt', 'prompts.', report)
  return options
}
