/** How much of what JSON text may have. */
export interface JsonLimits {
  /** Objects and lists in one another: functions that go through a value recurse for each. */
  readonly levels: number
  /** Properties of all objects. */
  readonly names?: number
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c]
const [OPENING, CLOSING] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])]

/** Names what a JSON text has too many of, found in its bytes before it is parsed; null where it is within limits. */
export function excessOf(bytes: Uint8Array, { levels, names: mostNames }: JsonLimits): keyof JsonLimits | null {
  let depth = 0
  let names = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COLON) names += 1
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) depth -= 1
    if (depth > levels) return 'levels'
    if (mostNames !== undefined && names > mostNames) return 'names'
  }
  return null
}

/** Where the quote is that ends a string: one with an even number of backslashes before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return bytes.length
}

/** Drops every `__proto__` in a parsed value: what comes after may copy names. */
export function dropPrototypes(top: object): void {
  const left: object[] = [top]
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    if (Object.hasOwn(holder, '__proto__')) Reflect.deleteProperty(holder, '__proto__')
    for (const value of Object.values(holder)) if (typeof value === 'object' && value !== null) left.push(value)
  }
}
