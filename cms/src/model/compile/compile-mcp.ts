import { MCP, type SiteMcp } from '../declared/mcp-options.ts'
import type { Report } from '../terms/configuration-error.ts'
import { below, readOptions } from './read-options.ts'

/** Reads the option `mcp` (§4.10); null where the site is not open to agents. */
export function compileMcp(declared: false | object, report: Report): SiteMcp | null {
  if (declared === false) return null
  const options = readOptions(MCP, declared, below(report, 'mcp')) ?? MCP.parse({})
  const names = options.prompts.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) report(`mcp.prompts.${index}.name`, `there is a prompt "${name}" already`)
  }
  return options
}
