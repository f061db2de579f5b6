import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { picture, zip } from '../../test/file-bytes.ts'
import type { FileGroup } from '../model/terms/file-groups.ts'
import { readFileName } from './file-name.ts'
import { inspect } from './inspect.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-inspect-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function inspected(name: string, bytes: Buffer | string, groups?: readonly FileGroup[]) {
  const path = join(folder, 'upload')
  await writeFile(path, bytes)
  return { ...(await inspect(path, name, groups && { groups })), kept: await readFile(path, 'utf8') }
}

describe('§2.3 what is known of a file', () => {
  test('§2.3 inspecting an image tells its name, type, size and dimensions', async () => {
    const bytes = await picture(120, 80).jpeg().toBuffer()
    expect(await inspected('My Élan Photo.JPEG', bytes)).toMatchObject({
      name: 'my-élan-photo',
      title: 'my elan photo',
      extension: 'jpg',
      group: 'images',
      length: bytes.length,
      md5: createHash('md5').update(bytes).digest('hex'),
      image: { width: 120, height: 80, landscape: true, portrait: false, frames: 1 },
    })
  })

  test('§2.3 a square is neither landscape nor portrait', async () => {
    const { image } = await inspected('a.png', await picture(50, 50).png().toBuffer())
    expect(image).toMatchObject({ landscape: false, portrait: false })
  })

  test('§2.3 a document has no image facts', async () => {
    expect(await inspected('a.txt', 'words')).toMatchObject({ group: 'office', image: null, length: 5 })
  })
})

describe('§4.3 groups of a site', () => {
  const groups = [{ name: 'data', label: 'Data', extensions: ['md', 'sketch', 'jpeg', 'html', 'mp3'] }]

  test.each([
    ['a.md', '# words'],
    ['a.sketch', Buffer.from([1, 0, 2])],
    ['b.sketch', zip({ a: 'words' })],
    ['a.html', '<html></html>'],
  ])('§4.3 a site’s own group accepts %s by its name', async (name, bytes) => {
    expect(await inspected(name, bytes, groups)).toMatchObject({
      group: 'data',
      extension: name.slice(2),
      image: null,
    })
  })

  test.each([
    ['an image that is not among them', 'a.png', () => picture().png().toBuffer()],
    ['HTML by another name', 'a.md', async () => '<html></html>'],
    ['SVG by another name', 'a.sketch', async () => '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['words by the name of what bytes would tell', 'a.mp3', async () => 'words'],
    ['a program by another name', 'a.sketch', async () => Buffer.from('MZ\x90\0'.padEnd(300, '\0'), 'latin1')],
  ])('§4.3 a site’s own groups refuse %s', async (_, name, bytes) => {
    await expect(inspected(name, await bytes(), groups)).rejects.toMatchObject({ name: 'invalid' })
  })

  test('§4.3 a site’s own group may spell an extension in another way', async () => {
    const bytes = await picture().jpeg().toBuffer()
    expect(await inspected('a.jpg', bytes, groups)).toMatchObject({ extension: 'jpg', group: 'data' })
  })
})

describe('§4.3 SVG', () => {
  const svg = (attributes: string, inside = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`

  test('§4.3 cleaning an SVG leaves drawing elements and their names unchanged', async () => {
    const inside = [
      '<title>A &amp; B</title>',
      '<linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient>',
      '<style>.a{fill:url(#g)} @media (min-width:9px){.b{fill:rgb(1,2,3)}}</style>',
      '<path class="a" d="M0 0L9 9" style="stroke:red" transform="rotate(9)"/>',
      '<image href="data:image/png;base64,iVBORw0KGgo="/>',
      '<text xml:space="preserve">a\n b</text>',
    ].join('')
    const { kept } = await inspected('a.svg', svg('viewBox="0 0 9 9" preserveAspectRatio="none"', inside))
    for (const part of [
      'viewBox="0 0 9 9" preserveAspectRatio="none"',
      '<title>A &amp; B</title>',
      '<linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient>',
      '.a{fill:url(#g)} @media (min-width:9px){.b{fill:rgb(1,2,3)}}',
      '<path class="a" d="M0 0L9 9" style="stroke:red" transform="rotate(9)">',
      'href="data:image/png;base64,iVBORw0KGgo="',
      '<text xml:space="preserve">a\n b</text>',
    ]) {
      expect(kept).toContain(part)
    }
  })

  test('§4.3 cleaning a clean SVG changes nothing', async () => {
    const { kept } = await inspected('a.svg', svg('', '<style>a{fill:red}</style><text x="1&#9;2">&lt;</text>'))
    expect((await inspected('a.svg', kept)).kept).toBe(kept)
  })

  test('§4.3 an SVG needs no declared namespace', async () => {
    expect((await inspected('a.svg', '<svg><use xlink:href="#a"/></svg>')).kept).toContain('xlink:href="#a"')
  })

  test.each([
    ['width="20" height="10"', 20, 10],
    ['width="1in" height="2.54cm"', 96, 96],
    ['viewBox="0 0 30 60"', 30, 60],
    ['viewBox="0,0,30,60" width="100%" height="100%"', 30, 60],
    ['viewBox="0 0 30 60" width="60"', 60, 120],
    ['viewBox="0 0 30 60" height="6"', 3, 6],
    ['', 300, 150],
    ['width="-5" viewBox="0 0 0 9"', 300, 150],
  ])('§4.3 an SVG has the dimensions that %s gives', async (attributes, width, height) => {
    expect((await inspected('a.svg', svg(attributes))).image).toMatchObject({ width, height })
  })
})

describe('§4.3 names', () => {
  test.each([
    ['Photo.JPG', { name: 'photo', title: 'photo', extension: 'jpg' }],
    ['a.b.c.txt', { name: 'a-b-c', title: 'a.b.c', extension: 'txt' }],
    ['Bericht über Köln.pdf', { name: 'bericht-über-köln', title: 'bericht uber koln', extension: 'pdf' }],
    ['README', { name: 'readme', title: 'readme', extension: '' }],
    ['/tmp/x/../y.png', { name: 'y', title: 'y', extension: 'png' }],
    ['nul.txt', { name: 'file-nul', title: 'nul', extension: 'txt' }],
    ['', { name: 'file', title: 'file', extension: '' }],
  ])('§4.3 the sent file name %j is slugified and its path dropped', (sent, name) => {
    expect(readFileName(sent)).toEqual(name)
  })
})
