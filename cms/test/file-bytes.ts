import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import createSharp, { type Sharp } from 'sharp'

/** A picture with something in it, so that its file is not the shortest there can be. */
export function picture(width = 120, height = 80, channels: 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(width * height * channels)
  for (let index = 0; index < data.length; index += 1) data[index] = (index * 31 + Math.floor(index / width) * 7) % 256
  return createSharp(data, { raw: { width, height, channels } })
}

/** The first part of a file, as an interrupted upload leaves it. */
export function cut(bytes: Buffer, share = 0.6): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * share))
}

/** The bytes with others in place of those `skip` bytes behind a mark, both in hexadecimal. */
export function overwritten(bytes: Buffer, mark: string, skip: number, others: string): Buffer {
  const index = bytes.indexOf(Buffer.from(mark, 'hex'))
  if (index < 0) throw new Error(`There is no ${mark} in these bytes.`)
  const copy = Buffer.from(bytes)
  copy.write(others, index + skip, 'hex')
  return copy
}

/** A chunk of a PNG file. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

/** A PNG of one colour: its header may promise more than `rows` of pixels that are there. */
export function plainPng(options: {
  width: number
  height: number
  rows?: number
  depth?: 8 | 16
  /** 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha. */
  colour?: 0 | 2 | 4 | 6
  isInterlaced?: boolean
}): Buffer {
  const { width, height, rows = height, depth = 8, colour = 0, isInterlaced = false } = options
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[colour]
  const header = Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([depth, colour, 0, 0, isInterlaced ? 1 : 0]),
  ])
  const pixels = deflateSync(Buffer.alloc((1 + (width * channels * depth) / 8) * rows), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF with that many frames on a canvas; each promises to be of the lengths of `frame` and holds one pixel. */
export function emptyGif(
  canvas: readonly [number, number],
  frames: number,
  frame: readonly [number, number] = [1, 1],
): Buffer {
  const control = Buffer.from([0x21, 0xf9, 4, 4, 10, 0, 0, 0])
  const pixels = [Buffer.from([0x2c, 0, 0, 0, 0]), uint16(...frame), Buffer.from([0, 2, 2, 0x44, 1, 0])]
  const one = Buffer.concat([control, ...pixels])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    uint16(...canvas),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => one),
    Buffer.from([0x3b]),
  ])
}

/**
 * A JPEG with one more segment after its beginning: `marker` 0xe1 for EXIF and XMP, 0xe2 for ICC, 0xfe for comments.
 */
export async function jpegWith(marker: number, data: Buffer): Promise<Buffer> {
  const jpeg = await picture().jpeg().toBuffer()
  const length = Buffer.from([(data.length + 2) >> 8, (data.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, marker]), length, data, jpeg.subarray(2)])
}

/** A zip archive of these files. */
export function zip(files: { readonly [name: string]: Buffer | string }): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content)
    const packed = deflateRawSync(data, { level: 9 })
    const facts = Buffer.concat([uint32LittleEndian(crc32(data), packed.length, data.length), uint16(name.length, 0)])
    const entry = [Buffer.from('PK\x03\x04'), uint16(20, 0, 8, 0, 0), facts, Buffer.from(name), packed]
    directory.push(Buffer.from('PK\x01\x02'), uint16(20, 20, 0, 8, 0, 0), facts, uint16(0, 0, 0))
    directory.push(uint32LittleEndian(0, offset), Buffer.from(name))
    local.push(...entry)
    offset += entry.reduce((sum, part) => sum + part.length, 0)
  }
  const listed = Buffer.concat(directory)
  const count = Object.keys(files).length
  const end = [
    Buffer.from('PK\x05\x06'),
    uint16(0, 0, count, count),
    uint32LittleEndian(listed.length, offset),
    uint16(0),
  ]
  return Buffer.concat([...local, listed, ...end])
}

/** An office document of the newer kind: `main` is its content type, such as `wordprocessingml.document`. */
export function officeFile(main: string, files: { readonly [name: string]: Buffer | string } = {}): Buffer {
  const family = main.includes('macroEnabled') ? 'vnd.ms-word.' : 'vnd.openxmlformats-officedocument.'
  const types = `<?xml version="1.0"?><Types><Override ContentType="application/${family}${main}.main+xml"/></Types>`
  return zip({ '[Content_Types].xml': types, ...files })
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function uint32LittleEndian(...values: number[]): Buffer {
  return Buffer.from(new Uint32Array(values).buffer)
}

function uint16(...values: number[]): Buffer {
  return Buffer.from(new Uint16Array(values).buffer)
}
