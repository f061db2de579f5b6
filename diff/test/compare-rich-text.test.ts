import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TOOLS } from '../../cms/src/model/terms/rich-text-tools.ts'
import { richTextPolicy, sanitize } from '../../cms/src/model/values/clean-rich-text.ts'
import { plainText } from '../../cms/src/model/values/html-text.ts'
import { fuzzing } from '../../cms/test/sample.ts'
import type { DiffPart } from '../src/index.ts'
import { drawBy, drawEdits, drawText, writeHtml } from './rich-texts.ts'
import { compareRichText, isSameRichText } from './with-service.ts'

const STYLES = [{ tag: 'p', class: 'lead big' }, ...['h2', 'h3', 'div', 'pre', 'blockquote'].map((tag) => ({ tag }))]
const policy = richTextPolicy({ toolbar: TOOLS, styles: STYLES }, null)
const clean = (html: string) => sanitize(html, policy) ?? ''

/** The texts that a diff joins to, and whether anything shows. */
function resultOf(older: string, newer: string) {
  const { diff, formatChanges } = compareRichText(older, newer)
  const textWithout = (change: DiffPart['change']) =>
    (diff ?? []).flatMap((part) => (part.change === change ? [] : part.text)).join('')
  const shows = formatChanges.length > 0 || diff === null || diff.some(({ change }) => change !== 'same')
  return { older: textWithout('added'), newer: textWithout('removed'), shows }
}

function expectTrue(older: string, newer: string): void {
  expect(resultOf(older, newer), `${older}\n${newer}`).toEqual({
    older: plainText(older),
    newer: plainText(newer),
    shows: !isSameRichText(older, newer),
  })
}

describe('§2.5 a diff of rich texts joins to both plain texts, and is empty only when nothing has changed', () => {
  test('for edits as editors make them', () => {
    const seeds = fc.integer()
    fc.assert(
      fc.property(seeds, (drawn) => {
        const draw = drawBy(drawn)
        const text = drawText(draw)
        expectTrue(writeHtml(text), writeHtml(drawEdits(draw, text)))
      }),
      fuzzing(80),
    )
  })

  test('for edits inside of long texts', () => {
    fc.assert(
      fc.property(fc.integer(), (drawn) => {
        const draw = drawBy(drawn)
        const [before, text, after] = [0, 1, 2].map(() => [...drawText(draw), ...drawText(draw), ...drawText(draw)])
        const htmlOf = (middle: typeof text) => writeHtml([...(before ?? []), ...(middle ?? []), ...(after ?? [])])
        expectTrue(htmlOf(text), htmlOf(drawEdits(draw, text ?? [])))
      }),
      fuzzing(25),
    )
  })

  const TAGS =
    '<p> </p> <p> <p>class="lead"> <b> </b> <strong> </strong> <i> </i> <ul> <li> </li> </ul> <br> <hr> <pre> </pre>'
  const TOKENS = [
    ...TAGS.split(' '),
    ...'<table> <tr> <td> <td>colspan="2"> <th> <h2> </h2> </a> </span> </table> <div> </div> <figure>'.split(' '),
    ...[
      'a',
      'b',
      ' c',
      ' ',
      '\n',
      '&nbsp;',
      '&amp;',
      '東京は',
      'é',
      '\u0301',
      '\ud83d\ude00',
      '.',
      '"',
      'one ',
      'two ',
    ],
    ...['<a id="x"></a>', '<a href="#y">', '<a href="#z">', '<span style="color:#fff">', '<span id="q">'],
    ...['<img src="/x">', '<img src="/y" alt="q">', '<img src="/x" alt="q" width="3">', '<p style="text-align:right">'],
  ].map((token) => token.replace('>class', ' class').replace('>colspan', ' colspan'))
  const tokens = fc.array(fc.constantFrom(...TOKENS), { maxLength: 15 })

  test('for whatever passes the sanitiser', () => {
    fc.assert(
      fc.property(tokens, tokens, (one, other) => expectTrue(clean(one.join('')), clean(other.join('')))),
      fuzzing(500),
    )
  })

  test('for one token more or less', () => {
    fc.assert(
      fc.property(tokens, fc.nat(), fc.nat(1), fc.subarray(TOKENS, { maxLength: 1 }), (list, at, removed, added) => {
        const edited = list.toSpliced(at % (list.length + 1), removed, ...added)
        expectTrue(clean(list.join('')), clean(edited.join('')))
      }),
      fuzzing(800),
    )
  })
})

