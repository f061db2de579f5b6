import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectLinear } from '../../test/growth.ts'
import { sample } from '../../test/sample.ts'
import { markupRoot } from './detect-extension.ts'
import { readFileName } from './inspect.ts'
import { cleanSvgFile } from './svg-cleaner.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-svg-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Refusals count too: they are to come as soon. */
async function clean(text: string): Promise<void> {
  const path = join(folder, 'drawing.svg')
  await writeFile(path, text)
  await cleanSvgFile(path).catch(() => null)
}

const svg = (inside: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`

const VALUES = [
  'a',
  'a-',
  '1',
  '1.',
  ' ',
  '(',
  'a(',
  'a (',
  '()',
  '((',
  'url(',
  'url(#',
  'url(#a)',
  'url( ',
  '#',
  '#a ',
]
const VALUES_TOO = [',', ':', 'data:', '/', ';', 'a:b;', '!', '@', "'", '{', '[', 'é', '\u0301', '&amp;', 'e1', 'M0 0']
const ATTRIBUTES = ['d', 'width', 'viewBox', 'style', 'href', 'id']
const SHEETS = ['(', '((a', '{', 'a{', 'a{}', 'a{b:c}', ';', 'a:', '@', '@a;', '@a{}', '@media{', '/**/', '[', '"', ')']
const SHEETS_TOO = [
  'a{b:c}/**/',
  '$a:b;',
  '_x:y;',
  'a:b{}',
  'a{\\}',
  '--x:{}',
  'url(',
  'url()',
  '@media (',
  '!a ',
  '// ',
]
const INSIDES = ['<g/>', '<g>', '<a:b/>', '<g id="a"/>', '<use href="#a"/>', '<!---->', '<?a?>', '&amp;', ']]&gt;', '<']
const INSIDES_TOO = [
  '<style>a{b:c}</style>',
  '<g style="a:b"/>',
  '<g fill="url(#a)"/>',
  '<![CDATA[a]]>',
  '<text>a</text>',
]

describe('§4.3 hostile SVG', () => {
  test.each(ATTRIBUTES)('§4.3 cleaning takes linear time for any value of %s', async (name) => {
    for (const part of sample([...VALUES, ...VALUES_TOO], 12)) {
      const textOf = (length: number) =>
        svg('<path/>', `${name}="${part.repeat(Math.ceil(length / part.length)).replaceAll('"', '')}"`)
      await expectLinear(textOf, clean)
    }
  })

  test.each(['%', 'a{%}', 'a{b:%}', '@media %{a{b:c}}'])(
    '§4.3 cleaning takes linear time for any style sheet like %s',
    async (frame) => {
      for (const part of sample([...SHEETS, ...SHEETS_TOO], 12)) {
        const sheetOf = (length: number) => frame.replace('%', () => part.repeat(Math.ceil(length / part.length)))
        await expectLinear((length) => svg(`<style><![CDATA[${sheetOf(length)}]]></style>`), clean)
      }
    },
  )

  test('§4.3 cleaning takes linear time for any number of elements', async () => {
    for (const part of [...INSIDES, ...INSIDES_TOO]) {
      await expectLinear((length) => svg(part.repeat(Math.ceil(length / part.length))), clean)
    }
    await expectLinear((length) => svg('', Array.from({ length: length / 8 }, (_, n) => `a${n}="1"`).join(' ')), clean)
  })

  test('§4.3 finding the first element takes linear time', async () => {
    for (const part of ['<!---->', '<?a?>', '<!doctype a>', '<!doctype [', '<!doctype [a]>', ' ', '<!--']) {
      await expectLinear((length) => Buffer.from(part.repeat(length / part.length)), markupRoot)
    }
  })

  test('§4.3 reading a file name takes linear time', async () => {
    for (const part of [' ', '.a', 'a ', '-', '/', '\u0301\u0323', '.']) {
      await expectLinear((length) => `a${part.repeat(length / part.length)}!`, readFileName)
    }
  })

  test('§4.3 a style sheet with more rules than anybody draws with is refused', async () => {
    const path = join(folder, 'styles.svg')
    await writeFile(path, svg(`<style>${'a{b:c}'.repeat(30_000)}</style>`))
    await expect(cleanSvgFile(path)).rejects.toThrow('The style sheet of the SVG is too long. Simplify it.')
  })
})
