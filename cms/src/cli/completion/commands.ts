import type { ArgDef, CommandDef } from 'citty'
import { resolved } from '../command/command.ts'

/** What can be typed as the value of an option, or as an argument. */
export type Values =
  | { readonly kind: 'none' }
  /** Only whoever types knows. */
  | { readonly kind: 'any' }
  | { readonly kind: 'files' }
  | { readonly kind: 'choices'; readonly choices: readonly string[] }

/** An option as it is typed. */
export interface Option {
  /** With its dashes. */
  readonly name: string
  readonly description: string
  readonly values: Values
}

/** A command, with what can be typed after it. */
export interface Command {
  /** All its words: `quire key create`. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly options: readonly Option[]
  /** What its arguments may be. */
  readonly values: Values
  readonly subCommands: readonly Command[]
}

/** What a definition, with all that it loads late, lets one type. */
export async function commandOf(definition: CommandDef, name: string, before = ''): Promise<Command> {
  const path = `${before}${name}`
  const [meta, args, subCommands] = await Promise.all([
    resolved(definition.meta),
    resolved(definition.args),
    resolved(definition.subCommands),
  ])
  const entries = Object.entries(args ?? {})
  const below = await Promise.all(
    Object.entries(subCommands ?? {}).map(async ([each, found]) => {
      const command = await resolved(found)
      const isHidden = (await resolved(command?.meta))?.hidden === true
      return command === undefined || isHidden ? [] : [await commandOf(command, each, `${path} `)]
    }),
  )
  const positional = entries.find(([, arg]) => arg.type === 'positional')
  return {
    path,
    name,
    description: meta?.description ?? '',
    options: entries.filter(([, arg]) => arg.type !== 'positional').map(([each, arg]) => optionOf(each, arg)),
    values: positional === undefined ? { kind: 'none' } : valuesOf(...positional),
    subCommands: below.flat(),
  }
}

/** A command and all below it. */
export function withSubCommands(command: Command): readonly Command[] {
  return [command, ...command.subCommands.flatMap(withSubCommands)]
}

function optionOf(name: string, arg: ArgDef): Option {
  if (arg.type === 'boolean' && arg.default === true) {
    return { name: `--no-${name}`, description: arg.negativeDescription ?? '', values: { kind: 'none' } }
  }
  return { name: `--${name}`, description: arg.description ?? '', values: valuesOf(name, arg) }
}

function valuesOf(name: string, { type, valueHint = '', options }: ArgDef & { options?: string[] }): Values {
  if (type === 'boolean') return { kind: 'none' }
  if (options !== undefined) return { kind: 'choices', choices: options }
  if (valueHint.includes('|')) return { kind: 'choices', choices: valueHint.split('|') }
  return { kind: name === 'file' || valueHint === 'file' ? 'files' : 'any' }
}
