import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../cms/src/model/values/html-text.ts'
import { fuzzing } from '../../cms/test/sample.ts'
import { drawBy, drawEdits, drawText, writeHtml } from './rich-texts.ts'
import { markRichText } from './with-service.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Parent = DefaultTreeAdapterTypes.ParentNode
type Element = DefaultTreeAdapterTypes.Element

/** The marks in short: what was added in braces, what was removed in brackets. */
function marked(older: string, newer: string): string {
  return markRichText(older, newer)
    .replaceAll('<ins data-version-change="added">', '{')
    .replaceAll('</ins>', '}')
    .replaceAll('<del data-version-change="removed">', '[')
    .replaceAll('</del>', ']')
}

const EDITS: readonly (readonly [what: string, older: string, newer: string, marked: string])[] = [
  ['a word replaced', '<p>The quick fox</p>', '<p>The slow fox</p>', '<p>The [quick]{slow} fox</p>'],
  ['words added', '<p>A fox</p>', '<p>A fox jumps</p>', '<p>A fox{ jumps}</p>'],
  [
    'a sentence moved',
    '<p>We met. It rained. We left.</p>',
    '<p>It rained. We met. We left.</p>',
    '<p>[We met. ]It rained. {We met. }We left.</p>',
  ],
  [
    'a paragraph deleted',
    '<p>One</p><p>Two</p><p>Three</p>',
    '<p>One</p><p>Three</p>',
    '<p>One</p><p>[Two]</p><p>Three</p>',
  ],
  [
    'a paragraph rewritten',
    '<p>Open from nine to five.</p>',
    '<p>See the notice outside!</p>',
    '<p>[Open from nine to five.]</p><p>{See the notice outside!}</p>',
  ],
  [
    'a paragraph split',
    '<p>This is one. That is two.</p>',
    '<p>This is one.</p><p>That is two.</p>',
    '<p>This is [one. That]{one.}</p><p>{That} is two.</p>',
  ],
  [
    'paragraphs merged',
    '<p>This is one.</p><p>That is two.</p>',
    '<p>This is one. That is two.</p>',
    '<p>This is [one. That]{one. That} is two.</p>',
  ],
  [
    'a quotation split evenly in two: it stays where its first words are',
    '<blockquote><p>gone</p><p>one two six ten</p></blockquote>',
    '<blockquote><p>one two</p></blockquote><blockquote><p>six ten</p></blockquote>',
    '<blockquote><p>[gone]</p><p>one [two six]{two}</p></blockquote><blockquote><p>{six} ten</p></blockquote>',
  ],
  [
    'a row split evenly in two: it stays where its first words are',
    '<table><tbody><tr><td>gone</td><td>one two six ten</td></tr></tbody></table>',
    '<table><tbody><tr><td>one two</td></tr><tr><td>six ten</td></tr></tbody></table>',
    '<table><tbody><tr><td>[gone]</td><td>one [two six]{two}</td></tr><tr><td>{six} ten</td></tr></tbody></table>',
  ],
  ['a heading level', '<h2>News</h2><p>x</p>', '<h3>News</h3><p>x</p>', '<h2>[News]</h2><h3>{News}</h3><p>x</p>'],
  [
    'a word made bold',
    '<p>a big cat</p>',
    '<p>a <strong>big</strong> cat</p>',
    '<p>a [big]<strong>{big}</strong> cat</p>',
  ],
  [
    'a word no longer bold',
    '<p>a <strong>big</strong> cat</p>',
    '<p>a big cat</p>',
    '<p>a <strong>[big]</strong>{big} cat</p>',
  ],
  [
    'a link added',
    '<p>Read the story.</p>',
    '<p>Read <a href="/x">the story</a>.</p>',
    '<p>Read <a href="/x">the story</a>.</p>',
  ],
  [
    'words in a link',
    '<p><a href="/x">a whole story</a></p>',
    '<p><a href="/y">a full story</a></p>',
    '<p><a href="/y">a [whole]{full} story</a></p>',
  ],
  [
    'a list item deleted',
    '<ul><li>a</li><li>b c</li><li>d</li></ul>',
    '<ul><li>a</li><li>d</li></ul>',
    '<ul><li>a</li><li>[b c]</li><li>d</li></ul>',
  ],
  ['a list deleted', '<p>a</p><ul><li>b</li><li>c</li></ul>', '<p>a</p>', '<p>a</p><ul><li>[b]</li><li>[c]</li></ul>'],
  [
    'a numbered list',
    '<ul><li>a b</li><li>c</li><li>d e</li></ul>',
    '<ol><li>a b</li><li>d f</li></ol>',
    '<ol><li>a b</li><li>[c]</li><li>d [e]{f}</li></ol>',
  ],
  [
    'a table row deleted',
    '<table><tbody><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td><td>1</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td><td>1</td></tr><tr><td>[b]</td><td>[2]</td></tr></tbody></table>',
  ],
  [
    'a table cell',
    '<table><tbody><tr><td>a</td><td>1</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td><td>2</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td><td>[1]{2}</td></tr></tbody></table>',
  ],
  [
    'an image',
    '<p>Picture of today <img src="/a.png" alt="" /></p>',
    '<p>Picture of today <img src="/b.png" alt="" /></p>',
    '<p>Picture of today [<img src="/a.png" alt="" />]{<img src="/b.png" alt="" />}</p>',
  ],
  [
    'what tells of an image',
    '<p>a <img src="/a.png" alt="" /></p>',
    '<p>a <img src="/a.png" alt="x" /></p>',
    '<p>a <img src="/a.png" alt="x" /></p>',
  ],
  [
    'an anchor, deleted with its words',
    '<p>a</p><p><span id="x">b</span></p>',
    '<p>a</p>',
    '<p>a</p><p><span>[b]</span></p>',
  ],
  ['everything', '<p>a</p>', '', '<p>[a]</p>'],
  [
    'Japanese',
    '<p>今日は天気がいいです。</p>',
    '<p>今日は天気が悪いです。</p>',
    '<p>今日は天気が[いい]{悪い}です。</p>',
  ],
  ['Arabic', '<p>مرحبا بالعالم</p>', '<p>مرحبا بكم</p>', '<p>مرحبا [بالعالم]{بكم}</p>'],
  ['special characters', '<p>a &lt;b&gt; &amp; c</p>', '<p>a &lt;i&gt; &amp; c</p>', '<p>a &lt;[b]{i}&gt; &amp; c</p>'],
  [
    'what is not allowed',
    '<p>a<script>x</script></p>',
    '<p onclick="x">b<iframe src="/y"></iframe></p>',
    '<p>[a]</p><p>{b}</p>',
  ],
  [
    'a link in a link',
    '<p><a href="/x">a <b><a href="/y">b</a> c</b></a></p>',
    '<p><a href="/x">a <b><a href="/y">d</a> c</b></a></p>',
    '<p><a href="/x">a <b>[b]{d} c</b></a></p>',
  ],
  ['text that was crossed out', '<p><s>a b</s></p>', '<p><s>a c</s></p>', '<p><s>a [b]{c}</s></p>'],
]

