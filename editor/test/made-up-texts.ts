import type { RichTextPolicy } from '../../cms/src/model/values/clean-rich-text.ts'

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const INLINE = ['strong', 'b', 'em', 'i', 'u', 's', 'del', 'strike', 'sup', 'sub', 'mark', 'code', 'span', 'a']
const WORDS = ['Ink', 'is', 'slow', ' & ', ' ', '  ', '\n', ' \n\t', '\u00a0', '<', '"', 'für', '風', '😀', '.', '']
const GAPS = ['', '', '', '\n', '\n  ', ' ']
const VALUES: Readonly<Record<string, readonly string[]>> = {
  href: ['/a?b=1&c=2', 'https://example.org/', '#apostrophe-permalink-abc123?updateTitle=1', 'mailto:a@b.test', '#top'],
  target: ['_blank'],
  rel: ['noopener', 'nofollow noreferrer'],
  title: ['A "title"', 'x > y'],
  id: ['top', 'end'],
  name: ['old'],
  download: ['', 'file.pdf'],
  style: ['text-align:center', 'color:#fff', 'text-align:right;color:rgb(1, 2, 3)'],
  start: ['3', '0'],
  reversed: [''],
  src: ['/api/v1/@apostrophecms/image/abc/src', 'picture.png'],
  alt: ['', 'A boat'],
  width: ['20'],
  height: ['10'],
  colspan: ['1', '1', '01'],
  rowspan: ['1'],
  colwidth: ['120'],
  scope: ['row', 'col'],
  class: ['lead', 'lead big', 'note'],
}

/** Makes up texts, some of them odd, of the elements that a policy lets through. */
export class TextMaker {
  readonly #random: () => number
  readonly #policy: RichTextPolicy

  constructor(policy: RichTextPolicy, random: () => number) {
    this.#policy = policy
    this.#random = random
  }

  text(): string {
    return this.#times(5, () => this.#pick(GAPS) + this.#block(3)).join('')
  }

  #block(depth: number): string {
    const kinds: readonly (() => string)[] = [
      () => this.#paragraph(depth),
      () => this.#paragraph(depth),
      () => this.#inline(depth),
      () => this.#list(depth),
      () => this.#element(this.#pick(['blockquote', 'div']), this.#content(depth - 1)),
      () => this.#element('pre', this.#inline(depth)),
      () =>
        this.#element('figure', this.#pick(GAPS) + this.#empty('img') + this.#element('figcaption', this.#inline(1))),
      () => this.#table(depth),
      () => this.#empty('hr'),
      () => this.#odd(depth),
    ]
    return depth <= 0 ? this.#inline(1) : this.#pick(kinds)()
  }

  #content(depth: number): string {
    return this.#pick([
      () => this.#inline(depth),
      () => this.#times(3, () => this.#pick(GAPS) + this.#block(depth)).join(''),
    ])()
  }

  #paragraph(depth: number): string {
    return this.#element(this.#pick(['p', 'p', 'h2', 'h3', 'h4', 'div']), this.#inline(depth))
  }

  #list(depth: number): string {
    const items = this.#times(3, () => this.#pick(GAPS) + this.#element('li', this.#content(depth - 1)))
    return this.#element(this.#pick(['ul', 'ol']), items.join('') + this.#pick(GAPS))
  }

  #table(depth: number): string {
    const columns = 1 + Math.floor(this.#random() * 3)
    const row = () => {
      const cells = Array.from({ length: columns }, () =>
        this.#element(this.#pick(['td', 'th']), this.#content(depth - 2)),
      )
      return this.#pick(GAPS) + this.#element('tr', cells.join(this.#pick(GAPS)))
    }
    const section = (tag: string) => this.#element(tag, this.#times(2, row).join('') + this.#pick(GAPS))
    const head = this.#pick(['', this.#element('caption', this.#inline(1)), '<colgroup><col /><col /></colgroup>'])
    return this.#element('table', head + this.#pick([() => row(), () => section('thead') + section('tbody')])())
  }

  /** What nobody writes, but the service keeps. */
  #odd(depth: number): string {
    return this.#pick([
      () => `<p>${this.#inline(1)}${this.#list(1)}</p>`,
      () => `<b>${this.#block(depth - 1)}</b>`,
      () => `<a href="/x">${this.#block(depth - 1)}</a>`,
      () => `<ul>words<li>${this.#inline(1)}</li><ul><li>x</li></ul></ul>`,
      () => '<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>',
      () => '<table>words<tbody></tbody></table>',
      () => '<li>alone</li>',
      () => '<!-- a remark --><p></p><p>&nbsp;</p>',
      () => '<p>a<hr>b</p>',
      () => '<td>alone</td><figcaption>alone</figcaption>',
    ])()
  }

  #inline(depth: number): string {
    return this.#times(4, () =>
      this.#pick([() => this.#words(), () => this.#words(), () => this.#inlineElement(depth)])(),
    ).join('')
  }

  #inlineElement(depth: number): string {
    if (depth <= 0) return this.#words()
    const tag = this.#pick([...INLINE, ...INLINE, 'br', 'img'])
    return tag === 'br' || tag === 'img' ? this.#empty(tag) : this.#element(tag, this.#inline(depth - 1))
  }

  #words(): string {
    return this.#times(4, () => this.#pick(WORDS))
      .join('')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
  }

  #element(tag: string, inner: string): string {
    return `${this.#opening(tag)}${inner}</${tag}>`
  }

  #empty(tag: string): string {
    return this.#opening(tag)
  }

  #opening(tag: string): string {
    const classes = this.#policy.allowedClasses[tag] ? ['class'] : []
    const names = [...(this.#policy.allowedAttributes[tag] ?? []), ...classes].filter(() => this.#random() < 0.4)
    const written = [...new Set(names)].map(
      (name) => ` ${name}="${this.#pick(VALUES[name] ?? ['1']).replaceAll('"', '&quot;')}"`,
    )
    return `<${tag}${written.join('')}>`
  }

  #times<T>(most: number, make: () => T): readonly T[] {
    return Array.from({ length: 1 + Math.floor(this.#random() * most) }, make)
  }

  #pick<T>(items: readonly T[]): T {
    const found = items[Math.floor(this.#random() * items.length)]
    if (found === undefined) throw new Error('There is nothing to choose from.')
    return found
  }
}
