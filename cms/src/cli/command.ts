import { styleText } from 'node:util'
import { type ArgsDef, type CommandContext, type CommandDef, defineCommand } from 'citty'
import { explain, UsageError } from './failure.ts'

/**
 * Defines a command: unknown options are refused, and errors that people can correct are shown as one message. A
 * command that fails exits with 1; a bug is shown with its stack.
 */
export function command<const Args extends ArgsDef>(definition: CommandDef<Args>): CommandDef<Args> {
  const { run } = definition
  if (!run) return defineCommand(definition)
  return defineCommand({
    ...definition,
    async run(context: CommandContext<Args>) {
      try {
        const { args } = definition
        const known: ArgsDef = (typeof args === 'function' ? await args() : await args) ?? {}
        refuseUnknown(context.rawArgs, Object.keys(known))
        refuseMissing(context.args, known)
        await run(context)
      } catch (error) {
        process.exitCode = 1
        report(error)
      }
    },
  })
}

function refuseUnknown(rawArgs: readonly string[], known: readonly string[]): void {
  for (const text of rawArgs) {
    if (!text.startsWith('--')) continue
    const name = text.slice(2).split('=')[0] ?? ''
    if (known.includes(name) || known.includes(name.replace(/^no-/, ''))) continue
    const options = known.map((each) => `--${each}`).join(', ')
    throw new UsageError(`There is no option --${name}. This command has ${options === '' ? 'no options' : options}.`)
  }
}

/** The parser does not insist on required options of type `enum`. */
function refuseMissing(given: { readonly [name: string]: unknown }, known: ArgsDef): void {
  for (const [name, option] of Object.entries(known)) {
    if (option.type !== 'enum' || !option.required || given[name] !== undefined) continue
    throw new UsageError(`--${name} is required. It can be: ${option.options?.join(', ')}.`)
  }
}

function report(error: unknown): void {
  const message = explain(error)
  if (message === null) console.error(error)
  else console.error(`${styleText('red', 'quire:', { stream: process.stderr })} ${message}`)
}