const isElement = (node: Node): node is Element => defaultTreeAdapter.isElementNode(node)
const isMark = (node: Node): node is Element =>
  isElement(node) && node.attrs.some(({ name }) => name === 'data-version-change')
const childrenOf = (node: Node): Node[] => (isElement(node) ? node.childNodes : [])

function descendants(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => [child, ...descendants(child)])
}

/** The text of the HTML without one kind of marks. */
function without(change: 'ins' | 'del', html: string): string {
  const root = parseFragment(html)
  for (const mark of root.childNodes.flatMap((node) => [node, ...descendants(node)])) {
    if (isMark(mark) && mark.tagName === change) defaultTreeAdapter.detachNode(mark)
  }
  return plainText(serialize(root))
}

/** The markup without what was removed and without marks; elements that hold nothing are left out. */
function newerMarkup(html: string): string {
  const root = parseFragment(html)
  for (const child of [...root.childNodes]) unmark(child)
  return serialize(root)
}

function unmark(node: Node): void {
  const isRemoved = isMark(node) && isElement(node) && node.tagName === 'del'
  for (const child of [...childrenOf(node)]) {
    unmark(child)
    if (isMark(node) && !isRemoved) defaultTreeAdapter.insertBefore(node.parentNode as Parent, child, node)
  }
  if (isMark(node) || (isElement(node) && childrenOf(node).length === 0 && !/^(?:br|img|hr)$/.test(node.tagName)))
    defaultTreeAdapter.detachNode(node)
}

/** Whether two texts are the same; the end of a block may be a space in the other one, or nothing. */
function isSameText(one: string, other: string): boolean {
  let [at, otherAt] = [0, 0]
  while (at < one.length || otherAt < other.length) {
    const [character, otherCharacter] = [one[at], other[otherAt]]
    if (character === otherCharacter) [at, otherAt] = [at + 1, otherAt + 1]
    else if (character === '\n') [at, otherAt] = [at + 1, otherAt + (otherCharacter === ' ' ? 1 : 0)]
    else if (otherCharacter === '\n') [at, otherAt] = [at + (character === ' ' ? 1 : 0), otherAt + 1]
    else return false
  }
  return true
}

const parsed = (html: string) => serialize(parseFragment(html))