/** Of each pair both are as the sanitiser leaves them. */
const SEEN: readonly [string, string][] = [
  ['<p>a</p>', '<p class="lead">a</p>'],
  ['<p class="lead">a</p>', '<p class="big">a</p>'],
  ['<p>a</p>', '<div>a</div>'],
  ['<p>a</p>', '<blockquote><p>a</p></blockquote>'],
  ['<p>a</p>', '<p style="text-align:right">a</p>'],
  ['<p>a</p>', '<p><u>a</u></p>'],
  ['<p>a</p>', '<p><s>a</s></p>'],
  ['<p>a</p>', '<p><sup>a</sup></p>'],
  ['<p>a</p>', '<p><sub>a</sub></p>'],
  ['<p>a</p>', '<p><code>a</code></p>'],
  ['<p>a</p>', '<p><mark>a</mark></p>'],
  ['<p>a</p>', '<p><span style="color:#fff">a</span></p>'],
  ['<p>a</p>', '<p><span id="x">a</span></p>'],
  ['<p>a</p>', '<p><a id="x"></a>a</p>'],
  ['<p><a href="/x">a</a></p>', '<p><a href="/x" target="_blank">a</a></p>'],
  ['<p><a href="/x">a</a></p>', '<p><a href="/x" title="t">a</a></p>'],
  ['<p><a href="/x">a</a></p>', '<p><a href="/x" rel="nofollow">a</a></p>'],
  ['<p><a href="/x">a</a></p>', '<p><a href="/x" download="f">a</a></p>'],
  ['<p><a href="/x">ab</a></p>', '<p><a href="/x">a</a>b</p>'],
  ['<ol><li>a</li></ol>', '<ol start="3"><li>a</li></ol>'],
  ['<ol><li>a</li></ol>', '<ol reversed><li>a</li></ol>'],
  ['<ul><li>a</li><li>b</li></ul>', '<ul><li>a</li></ul><ul><li>b</li></ul>'],
  ['<table><tr><td>a</td></tr></table>', '<table><tr><th>a</th></tr></table>'],
  ['<table><tr><th>a</th></tr></table>', '<table><tr><th scope="row">a</th></tr></table>'],
  ['<table><tr><td>a</td></tr></table>', '<table><tr><td rowspan="2">a</td></tr></table>'],
  ['<table><tr><td>a</td></tr></table>', '<table><tr><td colwidth="90">a</td></tr></table>'],
  ['<table><tr><td>a</td></tr></table>', '<table><colgroup><col /></colgroup><tr><td>a</td></tr></table>'],
  ['<table><tr><td>a</td><td></td></tr></table>', '<table><tr><td></td><td>a</td></tr></table>'],
  ['<table><tr><td>a</td><td></td></tr></table>', '<table><tr><td>a</td><td colspan="2"></td></tr></table>'],
  ['<p>a</p><img src="/x" />', '<p>a</p><img src="/x" width="9" />'],
  ['<p>a</p><img src="/x" />', '<p>a</p><figure><img src="/x" /></figure>'],
  ['<img src="/x" /><p>a</p>', '<p>a</p><img src="/x" />'],
  ['<p>a</p><hr />', '<hr /><p>a</p>'],
  ['<p>a</p><hr />', '<p>a</p><blockquote><hr /></blockquote>'],
  ['<p>a b</p>', '<p>a\u00a0b</p>'],
  ['<pre>a b</pre>', '<pre>a  b</pre>'],
  ['<p>a</p><p>b</p>', '<p>a</p><p></p><p>b</p>'],
  ['<p>a<br />b</p>', '<p>a<br /><br />b</p>'],
  ['<p></p>', '<p><br /></p>'],
  ['', '<hr />'],
]
/** Differences that nobody sees. */
const UNSEEN: readonly [string, string][] = [
  ['<p>a &amp; b</p>', '<p>a &#38; b</p>'],
  ['<p>“a”</p>', '<p>&ldquo;a&rdquo;</p>'],
  ['<p><a href="/x" title="t">a</a></p>', "<p><a title='t' href=/x>a</a></p>"],
  ['<p><b>a</b></p>', '<p><strong>a</strong></p>'],
  ['<p><i>a</i></p>', '<p><em>a</em></p>'],
  ['<p><b><i>a</i></b></p>', '<p><i><b>a</b></i></p>'],
  ['<p><b>a b</b></p>', '<p><b>a</b> <b>b</b></p>'],
  ['<p><b>a </b>b</p>', '<p><b>a</b> b</p>'],
  ['<p>a</p><p>b</p>', '<p>a</p>\n<p>b</p>'],
  ['<p>a  b</p>', '<p>a b</p>'],
  ['<p>a<b></b></p>', '<p>a</p>'],
  ['<table><tr><td>a</td></tr></table>', '<table><tr><td colspan="1">a</td></tr></table>'],
  ['<p>a<br></p>', '<p>a<br /></p>'],
]

