import { refuseFile } from '../base/errors.ts'

const ENCODINGS: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'windows-1252']

/**
 * Decodes XML: UTF-8, UTF-16 with a byte order mark, or a declared Latin encoding. With `isStrict`, malformed bytes and
 * other encodings are `invalid`; without, they are decoded as well as possible.
 */
export function readXmlText(bytes: Buffer, isStrict = true): string {
  const encoding = encodingOf(bytes, isStrict)
  try {
    return new TextDecoder(encoding, { fatal: isStrict }).decode(bytes)
  } catch {
    throw refuseFile(`The SVG is not encoded in ${encoding}. Save it in UTF-8.`)
  }
}

function encodingOf(bytes: Buffer, isStrict: boolean): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (mark === 0xfffe) return 'utf-16le'
  if (mark === 0xfeff) return 'utf-16be'
  const declaration = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)["']/.exec(bytes.toString('latin1', 0, 200))
  const declared = declaration?.[1]?.toLowerCase() ?? 'utf-8'
  if (ENCODINGS.includes(declared)) return declared
  if (isStrict) throw refuseFile(`An SVG in the encoding ${declared} is not accepted. Save it in UTF-8.`)
  return 'utf-8'
}
