// Longer than other files: a table, read row by row; the few functions above it make its bytes.

import { deflateSync, gzipSync } from 'node:zlib'
import { cut, emptyGif, jpegWith, overwritten, picture, plainPng, pngChunk } from './file-bytes.ts'
import type { HostileFile } from './hostile-file.ts'

const SCRIPT = '<script>alert(1)</script>'
const DAMAGED = /damaged or incomplete/
const SIZE = { width: 120, height: 80 }
const noise = () => picture(400, 300)

const made = {
  jpg: () => noise().jpeg().toBuffer(),
  progressive: () => noise().jpeg({ progressive: true }).toBuffer(),
  png: () => noise().png().toBuffer(),
  gif: () => noise().gif().toBuffer(),
  webp: () => noise().webp().toBuffer(),
  lossless: () => noise().webp({ lossless: true }).toBuffer(),
  avif: () => noise().avif({ effort: 0 }).toBuffer(),
}

const truncated: HostileFile[] = Object.entries(made).flatMap(([kind, bytes]) =>
  [0.3, 0.95].map((share) => ({
    title: `${kind} cut off at ${share * 100} %`,
    name: `cut.${kind}`,
    bytes: async () => cut(await bytes(), share),
    expect: 'invalid' as const,
  })),
)

const headersOnly: HostileFile[] = (
  [
    ['jpg', 'ffd8ffe000104a46494600'],
    ['png', '89504e470d0a1a0a'],
    ['gif', '474946383961'],
    ['webp', '52494646ffffff7f57454250'],
    ['avif', '0000001c6674797061766966'],
  ] as const
).map(([extension, hex]) => ({
  title: `only the first bytes of ${extension}`,
  name: `head.${extension}`,
  bytes: async () => Buffer.from(hex, 'hex'),
  expect: 'invalid',
}))

const orientations: HostileFile[] = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
  title: `JPEG of EXIF orientation ${orientation}`,
  name: 'turned.jpg',
  bytes: () => picture().withMetadata({ orientation }).jpeg().toBuffer(),
  expect: 'safe',
  is: orientation > 4 ? { width: 80, height: 120 } : SIZE,
}))

const bombs: HostileFile[] = [
  {
    title: 'PNG of 30,000 × 30,000',
    name: 'huge.png',
    bytes: async () => plainPng({ width: 30_000, height: 30_000, rows: 0 }),
    expect: 'invalid',
    says: /30000 × 30000/,
  },
  {
    title: 'PNG whose header promises two thousand million pixels in each direction',
    name: 'huge.png',
    bytes: async () => plainPng({ width: 2 ** 31 - 1, height: 2 ** 31 - 1, rows: 0 }),
    expect: 'invalid',
  },
  {
    title: 'PNG of 100 kB that unpacks to 100 million pixels',
    name: 'bomb.png',
    bytes: async () => plainPng({ width: 10_000, height: 10_000 }),
    expect: 'safe',
    is: { width: 10_000, height: 10_000 },
  },
  {
    title: 'PNG with too few rows',
    name: 'rows.png',
    bytes: async () => plainPng({ width: 5_000, height: 5_000, rows: 10 }),
    expect: 'invalid',
    says: DAMAGED,
  },
  {
    title: 'GIF of 65,535 × 65,535',
    name: 'huge.gif',
    bytes: async () => emptyGif([65_535, 65_535], 1, [65_535, 65_535]),
    expect: 'invalid',
    says: /million/,
  },
  {
    title: 'GIF of 2,000 frames on a canvas of 2,000 × 2,000',
    name: 'frames.gif',
    bytes: async () => emptyGif([2_000, 2_000], 2_000),
    expect: 'safe',
    is: { width: 2_000, height: 2_000 },
  },
  {
    title: 'WebP of 16,383 × 16,383',
    name: 'huge.webp',
    bytes: async () => overwritten(await made.lossless(), '2f', 1, 'fefffe0f'),
    expect: 'invalid',
    says: /16383 × 163/,
  },
  {
    title: 'AVIF of 30,000 × 30,000',
    name: 'huge.avif',
    bytes: async () => overwritten(await made.avif(), '69737065', 8, '0000753000007530'),
    expect: 'invalid',
  },
  {
    title: 'JPEG of 65,500 × 65,500',
    name: 'huge.jpg',
    bytes: async () => overwritten(await made.jpg(), 'ffc0', 5, 'ffdcffdc'),
    expect: 'invalid',
    says: /65500 × 65500/,
  },
  {
    title: 'JPEG that is a gzip',
    name: 'packed.jpg',
    bytes: async () => gzipSync(await made.jpg()),
    expect: 'invalid',
  },
]