function expectWellMarked(older: string, newer: string): void {
  const html = markRichText(older, newer)
  expect(html.replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;')).toBe(parsed(html))
  const marks = parseFragment(html)
    .childNodes.flatMap((node) => [node, ...descendants(node)])
    .filter(isMark)
  for (const mark of marks) {
    const inside = descendants(mark).filter(isElement)
    expect(inside.filter(({ tagName }) => tagName !== 'br' && tagName !== 'img')).toEqual([])
    expect(isElement(mark.parentNode as Node) ? (mark.parentNode as Element).tagName : 'p').not.toMatch(
      /^(?:ul|ol|table|tbody|thead|tr|ins)$/,
    )
  }
  expect([without('del', html), newer]).toSatisfy(([text]) => isSameText(text, plainText(newer)))
  expect([without('ins', html), older]).toSatisfy(([text]) => isSameText(text, plainText(older)))
  expect(newerMarkup(html)).toBe(newerMarkup(newer))
}

describe('marked rich text', () => {
  test.each(EDITS)('§4.4 annotate: %s', (_what, older, newer, expected) => {
    expect(marked(older, newer)).toBe(expected)
  })

  test('§4.4 annotate: tags of deleted words are repeated only so often', () => {
    const words = Array.from({ length: 2000 }, (_, index) => `w${index}`)
    const link = `<a href="/${'x'.repeat(5000)}">`
    const older = `<p>${link}${words.join(' ')}</a></p>`
    const newer = `<p>${words.map((word, index) => (index % 2 ? word : `v${index}`)).join(' ')}</p>`
    expectWellMarked(older, newer)
    expect(markRichText(older, newer).length).toBeLessThan(20 * (older.length + newer.length))
  })

  test('§4.4 annotate: text that differs too much is replaced as a whole', () => {
    const text = (letter: string) => `<p>${Array.from({ length: 30_000 }, (_, i) => `${letter}${i % 9}`).join(' ')}</p>`
    expect(marked(text('a'), text('b'))).toMatch(/^<p>\[[^\]]*\]<\/p><p>\{[^}]*\}<\/p>$/)
  })

  test('§4.4 annotate: whatever was edited, the marked text is valid HTML and holds both texts', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawBy(seed)
        const text = drawText(draw)
        expectWellMarked(writeHtml(text), writeHtml(drawEdits(draw, text)))
      }),
      fuzzing(300),
    )
  })

  test('§4.4 annotate: texts that have little in common', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawBy(seed)
        expectWellMarked(writeHtml(drawText(draw)), writeHtml(drawText(draw)))
      }),
      fuzzing(150),
    )
  })

  test('§4.4 annotate: no text is lost of what browsers would repair', () => {
    const tags = 'p h2 ul li table tr td b a span figure pre blockquote script'.split(' ')
    const piece = fc.oneof(
      fc.constantFrom(
        'one ',
        'two ',
        'three, ',
        '&lt;',
        '&',
        '"',
        '<br>',
        '<img src="/a.png">',
        '<hr>',
        '<!-- x -->',
        '<',
      ),
      fc.constantFrom(...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`])),
    )
    const soup = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    const marks = (name: 'ins' | 'del') => new RegExp(`<${name} data-version-change="[^"]*">.*?</${name}>`, 'gs')
    fc.assert(
      fc.property(soup, soup, (older, newer) => {
        const html = markRichText(older, newer)
        const textOf = (text: string) => plainText(text).replace(/\s+/g, '')
        expect(textOf(html.replace(marks('del'), ''))).toBe(textOf(markRichText(newer, newer)))
        expect(textOf(html.replace(marks('ins'), ''))).toBe(textOf(markRichText(older, older)))
      }),
      fuzzing(300),
    )
  })

  test('§4.4 annotate: a text that was not changed is not marked', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const html = writeHtml(drawText(drawBy(seed)))
        expect(markRichText(html, html)).toBe(html)
      }),
      fuzzing(50),
    )
  })
})

