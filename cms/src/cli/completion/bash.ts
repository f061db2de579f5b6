import { type Command, type Values, withSubCommands } from './commands.ts'

/** The completion script for bash, 3.2 (macOS) and newer. */
export function bashScript(quire: Command): string {
  const commands = withSubCommands(quire)
  const paths = commands.filter(({ path }) => path !== quire.path).map(({ path }) => `"${path}"`)
  const options = commands.flatMap(({ path, options }) =>
    options.flatMap(({ name, values }) => cases(`${path} ${name}`, values, ' return')),
  )
  return `# Completion of quire for bash. In ~/.bashrc: source <(quire completion bash)
_quire() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} path=quire word
  [ "$current" = = ] && current=
  [ "$before" = = ] && before=\${COMP_WORDS[COMP_CWORD - 2]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$path $word" in
      ${paths.join(' | ')}) path="$path $word" ;;
    esac
  done
  COMPREPLY=()
  case "$path $before" in
${options.join('\n')}
  esac
  case "$current" in
    -*)
      case "$path" in
${commands.map(({ path, options }) => `        "${path}") _quire_words ${['--help', ...options.map(({ name }) => name)].join(' ')} ;;`).join('\n')}
      esac
      return
      ;;
  esac
  case "$path" in
${commands.flatMap((command) => cases(command.path, argumentsOf(command), '')).join('\n')}
  esac
}
_quire_words() {
  local word
  for word in "$@"; do
    case "$word" in "$current"*) COMPREPLY+=("$word") ;; esac
  done
}
_quire_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
}
complete -F _quire quire
`
}

/** The names of commands, where there are some below it, else its arguments. */
function argumentsOf({ subCommands, values }: Command): Values {
  return subCommands.length === 0 ? values : { kind: 'choices', choices: subCommands.map(({ name }) => name) }
}

function cases(pattern: string, values: Values, end: string): string[] {
  if (values.kind === 'none') return []
  const action =
    values.kind === 'choices'
      ? `_quire_words ${values.choices.join(' ')};`
      : values.kind === 'files'
        ? '_quire_files;'
        : ':;'
  return [`    "${pattern}") ${action}${end} ;;`]
}
