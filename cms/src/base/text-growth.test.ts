import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../test/growth.ts'
import {
  compareLabels,
  cutText,
  foldText,
  hasExcessMarks,
  isSlugTooLong,
  lengthOf,
  normalized,
  searchWords,
  slugify,
  sortText,
} from './text.ts'

const REPEATED: { readonly [title: string]: string } = {
  'one combining mark': '\u0301',
  'marks of two classes': '\u0301\u0323',
  'marks of five classes': '\u0301\u0323\u0345\u05b0\u3099',
  'marks that decompose': '\u0f73',
  'letters that become marks': '\uff9e\u0301',
  'unspaced Thai': 'สวัสดีครับ',
  'one Thai letter': 'ก',
  Han: '漢字',
  Hiragana: 'ひ',
  Khmer: 'ក្ម',
  'letters that expand': '\ufdfa',
  Hangul: '\u1100\u1161\u11a8',
  'dotted capitals': 'İ',
  'one long word': 'a',
  slashes: '/a',
  dashes: '-',
  spaces: ' ',
  'astral Han': '𠀀',
  'lone surrogates': '\ud800',
}
const FUNCTIONS: { readonly [title: string]: (text: string) => unknown } = {
  lengthOf,
  cutText: (text) => cutText(text, 100),
  slugify,
  'slugify with slashes': (text) => slugify(text, { allow: '/' }),
  isSlugTooLong,
  foldText,
  sortText,
  searchWords,
  compareLabels: (text) => compareLabels(text, [...text].toReversed().join('')),
  normalized: (text) => [normalized(text, 'NFC'), normalized(text, 'NFKD')],
  hasExcessMarks,
}

describe('§0.10 text of callers', () => {
  it.each(Object.entries(REPEATED))('§0 every function of texts takes linear time for %s', async (_title, part) => {
    const textOf = (length: number) => `a${part.repeat(Math.ceil(length / part.length))}x`
    for (const work of Object.values(FUNCTIONS)) await expectLinear(textOf, work)
  })

  it('§2 texts keep up to 30 marks on a letter, and slugs are slugs of themselves beyond that', () => {
    const marked = (count: number) => `a${'\u0323\u0301'.repeat(count / 2)}b`
    expect(foldText(marked(30))).not.toBe(foldText(marked(28)))
    expect(foldText(marked(5000))).toBe(foldText(marked(50)))
    for (const text of [marked(200), `a${'\u0f73'.repeat(40)}`, `か${'\uff9e\u0301'.repeat(40)}`]) {
      const slug = slugify(text)
      expect(slugify(slug)).toBe(slug)
      expect(foldText(foldText(text))).toBe(foldText(text))
      expect(sortText(sortText(text))).toBe(sortText(text))
    }
  })

  it('§4.1 long runs of letters beyond the basic plane are segmented without splitting one', () => {
    expect(searchWords(`a${'𠀀'.repeat(3000)}`).every((word) => word.isWellFormed())).toBe(true)
  })
})
