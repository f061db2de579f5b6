import type { ByteRange } from '../files/files.ts'

/**
 * Which part of a file a `Range` header asks for: null for the whole (no header, not understood, or several parts at
 * once), `beyond` when there is nothing there to send.
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const count = Math.min(Number(last), length)
    return count === 0 ? 'beyond' : { start: length - count, end: length - 1 }
  }
  const start = Number(first)
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= length ? 'beyond' : { start, end }
}
