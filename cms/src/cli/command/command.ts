import { styleText } from 'node:util'
import { type ArgsDef, type CommandContext, type CommandDef, defineCommand } from 'citty'
import { didYouMean } from '../../base/did-you-mean.ts'
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
        await writingAll(() => run(context))
      } catch (error) {
        fail(error)
      }
    },
  })
}

/**
 * The console ignores that nothing can be written, but a result that is lost is no success: then this throws, unless
 * the reader has seen enough (`quire user list | head`).
 */
async function writingAll(run: () => unknown): Promise<void> {
  let failure: NodeJS.ErrnoException | null = null
  const keep = (error: NodeJS.ErrnoException) => {
    failure ??= error
  }
  process.stdout.on('error', keep)
  try {
    await run()
    // Failures are reported after the write.
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.stdout.off('error', keep)
  }
  // `as`: the compiler does not see that it was assigned meanwhile.
  const kept = failure as NodeJS.ErrnoException | null
  if (kept !== null && kept.code !== 'EPIPE') throw kept
}

/** Writes a line to the output of a command. Throws when it cannot be written, or nobody reads it. */
export function print(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

/** The names that an option lists, all of them known; null where it is not given. */
export function selectedNames(
  option: string,
  text: string | undefined,
  known: ReadonlyMap<string, unknown>,
): ReadonlySet<string> | null {
  if (text === undefined) return null
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.has(name))
  if (unknown === undefined) return new Set(names)
  throw new UsageError(`${option}: there is no “${unknown}”. It can be: ${[...known.keys()].join(', ')}.`)
}

/** Options that the command does not have, or not in this way, and arguments after the last that it takes. */
function refuseUnknown(rawArgs: readonly string[], given: readonly string[], known: ArgsDef): void {
  const options = Object.entries(known).filter(([, { type }]) => type !== 'positional')
  const texts = beforeDashes(rawArgs)
  for (const [index, text] of texts.entries()) {
    if (!/^--?[a-z]/i.test(text)) continue
    const before = texts[index - 1] ?? ''
    const isValue = before.startsWith('--') && takesText(known[before.slice(2)])
    if (isValue && !text.startsWith('--')) continue
    refuseOption(text, options, known)
    // The parser takes `--report --dry-run` for a file of that name, and no dry run.
    if (isValue) throw new UsageError(`${before} needs a value. One that begins with -- is written ${before}=${text}.`)
  }
  const extra = given.slice(Object.keys(known).length - options.length)
  if (extra.length > 0) throw new UsageError(`This command has no place for: ${extra.join(' ')}`)
}

/** The parser ignores `--no-webhooks=true`, and takes `--force=0` for `--force`. */
function refuseOption(text: string, options: readonly (readonly [string, ArgsDef[string]])[], known: ArgsDef): void {
  const [shown = '', value] = text.split(/=(.*)/s)
  const find = (name: string) => options.find(([known]) => `--${known}` === name)?.[1]
  const option = find(shown)
  const negated = shown.startsWith('--no-') ? find(shown.replace('--no-', '--')) : undefined
  if (option === undefined && negated?.type !== 'boolean') {
    const names = options.map(([name, { default: usual }]) => (usual === true ? `--no-${name}` : `--${name}`))
    const has = names.length === 0 ? 'no options' : names.join(', ')
    const name = shown.replace(/^--?/, '')
    const isPlace = Object.hasOwn(known, name) && known[name]?.type === 'positional'
    const hint = isPlace ? `: write the ${name} by itself.` : didYouMean(`--${name}`, names) || '.'
    throw new UsageError(`There is no option ${shown}${hint} This command has ${has}.`)
  }
  if (value === undefined || takesText(option)) return
  if (option === undefined || !['true', 'false'].includes(value)) {
    throw new UsageError(`${shown} takes no value: write ${shown}, or leave it out.`)
  }
}

function takesText(option: ArgsDef[string] | undefined): boolean {
  return option?.type === 'string' || option?.type === 'enum'
}

function beforeDashes(rawArgs: readonly string[]): readonly string[] {
  const end = rawArgs.indexOf('--')
  return end < 0 ? rawArgs : rawArgs.slice(0, end)
}

/** The parser does not insist on required options of type `enum`. */
function refuseMissing(given: { readonly [name: string]: unknown }, known: ArgsDef): void {
  for (const [name, option] of Object.entries(known)) {
    if (option.type !== 'enum' || !option.required || given[name] !== undefined) continue
    throw new UsageError(`--${name} is required. It can be: ${option.options?.join(', ')}.`)
  }
}

/** Makes the process end with 1, and shows why: a bug with its stack. */
export function fail(error: unknown): void {
  process.exitCode = 1
  const message = explain(error)
  if (message === null) console.error(error)
  else console.error(`${styleText('red', 'quire:', { stream: process.stderr })} ${message}`)
}

/** Says that a name is not a command, and which one may be meant: `quire sreve`. Returns whether it did. */
export async function refuseUnknownCommand(definition: CommandDef, rawArgs: readonly string[]): Promise<boolean> {
  let commands = await resolved(definition.subCommands)
  const words = ['quire']
  for (const name of rawArgs.filter((text) => !text.startsWith('-'))) {
    if (commands === undefined) return false
    if (!Object.hasOwn(commands, name)) {
      fail(unknownCommand(name, Object.keys(commands), words))
      return true
    }
    words.push(name)
    commands = await resolved((await resolved(commands[name]))?.subCommands)
  }
  return false
}

/** Resolves a value of a definition, or calls the function that loads it. */
export async function resolved<T>(value: T | Promise<T> | (() => T) | (() => Promise<T>)): Promise<T> {
  return value instanceof Function ? value() : value
}

function unknownCommand(name: string, known: readonly string[], before: readonly string[]): UsageError {
  const guess = didYouMean(name, known) || '.'
  return new UsageError(
    `There is no command "${[...before, name].slice(1).join(' ')}"${guess} See ${before.join(' ')} --help.`,
  )
}
