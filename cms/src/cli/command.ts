import { styleText } from 'node:util'
import { type ArgsDef, type CommandContext, type CommandDef, defineCommand } from 'citty'
import { didYouMean } from '../base/did-you-mean.ts'
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
        refuseUnknown(context.rawArgs, context.args._, known)
        refuseMissing(context.args, known)
        await run(context)
      } catch (error) {
        process.exitCode = 1
        report(error)
      }
    },
  })
}

/** Options that the command does not have, and arguments after the last that it takes. */
function refuseUnknown(rawArgs: readonly string[], given: readonly string[], known: ArgsDef): void {
  const names = Object.keys(known).filter((name) => known[name]?.type !== 'positional')
  for (const text of beforeDashes(rawArgs)) {
    if (!/^--?[a-z]/i.test(text) || isValue(text, rawArgs, known)) continue
    const name = text.replace(/^--?/, '').replace(/=.*/s, '')
    if (text.startsWith('--') && (names.includes(name) || names.includes(name.replace(/^no-/, '')))) continue
    const options = names.map((each) => (known[each]?.default === true ? `--no-${each}` : `--${each}`))
    const has = options.length === 0 ? 'no options' : options.join(', ')
    throw new UsageError(
      `There is no option ${text.replace(/=.*/s, '')}${didYouMean(`--${name}`, options) || '.'} This command has ${has}.`,
    )
  }
  const extra = given.slice(Object.keys(known).length - names.length)
  if (extra.length > 0) throw new UsageError(`This command has no place for: ${extra.join(' ')}`)
}

function beforeDashes(rawArgs: readonly string[]): readonly string[] {
  const end = rawArgs.indexOf('--')
  return end < 0 ? rawArgs : rawArgs.slice(0, end)
}

/** Whether a text that begins like an option is the value of the option before it: `--name -x`. */
function isValue(text: string, rawArgs: readonly string[], known: ArgsDef): boolean {
  const before = rawArgs[rawArgs.indexOf(text) - 1] ?? ''
  const type = known[before.replace(/^--/, '')]?.type
  return !text.startsWith('--') && before.startsWith('--') && (type === 'string' || type === 'enum')
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

/** Tells that a name is not a command, and which one may be meant: `quire sreve`. Returns whether it did. */
export async function refuseUnknownCommand(definition: CommandDef, rawArgs: readonly string[]): Promise<boolean> {
  let commands = await resolved(definition.subCommands)
  const words = ['quire']
  for (const name of rawArgs.filter((text) => !text.startsWith('-'))) {
    if (commands === undefined) return false
    if (!Object.hasOwn(commands, name)) {
      process.exitCode = 1
      report(unknownCommand(name, Object.keys(commands), words))
      return true
    }
    words.push(name)
    commands = await resolved((await resolved(commands[name]))?.subCommands)
  }
  return false
}

/** What a definition gives, or loads late. */
export async function resolved<T>(value: T | Promise<T> | (() => T) | (() => Promise<T>)): Promise<T> {
  return value instanceof Function ? value() : value
}

function unknownCommand(name: string, known: readonly string[], before: readonly string[]): UsageError {
  const guess = didYouMean(name, known) || '.'
  return new UsageError(
    `There is no command "${[...before, name].slice(1).join(' ')}"${guess} See ${before.join(' ')} --help.`,
  )
}
