import { type Command, type Values, withSubCommands } from './commands.ts'

/** The completion script for fish. */
export function fishScript(quire: Command): string {
  const commands = withSubCommands(quire)
  const paths = commands.filter(({ path }) => path !== quire.path).map(({ path }) => quoted(path))
  return `# Completion of quire for fish: quire completion fish > ~/.config/fish/completions/quire.fish
function __quire_at
    set -l at quire
    for word in (commandline -opc)[2..]
        contains -- "$at $word" ${paths.join(' ')}; and set at "$at $word"
    end
    test "$at" = "$argv[1]"
end
complete -c quire -f
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, subCommands, options, values }: Command): string[] {
  const at = `complete -c quire -n ${quoted(`__quire_at ${quoted(path)}`)}`
  return [
    ...subCommands.map(({ name, description }) => `${at} -a ${quoted(name)} -d ${quoted(description)}`),
    ...options.map((option) => {
      const { name, description } = option
      return `${at} -l ${name.slice(2)} -d ${quoted(description)}${given(option.values, ' -r')}`
    }),
    ...(values.kind === 'none' || subCommands.length > 0 ? [] : [`${at}${given(values, '')}`]),
  ]
}

function given(values: Values, required: string): string {
  if (values.kind === 'none') return ''
  if (values.kind === 'choices') return `${required} -a ${quoted(values.choices.join(' '))}`
  return `${required} ${values.kind === 'files' ? '-F' : '-f'}`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
