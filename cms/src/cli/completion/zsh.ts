import { type Command, type Option, type Values, withSubCommands } from './commands.ts'

/** The completion script for zsh. */
export function zshScript(quire: Command): string {
  const commands = withSubCommands(quire)
  const paths = commands.filter(({ path }) => path !== quire.path).map(({ path }) => quoted(path))
  return `#compdef quire
# Completion of quire for zsh. In ~/.zshrc, after compinit: source <(quire completion zsh)
_quire() {
  local at=quire word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${paths.join(' | ')}) at="$at $word" ;;
    esac
  done
  local -a found
  case "$at" in
${commands.map(caseOf).join('\n')}
  esac
}
if [ "\${funcstack[1]}" = _quire ]; then _quire "$@"; else compdef _quire quire; fi
`
}

function caseOf({ path, subCommands, options, values }: Command): string {
  const depth = path.split(' ').length
  const names = subCommands.map(({ name, description }) => quoted(`${name}:${description}`))
  const lines =
    names.length > 0
      ? [`found=(${names.join(' ')})`, '_describe command found']
      : [
          `words=("\${(@)words[${depth},-1]}")`,
          `(( CURRENT -= ${depth - 1} ))`,
          `_arguments ${[...options.map(optionSpec), "'--help[Show what it takes]'", ...argumentSpec(values)].join(' ')}`,
        ]
  return `    ${quoted(path)})\n${lines.map((line) => `      ${line}`).join('\n')}\n      ;;`
}

function optionSpec({ name, description, values }: Option): string {
  const text = description.replaceAll(/[[\]\\:]/g, '\\$&')
  return quoted(values.kind === 'none' ? `${name}[${text}]` : `${name}=[${text}]:value:${actionOf(values)}`)
}

function argumentSpec(values: Values): string[] {
  return values.kind === 'none' ? [] : [quoted(`*:argument:${actionOf(values)}`)]
}

function actionOf(values: Values): string {
  if (values.kind === 'choices') return `(${values.choices.join(' ')})`
  return values.kind === 'files' ? '_files' : ' '
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