const IMAGE = '<img src="/a.png" alt="" />'
/** Blocks belong together when they have two fifths of the letters of the shorter one in common. */
const IN_COMMON: readonly (readonly [what: string, older: string, newer: string, marked: string])[] = [
  ['4 letters of 10', 'abcd uuuuuu', 'abcd vvvvvv', '<p>abcd [uuuuuu]{vvvvvv}</p>'],
  ['4 of 11', 'abcd uuuuuuu', 'abcd vvvvvvv', '<p>[abcd uuuuuuu]</p><p>{abcd vvvvvvv}</p>'],
  ['4 of 10, where the older one is longer', 'abcd uuuuuuu', 'abcd vvvvvv', '<p>abcd [uuuuuuu]{vvvvvv}</p>'],
  ['4 of 10, where the newer one is longer', 'abcd uuuuuu', 'abcd vvvvvvv', '<p>abcd [uuuuuu]{vvvvvvv}</p>'],
  [
    '40 of 101',
    `${'a'.repeat(40)} ${'u'.repeat(61)}`,
    `${'a'.repeat(40)} ${'v'.repeat(61)}`,
    `<p>[${'a'.repeat(40)} ${'u'.repeat(61)}]</p><p>{${'a'.repeat(40)} ${'v'.repeat(61)}}</p>`,
  ],
  [
    'an image, which counts as 8, of 20',
    `${IMAGE} uuuuuuuuuuuu`,
    `${IMAGE} vvvvvvvvvvvv`,
    `<p>${IMAGE} [uuuuuuuuuuuu]{vvvvvvvvvvvv}</p>`,
  ],
  [
    'an image of 21',
    `${IMAGE} uuuuuuuuuuuuu`,
    `${IMAGE} vvvvvvvvvvvvv`,
    `<p>[${IMAGE} uuuuuuuuuuuuu]</p><p>{${IMAGE} vvvvvvvvvvvvv}</p>`,
  ],
  [
    'marks, which count nothing',
    'abcd,,, uuuuuuu',
    'abcd,,, vvvvvvv',
    '<p>[abcd,,, uuuuuuu]</p><p>{abcd,,, vvvvvvv}</p>',
  ],
  ['marks alone', '...', '... ,', '<p>...{ ,}</p>'],
  ['marks, where only one has letters', '...', '..., a', '<p>[...]</p><p>{..., a}</p>'],
]

test.each(IN_COMMON)('§4.4 annotate: blocks that have in common %s', (_what, older, newer, expected) => {
  expect(marked(`<p>${older}</p>`, `<p>${newer}</p>`)).toBe(expected)
})

/** Where removed words stand: behind the word that they followed, or before the first one that is left, before what is new. */
const PLACES: readonly (readonly [older: string, newer: string, marked: string])[] = [
  ['<p>uuu abcdef</p>', '<p>vvv abcdef</p>', '<p>[uuu]{vvv} abcdef</p>'],
  ['<p>uuu abcdef</p><p>sss ghijkl</p>', '<p>abcdef ghijkl</p>', '<p>[uuu ]abcdef[sss] ghijkl</p>'],
  ['<p>abcdef uuu</p><p>sss ghijkl</p>', '<p>abcdef ghijkl</p>', '<p>abcdef [uuu sss ]ghijkl</p>'],
  ['<p>abcdef uuu</p><p>sss ghijkl</p>', '<p>abcdef vvv ghijkl</p>', '<p>abcdef [uuu sss]{vvv} ghijkl</p>'],
  [
    '<p>abcdef ghijkl mnopqr</p>',
    '<p>abcdef</p><p>ghijkl mnopqr</p>',
    '<p>{abcdef}</p><p>[abcdef ghijkl]{ghijkl} mnopqr</p>',
  ],
  ['<p>abcdef</p><p>uuu</p><p>ghijkl</p>', '<p>abcdef ghijkl</p>', '<p>abcdef{ ghijkl}</p><p>[uuu]</p><p>[ghijkl]</p>'],
]

test.each(PLACES)('§4.4 annotate: %s becomes %s', (older, newer, expected) => {
  expect(marked(older, newer)).toBe(expected)
})

describe('§4.4 annotate: of long texts', () => {
  const paragraphs = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => `<p>${word} ${index} of a long text</p>`)

  test('the blocks that changed are marked', () => {
    const [older, newer] = [paragraphs(4_000, 'Part'), paragraphs(4_000, 'Part')]
    newer[2_000] = '<p>Part 2000 of a short text</p>'
    const expected = newer.with(2_000, '<p>Part 2000 of a [long]{short} text</p>')
    expect(marked(older.join(''), newer.join('')) === expected.join('')).toBe(true)
  })

  test('the part that differs too much is replaced as a whole', () => {
    const rest = paragraphs(1_000, 'Other')
    const part = (word: string) => paragraphs(3_000, word).map((one) => one.replace('<p>', `<p><a id="${word}"></a>`))
    const whole = (part: readonly string[]) => [...rest, ...part, '<hr /><img src="/a" />', ...rest].join('')
    const found = marked(whole(part('Part')), whole(part('Chapter')))
    expect(found.startsWith(rest.slice(0, 900).join(''))).toBe(true)
    expect(found.endsWith(rest.slice(100).join(''))).toBe(true)
    expect(found).toContain('<p><a></a>[Part 0 of a long text]</p><p><a></a>[Part 1 ')
    expect(found).toContain('<p><a id="Chapter"></a>{Chapter 0 of a long text}</p><p><a id="Chapter"></a>{Chapter 1 ')
    expect(found.match(/\[<img src="\/a" \/>\]/g)).toHaveLength(1)
    expect(found.match(/<hr \/>/g)).toHaveLength(1)
    expect(found.match(/\{<img src="\/a" \/>\}/g)).toHaveLength(1)
  })
})
