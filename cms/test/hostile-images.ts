import { deflateSync, gzipSync } from 'node:zlib'
import { cut, emptyGif, jpegWith, overwritten, picture, plainPng, pngChunk } from './file-bytes.ts'
import type { HostileFile } from './hostile-file.ts'

const SCRIPT = '<script>alert(1)</script>'
const DAMAGED = /damaged or incomplete/
const SIZE = { width: 120, height: 80 }
const noise = () => picture(400, 300)

type Bytes = HostileFile['bytes']

const safe = (title: string, name: string, bytes: Bytes, is?: HostileFile['is']): HostileFile => {
  return { title, name, bytes, expect: 'safe', ...(is && { is }) }
}

const refused = (title: string, name: string, bytes: Bytes, says?: RegExp): HostileFile => {
  return { title, name, bytes, expect: 'invalid', ...(says && { says }) }
}

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
  refused(
    'PNG of 30,000 × 30,000',
    'huge.png',
    async () => plainPng({ width: 30_000, height: 30_000, rows: 0 }),
    /30000 × 30000/,
  ),
  refused('PNG whose header promises two thousand million pixels in each direction', 'huge.png', async () =>
    plainPng({ width: 2 ** 31 - 1, height: 2 ** 31 - 1, rows: 0 }),
  ),
  safe(
    'PNG of 100 kB that unpacks to 100 million pixels',
    'bomb.png',
    async () => plainPng({ width: 10_000, height: 10_000 }),
    { width: 10_000, height: 10_000 },
  ),
  refused(
    'PNG with too few rows',
    'rows.png',
    async () => plainPng({ width: 5_000, height: 5_000, rows: 10 }),
    DAMAGED,
  ),
  refused('GIF of 65,535 × 65,535', 'huge.gif', async () => emptyGif([65_535, 65_535], 1, [65_535, 65_535]), /million/),
  safe('GIF of 2,000 frames on a canvas of 2,000 × 2,000', 'frames.gif', async () => emptyGif([2_000, 2_000], 2_000), {
    width: 2_000,
    height: 2_000,
  }),
  refused(
    'WebP of 16,383 × 16,383',
    'huge.webp',
    async () => overwritten(await made.lossless(), '2f', 1, 'fefffe0f'),
    /16383 × 163/,
  ),
  refused('AVIF of 30,000 × 30,000', 'huge.avif', async () =>
    overwritten(await made.avif(), '69737065', 8, '0000753000007530'),
  ),
  refused(
    'JPEG of 65,500 × 65,500',
    'huge.jpg',
    async () => overwritten(await made.jpg(), 'ffc0', 5, 'ffdcffdc'),
    /65500 × 65500/,
  ),
  refused('JPEG that is a gzip', 'packed.jpg', async () => gzipSync(await made.jpg())),
]

const polyglots: HostileFile[] = [
  safe(
    'GIF with a Java archive behind it',
    'gifar.gif',
    async () => Buffer.concat([await made.gif(), Buffer.from('PK\x03\x04META-INF/MANIFEST.MF')]),
    { extension: 'gif' },
  ),
  safe(
    'JPEG with a PDF behind it, called PDF',
    'both.pdf',
    async () => Buffer.concat([await made.jpg(), Buffer.from('%PDF-1.4\n%%EOF')]),
    { extension: 'jpg' },
  ),
  safe(
    'PNG with HTML behind it, called HTML',
    'page.html',
    async () => Buffer.concat([await made.png(), Buffer.from(SCRIPT)]),
    { extension: 'png' },
  ),
  safe(
    'PNG with PHP behind it, called PHP',
    'shell.php',
    async () => Buffer.concat([await made.png(), Buffer.from('<?php system($_GET[0]); ?>')]),
    { extension: 'png' },
  ),
  refused('HTML that begins as a GIF', 'page.gif', async () => Buffer.from(`GIF89a=1;/*${SCRIPT}*/`)),
  refused('HTML that begins as a JPEG', 'page.jpg', async () =>
    Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(SCRIPT)]),
  ),
  safe('PNG called JPEG', 'really-png.jpg', made.png, { extension: 'png' }),
  refused('TIFF called JPEG', 'scan.jpg', () => picture().tiff().toBuffer()),
]

const colours: HostileFile[] = [
  safe('JPEG in CMYK', 'print.jpg', () => picture().toColourspace('cmyk').jpeg().toBuffer(), SIZE),
  safe('PNG with 16 bits', 'deep.png', async () => plainPng({ width: 50, height: 40, depth: 16, colour: 6 }), {
    width: 50,
    height: 40,
  }),
  safe('gray PNG with alpha', 'gray.png', async () => plainPng({ width: 50, height: 40, colour: 4 })),
  safe('PNG with a palette', 'few.png', () => picture().png({ palette: true }).toBuffer()),
  safe('interlaced PNG', 'laced.png', () => picture().png({ progressive: true }).toBuffer()),
  safe('PNG in a wide colour space', 'wide.png', () => picture().withIccProfile('p3').png().toBuffer()),
  safe('PNG of one pixel', 'dot.png', async () => plainPng({ width: 1, height: 1 })),
  safe('PNG of 30,000 × 1', 'line.png', async () => plainPng({ width: 30_000, height: 1 }), {
    width: 30_000,
    height: 1,
  }),
]

const metadata: HostileFile[] = [
  safe('JPEG with a script in its comment', 'comment.jpg', () => jpegWith(0xfe, Buffer.from(SCRIPT)), SIZE),
  safe(
    'JPEG with a script in its EXIF',
    'exif.jpg',
    () =>
      picture()
        .withExif({ IFD0: { Copyright: SCRIPT } })
        .jpeg()
        .toBuffer(),
    SIZE,
  ),
  safe(
    'JPEG with EXIF that is no EXIF',
    'exif.jpg',
    () => jpegWith(0xe1, Buffer.from(`Exif\0\0MM\0*\xff\xff\xff\xff${'\xff'.repeat(200)}`, 'latin1')),
    SIZE,
  ),
  safe(
    'JPEG with a script in its XMP',
    'xmp.jpg',
    () => jpegWith(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SCRIPT}</x:xmpmeta>`)),
    SIZE,
  ),
  safe(
    'JPEG with a broken colour profile',
    'icc.jpg',
    () => jpegWith(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${'broken'.repeat(50)}`, 'latin1')),
    SIZE,
  ),
  safe(
    'PNG with 50 MB of packed text',
    'text.png',
    async () => {
      const png = await made.png()
      const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(50_000_000))])
      return Buffer.concat([png.subarray(0, 33), pngChunk('zTXt', text), png.subarray(33)])
    },
    { width: 400, height: 300 },
  ),
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
