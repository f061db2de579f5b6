/** The place of a value in a template, which decides how it is written. */
export type HtmlContext =
  | 'text'
  | 'attribute'
  /** The whole of a URL, or its beginning: its scheme is looked at. */
  | 'url'
  /** Behind a value that may be a scheme's beginning: must not complete one. */
  | 'urlRest'
  | 'srcset'
  /** A value of a declaration in an inline style. */
  | 'css'
  /** Whole declarations of an inline style. */
  | 'style'
  /** HTML as the value of an attribute (`srcdoc`). */
  | 'markup'
  /** Among the attributes of an element. */
  | 'attributes'
  /** Inside `<script>`, `<style>` or a comment, where nothing can be escaped. */
  | 'raw'

/** The attributes that hold a URL. */
export const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src action formaction poster cite data background ping manifest longdesc xlink:href'.split(' '),
)

/** Elements whose content is not parsed as HTML. */
const RAW_ELEMENTS = new Set(['script', 'style'])

/** The places of the values of a template. Throws where no value may stand, saying what to write instead. */
export function contextsOf(strings: readonly string[]): HtmlContext[] {
  const scanner = new Scanner()
  const contexts = strings.slice(0, -1).map((text) => {
    scanner.read(text)
    return scanner.value()
  })
  scanner.read(strings.at(-1) ?? '')
  scanner.end()
  return contexts
}

type State = 'text' | 'name' | 'attributes' | 'attribute' | 'equals' | 'double' | 'single' | 'raw' | 'comment'

/** Reads a template as browsers do, as far as is needed to know where its values stand. */
class Scanner {
  #state: State = 'text'
  #element = ''
  #attribute = ''
  /** The value of the attribute so far; what was put in is a space character that no text holds. */
  #written = ''
  #read = ''

  /** Reads what the template itself says up to the next value. */
  read(text: string): void {
    this.#read += text
    for (let at = 0; at < text.length; ) at += this.#step(text, at)
  }

  /** Reads one piece of text, and says how long it is. */
  #step(text: string, at: number): number {
    const rest = text.slice(at)
    switch (this.#state) {
      case 'text':
        return this.#inText(rest)
      case 'comment':
        return this.#skipTo(rest, '-->', 'text')
      case 'raw':
        return this.#inRawElement(rest)
      case 'name':
        return this.#inName(rest)
      case 'double':
        return this.#inValue(rest, '"')
      case 'single':
        return this.#inValue(rest, "'")
      default:
        return this.#inTag(rest)
    }
  }

  #inText(rest: string): number {
    if (rest.startsWith('<!--')) return this.#enter('comment', 4)
    const [opening] = /^<\/?[a-z]/i.exec(rest) ?? []
    if (opening !== undefined) {
      this.#element = ''
      return this.#enter('name', opening.length - 1)
    }
    if (rest === '<' || rest === '</') throw this.#mistake('The name of an element cannot be a value.')
    const next = rest.indexOf('<', 1)
    return next < 0 ? rest.length : next
  }

  #inName(rest: string): number {
    const [name = ''] = /^[^\s/>]+/.exec(rest) ?? []
    if (name === '') return this.#enter('attributes', 0)
    this.#element += name.toLowerCase()
    return name.length
  }

  #inTag(rest: string): number {
    const [first = ''] = rest
    if (first === '>') return this.#closeTag()
    if (this.#state === 'equals') {
      if (/\s/.test(first)) return 1
      this.#written = ''
      if (first === '"') return this.#enter('double', 1)
      if (first === "'") return this.#enter('single', 1)
      const [value = first] = /^[^\s>]+/.exec(rest) ?? []
      return this.#enter('attributes', value.length)
    }
    if (first === '=' && this.#attribute !== '') return this.#enter('equals', 1)
    if (/[\s/]/.test(first)) return this.#enter('attributes', 1)
    const [name = first] = /^[^\s/>=]+/.exec(rest) ?? []
    this.#attribute = name.toLowerCase()
    return this.#enter('attribute', name.length)
  }

  #closeTag(): number {
    const isRaw = RAW_ELEMENTS.has(this.#element)
    this.#attribute = ''
    return this.#enter(isRaw ? 'raw' : 'text', 1)
  }

  #inValue(rest: string, quote: string): number {
    const end = rest.indexOf(quote)
    const text = end < 0 ? rest : rest.slice(0, end)
    if (this.#written.includes(VALUE) && isUrl(this.#attribute) && !/[/?#]/.test(this.#written)) {
      if (/^[^/?#]*:/.test(text)) throw this.#mistake('The scheme of a URL cannot be a value.')
    }
    this.#written += text
    if (end < 0) return rest.length
    this.#attribute = ''
    return this.#enter('attributes', end + 1)
  }

  #inRawElement(rest: string): number {
    const closing = new RegExp(`</${this.#element}(?=[\\s/>])`, 'i').exec(rest)
    if (closing === null) return rest.length
    this.#element = `/${this.#element}`
    return this.#enter('attributes', closing.index + closing[0].length)
  }

  #skipTo(rest: string, end: string, next: State): number {
    const at = rest.indexOf(end)
    return at < 0 ? rest.length : this.#enter(next, at + end.length)
  }

  #enter(state: State, length: number): number {
    this.#state = state
    return length
  }

  /** The place of the next value. */
  value(): HtmlContext {
    switch (this.#state) {
      case 'text':
        return 'text'
      case 'raw':
      case 'comment':
        return 'raw'
      case 'attributes':
        // A name that follows must not go on where the value ends.
        this.#attribute = ''
        if (/[^\s"'>/]$/.test(this.#read)) throw this.#mistake('Quote the values of attributes.')
        return 'attributes'
      case 'double':
      case 'single':
        return this.#inAttribute()
      case 'equals':
        throw this.#mistake(`Quote the value of the attribute: ${this.#attribute}="\${…}".`)
      case 'attribute':
        throw this.#mistake('The name of an attribute cannot be a value; use attributes({ name: value }).')
      case 'name':
        this.#state = 'attributes'
        return 'attributes'
    }
  }

  #inAttribute(): HtmlContext {
    const name = this.#attribute
    const before = this.#written
    this.#written += VALUE
    if (/^on/.test(name)) throw this.#mistake(`A value cannot become code ("${name}"). Use a data attribute.`)
    if (name === 'style') return /:[^;]*$/.test(before) ? 'css' : 'style'
    if (name === 'srcdoc') return 'markup'
    if (name === 'srcset' || name === 'imagesrcset') return 'srcset'
    if (!isUrl(name)) return 'attribute'
    if (/^\s*(?:javascript|data|vbscript):/i.test(before)) {
      throw this.#mistake(`A URL of this scheme cannot hold a value ("${name}").`)
    }
    if (/[/?#:]/.test(before)) return 'attribute'
    return before.includes(VALUE) ? 'urlRest' : 'url'
  }

  /** Throws where the template ends inside of a tag, a comment, a script or a style. */
  end(): void {
    if (this.#state !== 'text') throw this.#mistake('Here the template ends, inside of a tag, a comment or a script.')
  }

  #mistake(message: string): Error {
    return new TypeError(`In a template of html, after "${this.#read.trim().slice(-80)}": ${message}`)
  }
}

/** Stands for a value inside an attribute. */
const VALUE = '\u0000'

function isUrl(attribute: string): boolean {
  return URL_ATTRIBUTES.has(attribute)
}
