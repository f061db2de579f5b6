import { type CSSToken, TokenType } from '@csstools/css-tokenizer'
import { isTraversal, parse, type Selector, SelectorType } from 'css-what'

/** The beginning of a name that is written without escapes. */
const NAME_START = /^(?:--|-?[a-z_\u0080-\uffff])/i
/** Take selectors in parentheses, which the library leaves as text. */
const OF_SELECTORS: ReadonlySet<string> = new Set(['slotted', 'cue', '-webkit-any', '-moz-any'])

/**
 * Why a text is not one selector (Selectors Level 4), null when it is. `tokens` are its tokens, which are of
 * allowed kinds; what the library accepts beyond the standard is refused.
 */
export function selectorSyntaxMistake(text: string, tokens: readonly CSSToken[]): string | null {
  const unnamed = tokens.find((token, index) => !hasName(token, tokens[index + 1]))
  if (unnamed) return `"${unnamed[1]}" must be followed by a name`
  const parts = tokens.filter(([type]) => type !== TokenType.Whitespace)
  const isCut = parts.some((token, index) => token[1] === '=' && !isValue(parts.slice(index + 1, index + 3)))
  if (isCut) return '"=" must be followed by a name or a string'
  // The library does not know nesting: "&" stands where "*" may stand.
  return listMistake(text.replace(/^\s*&/, '*'), 1)
}

/** False for the sign of a class or of an id that has no name behind it. */
function hasName(token: CSSToken, next: CSSToken | undefined): boolean {
  if (token[0] === TokenType.Hash) return token[4].type === 'id'
  // A number, or a sign on its own.
  return token[1] === '.' ? next?.[0] === TokenType.Ident : !/^(?:[+-]?\.|#$)/.test(token[1])
}

/** The value of an attribute is the last part of it, or followed by a flag, which the library checks. */
function isValue([value, next]: readonly CSSToken[]): boolean {
  const isText = value?.[0] === TokenType.Ident || value?.[0] === TokenType.String
  return isText && (next?.[0] === TokenType.CloseSquare || next?.[0] === TokenType.Ident)
}

function listMistake(text: string, most = Number.POSITIVE_INFINITY): string | null {
  try {
    const selectors = parse(text)
    return selectors.length > most ? misplaced(',') : firstMistake(selectors, complexMistake)
  } catch {
    return 'it is not a selector'
  }
}

function complexMistake(selector: readonly Selector[]): string | null {
  const last = selector.at(-1)
  if (!last || isTraversal(last)) return 'a part of the selector is missing'
  return firstMistake(selector, (part, index) => {
    const before = selector[index - 1]
    return partMistake(part, before === undefined || isTraversal(before))
  })
}

function partMistake(part: Selector, isFirstOfCompound: boolean): string | null {
  switch (part.type) {
    case SelectorType.Universal:
      return isFirstOfCompound && isNamespace(part.namespace) ? null : misplaced('*')
    case SelectorType.Tag:
      return isFirstOfCompound && isNamespace(part.namespace) && isName(part.name) ? null : misplaced(part.name)
    case SelectorType.Attribute:
      return isName(part.name) ? null : misplaced(part.name)
    case SelectorType.Pseudo:
    case SelectorType.PseudoElement:
      return isName(part.name) ? argumentsMistake(part.name, part.data) : misplaced(part.name)
    case SelectorType.ColumnCombinator:
      return misplaced('||')
    default:
      return null
  }
}

function isName(text: string): boolean {
  return NAME_START.test(text)
}

function isNamespace(text: string | null): boolean {
  return text === null || text === '' || text === '*' || isName(text)
}

function argumentsMistake(name: string, data: Selector[][] | string | null): string | null {
  if (data === null) return null
  if (typeof data !== 'string') return firstMistake(data, complexMistake)
  if (data.trim() === '') return `"${name}()" needs an argument`
  return OF_SELECTORS.has(name) ? listMistake(data) : null
}

function misplaced(text: string): string {
  return `${JSON.stringify(text)} cannot stand there`
}

function firstMistake<Part>(parts: readonly Part[], mistakeOf: (part: Part, index: number) => string | null) {
  for (const [index, part] of parts.entries()) {
    const mistake = mistakeOf(part, index)
    if (mistake !== null) return mistake
  }
  return null
}
