import { test } from 'vitest'
import { expectLinear } from '../../cms/test/growth.ts'
import { finish } from '../src/index.ts'
import { markReplaced } from '../src/marking/mark-rich-text.ts'
import { markWords } from './with-service.ts'

type Pair = readonly [older: string, newer: string]

const repeated = (part: string, length: number) => part.repeat(Math.ceil(length / part.length))
/** Every other one of numbered parts is another one in the newer text. */
const alternating = (part: (word: string) => string, length: number): Pair => {
  const count = Math.ceil(length / part('w10').length)
  const parts = Array.from({ length: count }, (_, index) => index)
  return [parts.map((n) => part(`w${n}`)).join(''), parts.map((n) => part(n % 2 ? `w${n}` : `v${n}`)).join('')]
}

const TEXTS: { readonly [title: string]: (length: number) => Pair } = {
  'one long word': (length) => [repeated('a', length), repeated('b', length)],
  'every other word': (length) => alternating((word) => `${word} `, length),
  'every other paragraph': (length) => alternating((word) => `<p>${word}</p>`, length),
  'every other item, in a list of another kind': (length) => {
    const [older, newer] = alternating((word) => `<li>${word}</li>`, length)
    return [`<ul>${older}</ul>`, `<ol>${newer}</ol>`]
  },
  'every other cell of a row': (length) => {
    const row = (cells: string) => `<table><tbody><tr>${cells}</tr></tbody></table>`
    const [older, newer] = alternating((word) => `<td>${word}</td>`, length)
    return [row(older), row(newer)]
  },
  'words in elements that are gone': (length) => {
    const [older, newer] = alternating((word) => `${word} `, length)
    return [`<p><a href="/${repeated('x', 500)}"><strong><em>${older}</em></strong></a></p>`, `<p>${newer}</p>`]
  },
  'a word in many elements': (length) => [repeated('<b>a</b> ', length), repeated('<i>a</i> ', length)],
  'empty elements': (length) => [repeated('<b></b>', length), repeated('<i></i>a', length)],
  'line breaks': (length) => [repeated('<br>', length), repeated('a<br>', length)],
  'empty blocks': (length) => [repeated('<p></p>', length), repeated('<p><br></p>', length)],
  'lists in lists': (length) => [
    repeated(`${'<ul><li>a'.repeat(20)}${'</li></ul>'.repeat(20)}`, length),
    repeated(`${'<ul><li>b'.repeat(20)}${'</li></ul>'.repeat(20)}`, length),
  ],
  'open elements': (length) => [repeated('<div>', length), repeated('<div><b>a', length)],
}

test.each(Object.entries(TEXTS))('§4.4 annotate: marking takes time in proportion to the text: %s', async (_, make) => {
  await expectLinear(make, ([older, newer]) => markWords(older, newer), 4_000)
})

test('§4.4 annotate: marking what was replaced takes time in proportion to the text', async () => {
  const makes = [...Object.values(TEXTS), (length: number): Pair => [repeated('<a', length), repeated('<', length)]]
  for (const make of makes) await expectLinear(make, ([older, newer]) => finish(markReplaced(older, newer)), 50_000)
})
