import { readFileSync } from 'node:fs'
import { transform } from 'lightningcss'
import { expect, test } from 'vitest'
import { minified } from './minified.ts'

const lantern = readFileSync(new URL('./lantern.css', import.meta.url), 'utf8')
const CASES = [
  lantern,
  'a :hover , b::after { content: "/* ; } */  x" ; margin: 1px  2px }',
  "@media (min-width: 40rem) { .a > .b { width: calc(1px + 2px); --x: 'a;  b' } } /* end */",
]

test.each(CASES)('a minified stylesheet says the same: %#', (css) => {
  // Values with variables stay as they are written.
  const meaningOf = (text: string) =>
    transform({ filename: 'a.css', code: Buffer.from(text), minify: true })
      .code.toString()
      .replaceAll(/,\s+/g, ',')
  expect(meaningOf(minified(css))).toBe(meaningOf(css))
  expect(minified(css).length).toBeLessThan(css.length)
  expect(minified(minified(css))).toBe(minified(css))
})
