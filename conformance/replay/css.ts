/** The recorded declarations that our stylesheet lacks or says otherwise; it may have more. */
export function missingDeclarations(recorded: string, ours: string): string[] {
  const own = declarationsOf(ours)
  return [...declarationsOf(recorded)].filter(([name, value]) => own.get(name) !== value).map(([name]) => name)
}

/** `@media (max-width: 800px) .page margin` → `5px`. What was cut off at the end is left out. */
function declarationsOf(css: string): Map<string, string> {
  const found = new Map<string, string>()
  const around: string[] = []
  for (const [, text = '', bracket] of css.matchAll(/([^{}]*)([{}])/g)) {
    if (bracket === '{') around.push(text)
    else {
      for (const [property, value] of pairs(text)) found.set([...around, property].join(' '), value)
      around.pop()
    }
  }
  return found
}

function pairs(block: string): [property: string, value: string][] {
  return block.split(';').flatMap((one): [string, string][] => {
    const [property = '', ...value] = one.split(':')
    return value.length === 0 ? [] : [[property.trim(), value.join(':').trim()]]
  })
}