describe('§2.5 every difference shows that a reader could see', () => {
  test.each(SEEN)('%s → %s', (older, newer) => {
    expect([clean(older), clean(newer)]).toEqual([older, newer])
    expect(resultOf(older, newer).shows).toBe(true)
    expect(resultOf(newer, older).shows).toBe(true)
    expect(isSameRichText(older, newer)).toBe(false)
  })

  test.each(UNSEEN)('and no other: %s → %s', (older, newer) => {
    expect(compareRichText(older, newer).formatChanges).toEqual([])
    expect(resultOf(older, newer).shows).toBe(false)
    expect(isSameRichText(older, newer)).toBe(true)
  })
})

describe('§2.5 texts that differ too much to be compared by words', () => {
  const wordsOf = (order: readonly number[]) => order.map((number) => `word${number}`).join(' ')
  const order = Array.from({ length: 6000 }, (_, index) => index)
  const longOf = (numbers: readonly number[]) => `<p>${wordsOf(numbers)}</p>`

  test('have no diff; kinds of blocks, bold and italic are listed as format changes', () => {
    const older = `<h2>Title</h2><p>One <i>two</i> three</p>${longOf(order)}<p><a href="/a">link</a></p>`
    const newer = `<h3>Title</h3><p>One <b>two</b> three</p>${longOf(order.toReversed())}<p><a href="/b">link</a></p>`
    const { diff, formatChanges } = compareRichText(older, newer)
    expect(diff).toBe(null)
    const listed = formatChanges.map(({ change, type, text, old, new: now }) => [
      change,
      type,
      text,
      old?.text,
      now?.text,
    ])
    expect(listed).toEqual([
      ['block', 'modified', 'Title', 'Heading 2', 'Heading 3'],
      ['mark', 'modified', 'two', 'Italic', 'Bold'],
      ['link', 'modified', 'link', '/a', '/b'],
    ])
  })

  test('are those whose common words are in another order, not those that are long', () => {
    const text = longOf(order)
    expect(compareRichText(text, longOf(order.toSpliced(3000, 5)))).not.toMatchObject({ diff: null })
    expect(compareRichText(text, text.replaceAll('word', 'term'))).not.toMatchObject({ diff: null })
    expect(compareRichText(text, longOf(order.toReversed()))).toMatchObject({ diff: null })
    expect(compareRichText(text.repeat(20), longOf(order.toReversed()).repeat(20))).toMatchObject({ diff: null })
  })

  test('a small edit of a very long text is compared all the same', () => {
    const blocks = Array.from({ length: 30_000 }, (_, index) => `<p>Paragraph number ${index}.</p>`)
    const edited = blocks.with(15_000, '<p>Paragraph <b>number</b> fifteen thousand.</p>')
    const { diff } = compareRichText(blocks.join(''), edited.join(''))
    expect(diff?.filter(({ change }) => change !== 'same').map(({ text }) => text)).toEqual([
      'number 15000',
      'number fifteen thousand',
    ])
  })
})
