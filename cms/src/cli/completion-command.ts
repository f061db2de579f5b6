import type { CommandDef } from 'citty'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { bashScript } from './completion/bash.ts'
import { commandOf } from './completion/commands.ts'
import { fishScript } from './completion/fish.ts'
import { zshScript } from './completion/zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** `quire completion SHELL`: prints a script by which a shell completes the commands and options of `quire`. */
export function completionOf(quire: CommandDef): CommandDef<typeof ARGS> {
  return command({
    meta: { name: 'completion', description: 'Print a script that completes commands and options in your shell' },
    args: ARGS,
    async run({ args }) {
      const shell = (Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]).find((name) => name === args.shell)
      if (shell === undefined)
        throw new UsageError(`There is no completion for “${args.shell}”, only for bash, zsh and fish.`)
      process.stdout.write(SCRIPTS[shell](await commandOf(quire, 'quire')))
    },
  })
}

const ARGS = {
  shell: { type: 'positional', required: true, description: 'Your shell', valueHint: Object.keys(SCRIPTS).join('|') },
} as const
