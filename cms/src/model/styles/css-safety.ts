import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer'
import { lengthOf } from '../../base/text.ts'
import { MEDIA_FUNCTIONS, UNITS, VALUE_FUNCTIONS } from './css-names.ts'
import { selectorSyntaxMistake } from './selector-syntax.ts'

// Decides which texts may stand in CSS (§4.7), by the tokens that browsers see (CSS Syntax Module): a text passes only
// when each of its tokens is on a list. Nothing on the lists ends a declaration, a rule or a style element.

/** Longer values are refused: they are sent with every page. */
export const LONGEST_VALUE = 2000

/** Names, numbers, hashes and single spaces: what most values are, and always safe. */
const PLAIN = /^[\w#.%-]+(?: [\w#.%-]+)*$/
/** The beginnings of tags and comments, and invisible characters. */
const FORBIDDEN = /[<\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|\/\*/u
/** In a media query `<` compares, before a space or `=`. */
const FORBIDDEN_IN_MEDIA = /<(?![= ])|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|\/\*/u

/** Why content may not be a CSS value; null when it may. */
export function valueMistake(text: string): string | null {
  return PLAIN.test(text) ? tooLong(text) : cachedVerdict(ofContent, text, () => mistakeIn(text, isValueToken))
}

/** Why a text of the site's configuration may not be a CSS value: it may also use `url()` and `!important`. */
export function siteValueMistake(text: string): string | null {
  if (PLAIN.test(text)) return tooLong(text)
  return cachedVerdict(ofSite, text, () => mistakeIn(text.replace(/ ?! ?important$/i, ''), isSiteValueToken))
}

/** Why a text may not be a media query. */
export function mediaMistake(text: string): string | null {
  if (text.trim().startsWith('@')) return 'leave out "@media"'
  return mistakeIn(text, isMediaToken, FORBIDDEN_IN_MEDIA)
}

/** Why a text may not be one selector. */
export function selectorMistake(text: string, { isNested }: { isNested: boolean }): string | null {
  if (/\\(?![!-/:-@[-`{-~])/.test(text)) return 'only punctuation can be escaped'
  const mistake = mistakeIn(text, isSelectorToken)
  if (mistake !== null) return mistake
  const parts = tokensOf(text).filter(([type]) => type !== TokenType.Whitespace)
  const isCombinator = (token: CSSToken | undefined) => token?.[0] === TokenType.Delim && '>+~|'.includes(token[1])
  if (parts[0]?.[0] === TokenType.Ident && parts[0][1].startsWith('--')) return 'must begin with the name of an element'
  if (isCombinator(parts.at(-1)) || (!isNested && isCombinator(parts[0]))) return 'a part of the selector is missing'
  if (parts.some((token, index) => token[1] === '&' && (index > 0 || !isNested))) {
    return isNested ? '"&" can only be at the beginning' : 'there is nothing that "&" could stand for'
  }
  return selectorSyntaxMistake(text, tokensOf(text))
}

/** The selectors of a list. */
export function splitSelectors(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [type, part] of tokensOf(text)) {
    depth += OPENING.has(type) ? 1 : CLOSING.has(type) ? -1 : 0
    if (type === TokenType.Comma && depth === 0) parts.push('')
    else parts[parts.length - 1] += part
  }
  return parts.map((part) => part.trim())
}

/** Why a text may not be a property, or the name of a custom one. */
export function propertyMistake(text: string): string | null {
  if (/^--[A-Za-z_][\w-]*$/.test(text) || /^-?[a-z]+(?:-[a-z]+)*$/.test(text)) return null
  return `"${text}" is not a CSS property: "color", "--accent"`
}

/** True for units of numbers: `px`, `%`. */
export function isUnit(text: string): boolean {
  return UNITS.has(text.toLowerCase())
}

/** True for what can be one class in an attribute. */
export function isClassName(text: string): boolean {
  return /^[^\s"'`<>&=\p{C}]+$/u.test(text)
}

/** True for a name of a custom property, which stands for its value: `--accent`. */
export function isVariable(text: string): boolean {
  return /^--[\p{L}\p{N}_-]+$/u.test(text)
}

/** The tokens of a text, without the last one, which is its end. */
function tokensOf(css: string): CSSToken[] {
  return tokenize({ css }).slice(0, -1)
}

function tooLong(text: string): string | null {
  return lengthOf(text) > LONGEST_VALUE ? `must have at most ${LONGEST_VALUE} characters` : null
}

type Verdicts = Map<string, string | null>
const ofContent: Verdicts = new Map()
const ofSite: Verdicts = new Map()
const MOST_CACHED = 1000
const LONGEST_CACHED = 200

/** Returns the verdict on a text. Values repeat, so the verdicts on a thousand short ones are cached. */
function cachedVerdict(verdicts: Verdicts, text: string, check: () => string | null): string | null {
  const known = verdicts.get(text)
  if (known !== undefined) return known
  const verdict = check()
  if (text.length > LONGEST_CACHED) return verdict
  if (verdicts.size >= MOST_CACHED) verdicts.clear()
  verdicts.set(text, verdict)
  return verdict
}

type Allows = (token: CSSToken, next: CSSToken | undefined) => boolean

function mistakeIn(text: string, allows: Allows, forbidden = FORBIDDEN): string | null {
  const long = tooLong(text)
  if (long !== null || PLAIN.test(text)) return long
  if (text.trim() === '') return 'must not be empty'
  const [found] = forbidden.exec(text) ?? []
  if (found !== undefined) return `must not contain ${quoted(found)}`
  const tokens = tokensOf(text)
  const wrong = tokens.find((token, index) => !allows(token, tokens[index + 1]))
  if (wrong) return `must not contain ${quoted(wrong[1])}`
  return isBalanced(tokens) ? null : 'has a bracket without its partner'
}

/** The beginning of a text as a reader can see it: invisible characters are shown by their number. */
export function quoted(text: string): string {
  const shown = [...text]
    .slice(0, LONGEST_QUOTED)
    .map((one) => (one !== ' ' && /[\p{C}\p{Z}]/u.test(one) ? codeOf(one) : one))
  return `"${shown.join('')}${[...text].length > LONGEST_QUOTED ? '…' : ''}"`
}

const LONGEST_QUOTED = 60

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const OPENING: ReadonlyMap<string, string> = new Map([
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
])
const CLOSING: ReadonlySet<string> = new Set(OPENING.values())

function isBalanced(tokens: readonly CSSToken[]): boolean {
  const open: string[] = []
  for (const [type] of tokens) {
    const closing = OPENING.get(type)
    if (closing !== undefined) open.push(closing)
    else if (CLOSING.has(type) && open.pop() !== type) return false
  }
  return open.length === 0
}

const IN_ALL: ReadonlySet<string> = new Set([
  TokenType.Ident,
  TokenType.Number,
  TokenType.Percentage,
  TokenType.Dimension,
  TokenType.Whitespace,
  TokenType.Comma,
  TokenType.CloseParen,
])
const IN_VALUES: ReadonlySet<string> = new Set([
  ...IN_ALL,
  TokenType.Hash,
  TokenType.OpenParen,
  TokenType.OpenSquare,
  TokenType.CloseSquare,
])
const IN_MEDIA: ReadonlySet<string> = new Set([...IN_ALL, TokenType.OpenParen, TokenType.Colon])
const IN_SELECTORS: ReadonlySet<string> = new Set([
  ...IN_ALL,
  TokenType.Hash,
  TokenType.Colon,
  TokenType.Function,
  TokenType.OpenSquare,
  TokenType.CloseSquare,
])

const AFTER_COLON: ReadonlySet<string> = new Set([TokenType.Ident, TokenType.Function, TokenType.Colon])

function isValueToken(token: CSSToken, next: CSSToken | undefined): boolean {
  const [type, text] = token
  if (text.includes('\\')) return false
  if (type === TokenType.String) return isClosed(text)
  if (type === TokenType.Delim) return '+-*/'.includes(text) && !(text === '*' && next?.[1] === '/')
  if (type === TokenType.Function) return VALUE_FUNCTIONS.has(token[4].value.toLowerCase())
  return IN_VALUES.has(type)
}

function isSiteValueToken(token: CSSToken, next: CSSToken | undefined): boolean {
  const [type, text] = token
  if (type === TokenType.URL) return text.endsWith(')') && !text.includes('\\') && isSafeUrl(token[4].value)
  if (type === TokenType.Function && token[4].value.toLowerCase() === 'url') {
    return next?.[0] === TokenType.String && isSafeUrl(next[4].value)
  }
  return isValueToken(token, next)
}

function isMediaToken(token: CSSToken, next: CSSToken | undefined): boolean {
  const [type, text] = token
  if (text.includes('\\')) return false
  if (type === TokenType.Delim) return '<>=/'.includes(text) && !(text === '/' && next?.[1] === '*')
  if (type === TokenType.Function) return MEDIA_FUNCTIONS.has(token[4].value.toLowerCase())
  return IN_MEDIA.has(type)
}

function isSelectorToken([type, text]: CSSToken, next: CSSToken | undefined): boolean {
  if (type === TokenType.Colon) return next !== undefined && AFTER_COLON.has(next[0])
  if (type === TokenType.String) return isClosed(text)
  if (type === TokenType.Delim) return '.>+~*&|=^$'.includes(text)
  return IN_SELECTORS.has(type)
}

/** False for a string that only the end of the text ends: what follows in the stylesheet would belong to it. */
function isClosed(text: string): boolean {
  return text.length > 1 && text.at(-1) === text[0] && !text.endsWith('\\"') && !text.endsWith("\\'")
}

function isSafeUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) || !/^[^/?#]*:/.test(url)
}
