import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../cms/src/model/values/html-text.ts'
import { fuzzing } from '../../cms/test/sample.ts'
import type { DiffPart } from '../src/index.ts'
import { drawBy } from './rich-texts.ts'
import { compareRichText, isSameRichText } from './with-service.ts'

/** Paragraphs of some forty words, none like another. */
function paragraphsOf(count: number): string[] {
  const draw = drawBy(count)
  return Array.from({ length: count }, (_, index) => {
    return `Number ${index}: ${Array.from({ length: 40 }, () => `word${draw(5000)}`).join(' ')}.`
  })
}

const inParagraphs = (texts: readonly string[]) => texts.map((text) => `<p>${text}</p>`).join('')
const inOneParagraph = (texts: readonly string[]) => `<p>${texts.join(' ')}</p>`

/** What an editor does to a paragraph, and how it shows. */
interface Edit {
  readonly edit: (text: string) => string
  readonly removed?: string
  readonly added?: string
  readonly change?: string
}

const EDITS: readonly Edit[] = [
  { edit: (text) => text.replace('Number', '<b>Number</b>'), removed: 'Number', added: 'Number' },
  { edit: (text) => text.replace('Number', '<a href="/x">Number</a>'), change: 'link' },
  { edit: (text) => text.replace('Number', 'Another number'), removed: 'Number', added: 'Another number' },
  { edit: (text) => text.replace(': ', ': newly '), added: 'newly' },
  { edit: (text) => text.replace(/^Number (\d+)/, '<span style="color:#f00">Number $1</span>'), change: 'color' },
  { edit: (text) => text.replace(/: \S+ /, ': '), removed: 'word' },
  { edit: (text) => text.replace(': ', ': <img src="/a.png" alt="A" /> '), change: 'image' },
]

const textsOf = (diff: readonly DiffPart[], change: DiffPart['change']) =>
  diff.flatMap((part) => (part.change === change ? part.text : []))
const joinOf = (diff: readonly DiffPart[], without: DiffPart['change']) =>
  diff.flatMap((part) => (part.change === without ? [] : part.text)).join('')

describe.each([10, 100, 1_000, 3_000])('§2.5 of %i paragraphs', (count) => {
  const paragraphs = paragraphsOf(count)
  const chosen = fc.uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(EDITS.length - 1)), {
    minLength: 1,
    maxLength: 6,
    selector: ([at]) => at,
  })

  test.each([
    ['each in a paragraph', inParagraphs],
    ['all in one paragraph', inOneParagraph],
  ])('some edits all show, wherever they are, %s', (_, written) => {
    fc.assert(
      fc.property(chosen, (edits) => {
        const edited = [...paragraphs]
        for (const [at, kind] of edits) edited[at] = EDITS[kind]?.edit(edited[at] ?? '') ?? ''
        const [older, newer] = [written(paragraphs), written(edited)]
        const { diff, formatChanges } = compareRichText(older, newer)
        expect(diff !== null && joinOf(diff, 'added') === plainText(older)).toBe(true)
        expect(diff !== null && joinOf(diff, 'removed') === plainText(newer)).toBe(true)
        expect(isSameRichText(older, newer)).toBe(false)
        for (const [, kind] of edits) {
          const { removed, added, change } = EDITS[kind] ?? {}
          if (removed) expect(textsOf(diff ?? [], 'removed').some((text) => text.includes(removed))).toBe(true)
          if (added) expect(textsOf(diff ?? [], 'added').some((text) => text.includes(added))).toBe(true)
          if (change) expect(formatChanges.some((one) => one.change === change)).toBe(true)
        }
      }),
      { ...fuzzing(4), numRuns: 4, endOnFailure: true },
    )
  })

  test('without a diff, all formatting that changed is listed', () => {
    // All words in another order: they are not compared, or, of few, they are.
    const other = (text: string) => text.split(' ').toReversed().join(' ')
    const [older, newer] = [
      `<h2>Title</h2><p>A <a href="/a">link</a>, <i>one</i> word.</p><p><img src="/i.png" alt="Old" /></p>${inOneParagraph(paragraphs)}`,
      `<h3>Title</h3><p>A <a href="/b">link</a>, <b>one</b> word.</p><p><img src="/i.png" alt="New" /></p>${inOneParagraph(paragraphs.map(other).toReversed())}`,
    ]
    const { diff, formatChanges } = compareRichText(older, newer)
    const found = formatChanges.map(({ change }) => change)
    expect(found).toEqual(expect.arrayContaining(['link', 'imageAlt', ...(diff === null ? ['block', 'mark'] : [])]))
    if (count >= 1_000) expect(diff).toBe(null)
    expect(isSameRichText(older, newer)).toBe(false)
  })

  test('what nobody sees is no change', () => {
    const newer = inParagraphs(paragraphs.map((text) => text.replace('Number', '<b></b>Number')))
    expect(isSameRichText(inParagraphs(paragraphs), newer)).toBe(true)
    expect(compareRichText(inParagraphs(paragraphs), newer).formatChanges).toEqual([])
  })
})
