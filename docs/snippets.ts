/** A fenced block of a document: its language, the words behind it, its text and the line it begins on. */
export interface Snippet {
  readonly language: string
  readonly text: string
  readonly line: number
}

/** All fenced blocks of a Markdown text, in order. */
export function snippetsOf(markdown: string): Snippet[] {
  const snippets: Snippet[] = []
  let open: { language: string; line: number; lines: string[] } | null = null
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\S*)/.exec(line)
    if (open === null && fence) open = { language: fence[1] ?? '', line: index + 1, lines: [] }
    else if (open !== null && fence) {
      snippets.push({ language: open.language, line: open.line, text: open.lines.join('\n') })
      open = null
    } else open?.lines.push(line)
  }
  return snippets
}

/** A TypeScript file that a reader writes: its path, and its text. */
export type WrittenFile = readonly [path: string, text: string]

/** The TypeScript files that a block for the shell writes, as `cat > site.ts <<'END'` does. */
export function filesWrittenBy({ language, text }: Snippet): WrittenFile[] {
  if (language !== 'sh') return []
  const written = text.matchAll(/^cat > (\S+\.ts) <<'(\w+)'\n(.*?)\n\2$/gms)
  return [...written].map(([, path = '', , content = '']) => [path, content])
}

/**
 * Lists what a real answer lacks of the shown one, a line for each difference. Objects may hold more than is shown;
 * `"…"` stands for any value, and at the end of a list for any number of further items.
 */
export function missing(shown: unknown, real: unknown, path = 'answer'): string[] {
  if (shown === '…') return real === undefined ? [`${path}: nothing`] : []
  if (Array.isArray(shown)) return missingItems(shown, real, path)
  if (typeof shown === 'object' && shown !== null) {
    if (typeof real !== 'object' || real === null) return [`${path}: ${JSON.stringify(real)}`]
    const holder: { readonly [name: string]: unknown } = { ...real }
    return Object.entries(shown).flatMap(([name, value]) => missing(value, holder[name], `${path}.${name}`))
  }
  return shown === real ? [] : [`${path}: ${JSON.stringify(real)} instead of ${JSON.stringify(shown)}`]
}

function missingItems(shown: readonly unknown[], real: unknown, path: string): string[] {
  if (!Array.isArray(real)) return [`${path}: ${JSON.stringify(real)}`]
  const isOpen = shown.length > 1 && shown.at(-1) === '…'
  const items = isOpen ? shown.slice(0, -1) : shown
  const problems = items.flatMap((item, index) => missing(item, real[index], `${path}.${index}`))
  return isOpen || items.length === real.length ? problems : [`${path}: ${real.length} items`, ...problems]
}