const polyglots: HostileFile[] = [
  {
    title: 'GIF with a Java archive behind it',
    name: 'gifar.gif',
    bytes: async () => Buffer.concat([await made.gif(), Buffer.from('PK\x03\x04META-INF/MANIFEST.MF')]),
    expect: 'safe',
    is: { extension: 'gif' },
  },
  {
    title: 'JPEG with a PDF behind it, called PDF',
    name: 'both.pdf',
    bytes: async () => Buffer.concat([await made.jpg(), Buffer.from('%PDF-1.4\n%%EOF')]),
    expect: 'safe',
    is: { extension: 'jpg' },
  },
  {
    title: 'PNG with HTML behind it, called HTML',
    name: 'page.html',
    bytes: async () => Buffer.concat([await made.png(), Buffer.from(SCRIPT)]),
    expect: 'safe',
    is: { extension: 'png' },
  },
  {
    title: 'PNG with PHP behind it, called PHP',
    name: 'shell.php',
    bytes: async () => Buffer.concat([await made.png(), Buffer.from('<?php system($_GET[0]); ?>')]),
    expect: 'safe',
    is: { extension: 'png' },
  },
  {
    title: 'HTML that begins as a GIF',
    name: 'page.gif',
    bytes: async () => Buffer.from(`GIF89a=1;/*${SCRIPT}*/`),
    expect: 'invalid',
  },
  {
    title: 'HTML that begins as a JPEG',
    name: 'page.jpg',
    bytes: async () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(SCRIPT)]),
    expect: 'invalid',
  },
  {
    title: 'PNG called JPEG',
    name: 'really-png.jpg',
    bytes: made.png,
    expect: 'safe',
    is: { extension: 'png' },
  },
  { title: 'TIFF called JPEG', name: 'scan.jpg', bytes: () => picture().tiff().toBuffer(), expect: 'invalid' },
]

const colours: HostileFile[] = [
  {
    title: 'JPEG in CMYK',
    name: 'print.jpg',
    bytes: () => picture().toColourspace('cmyk').jpeg().toBuffer(),
    expect: 'safe',
    is: SIZE,
  },
  {
    title: 'PNG with 16 bits',
    name: 'deep.png',
    bytes: async () => plainPng({ width: 50, height: 40, depth: 16, colour: 6 }),
    expect: 'safe',
    is: { width: 50, height: 40 },
  },
  {
    title: 'gray PNG with alpha',
    name: 'gray.png',
    bytes: async () => plainPng({ width: 50, height: 40, colour: 4 }),
    expect: 'safe',
  },
  {
    title: 'PNG with a palette',
    name: 'few.png',
    bytes: () => picture().png({ palette: true }).toBuffer(),
    expect: 'safe',
  },
  {
    title: 'interlaced PNG',
    name: 'laced.png',
    bytes: () => picture().png({ progressive: true }).toBuffer(),
    expect: 'safe',
  },
  {
    title: 'PNG in a wide colour space',
    name: 'wide.png',
    bytes: () => picture().withIccProfile('p3').png().toBuffer(),
    expect: 'safe',
  },
  { title: 'PNG of one pixel', name: 'dot.png', bytes: async () => plainPng({ width: 1, height: 1 }), expect: 'safe' },
  {
    title: 'PNG of 30,000 × 1',
    name: 'line.png',
    bytes: async () => plainPng({ width: 30_000, height: 1 }),
    expect: 'safe',
    is: { width: 30_000, height: 1 },
  },
]

const metadata: HostileFile[] = [
  {
    title: 'JPEG with a script in its comment',
    name: 'comment.jpg',
    bytes: () => jpegWith(0xfe, Buffer.from(SCRIPT)),
    expect: 'safe',
    is: SIZE,
  },
  {
    title: 'JPEG with a script in its EXIF',
    name: 'exif.jpg',
    bytes: () =>
      picture()
        .withExif({ IFD0: { Copyright: SCRIPT } })
        .jpeg()
        .toBuffer(),
    expect: 'safe',
    is: SIZE,
  },
  {
    title: 'JPEG with EXIF that is no EXIF',
    name: 'exif.jpg',
    bytes: () => jpegWith(0xe1, Buffer.from(`Exif\0\0MM\0*\xff\xff\xff\xff${'\xff'.repeat(200)}`, 'latin1')),
    expect: 'safe',
    is: SIZE,
  },
  {
    title: 'JPEG with a script in its XMP',
    name: 'xmp.jpg',
    bytes: () => jpegWith(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SCRIPT}</x:xmpmeta>`)),
    expect: 'safe',
    is: SIZE,
  },
  {
    title: 'JPEG with a broken colour profile',
    name: 'icc.jpg',
    bytes: () => jpegWith(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${'broken'.repeat(50)}`, 'latin1')),
    expect: 'safe',
    is: SIZE,
  },
  {
    title: 'PNG with 50 MB of packed text',
    name: 'text.png',
    bytes: async () => {
      const png = await made.png()
      const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(50_000_000))])
      return Buffer.concat([png.subarray(0, 33), pngChunk('zTXt', text), png.subarray(33)])
    },
    expect: 'safe',
    is: { width: 400, height: 300 },
  },
]

/** Images which no decoder should be let near, or which it must stand. */
export const HOSTILE_IMAGES: readonly HostileFile[] = [
  ...truncated,
  ...headersOnly,
  ...orientations,
  ...bombs,
  ...polyglots,
  ...colours,
  ...metadata,
]
