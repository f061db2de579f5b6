import { type CSSToken, TokenType } from '@csstools/css-tokenizer'

/** Functions whose arguments are selectors. */
const OF_SELECTORS = /^(?:is|where|not|has|matches|host|host-context|slotted|cue|-(?:webkit|moz)-any)$/i

/** Why these tokens of allowed kinds are not one selector (Selectors Level 4); null when they are. */
export function selectorGrammarMistake(tokens: readonly CSSToken[]): string | null {
  const reading = new SelectorReading(tokens)
  return reading.readComplex() && reading.isAtEnd() ? null : reading.mistake()
}

class SelectorReading {
  readonly #tokens: readonly CSSToken[]
  #at = 0

  constructor(tokens: readonly CSSToken[]) {
    this.#tokens = tokens
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  mistake(): string {
    const token = this.#tokens[this.#at]
    return token === undefined ? 'a part of the selector is missing' : `${JSON.stringify(token[1])} cannot stand there`
  }

  /** Compounds with combinators between them; one may come first. */
  readComplex(): boolean {
    this.#skipSpaces()
    if (this.#takeCombinator()) this.#skipSpaces()
    for (;;) {
      if (!this.#readCompound()) return false
      const isSpaced = this.#skipSpaces()
      if (this.isAtEnd() || this.#is(TokenType.Comma) || this.#is(TokenType.CloseParen)) return true
      if (this.#takeCombinator()) this.#skipSpaces()
      else if (!isSpaced) return false
    }
  }

  /** `a`, `*`, `&`, then ids, classes, attributes and pseudo-classes. */
  #readCompound(): boolean {
    const start = this.#at
    if (!this.#takeDelim('&') && !this.#takeDelim('*')) this.#take(TokenType.Ident)
    for (;;) {
      const token = this.#tokens[this.#at]
      if (token?.[0] === TokenType.Hash && token[4].type === 'id') this.#at += 1
      else if (this.#takeDelim('.')) {
        if (!this.#take(TokenType.Ident)) return false
      } else if (this.#take(TokenType.OpenSquare)) {
        if (!this.#readAttribute()) return false
      } else if (this.#take(TokenType.Colon)) {
        if (!this.#readPseudo()) return false
      } else return this.#at > start
    }
  }

  /** `name]`, `name="value" i]` */
  #readAttribute(): boolean {
    this.#skipSpaces()
    if (!this.#take(TokenType.Ident)) return false
    this.#skipSpaces()
    const isCompared = ['~', '|', '^', '$', '*'].some((sign) => this.#takeDelim(sign)) || this.#isDelim('=')
    if (isCompared) {
      if (!this.#takeDelim('=')) return false
      this.#skipSpaces()
      if (!this.#take(TokenType.Ident) && !this.#take(TokenType.String)) return false
      if (this.#skipSpaces() || !this.#is(TokenType.CloseSquare)) this.#take(TokenType.Ident)
      this.#skipSpaces()
    }
    return this.#take(TokenType.CloseSquare)
  }

  #readPseudo(): boolean {
    this.#take(TokenType.Colon)
    if (this.#take(TokenType.Ident)) return true
    const token = this.#tokens[this.#at]
    if (token?.[0] !== TokenType.Function) return false
    this.#at += 1
    return OF_SELECTORS.test(token[4].value) ? this.#readList() : this.#readArguments()
  }

  #readList(): boolean {
    do {
      if (!this.readComplex()) return false
    } while (this.#take(TokenType.Comma))
    return this.#take(TokenType.CloseParen)
  }

  /** Any balanced tokens: `2n + 1`, `en`. */
  #readArguments(): boolean {
    const start = this.#at
    for (let depth = 1; !this.isAtEnd(); this.#at += 1) {
      if (this.#is(TokenType.Function)) depth += 1
      if (this.#is(TokenType.CloseParen)) depth -= 1
      if (depth === 0) return this.#at > start && this.#take(TokenType.CloseParen)
    }
    return false
  }

  #takeCombinator(): boolean {
    return ['>', '+', '~', '|'].some((sign) => this.#takeDelim(sign))
  }

  #skipSpaces(): boolean {
    const start = this.#at
    while (this.#take(TokenType.Whitespace));
    return this.#at > start
  }

  #isDelim(sign: string): boolean {
    return this.#is(TokenType.Delim) && this.#tokens[this.#at]?.[1] === sign
  }

  #takeDelim(sign: string): boolean {
    if (!this.#isDelim(sign)) return false
    this.#at += 1
    return true
  }

  #is(type: TokenType): boolean {
    return this.#tokens[this.#at]?.[0] === type
  }

  #take(type: TokenType): boolean {
    if (!this.#is(type)) return false
    this.#at += 1
    return true
  }
}
