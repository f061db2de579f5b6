import { createReadStream } from 'node:fs'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { UsageError } from '../command/failure.ts'

/** An object of a file, as it is written there. */
interface WrittenObject {
  /** Where it begins, in bytes. */
  readonly start: number
  readonly bytes: Buffer
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]
/** The characters allowed between objects: white space, commas and the brackets of a list, and a byte order mark. */
const BETWEEN = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x5b, 0x5d, 0xef, 0xbb, 0xbf])
const MOST_BYTES = 64 * 1024 * 1024

/** The objects of a file, one by one, whether they are on lines of their own or in a list. */
export async function* objectsIn(path: string): AsyncGenerator<WrittenObject> {
  let [offset, start, depth] = [0, 0, 0]
  let [isInText, isEscaped] = [false, false]
  let pieces: Buffer[] = []
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInText = false
      } else if (byte === OPEN) {
        if (depth === 0) {
          start = offset + index
          from = index
        }
        depth += 1
      } else if (depth === 0) {
        if (byte === undefined || !BETWEEN.has(byte)) throw notJson(path, offset + index)
      } else if (byte === QUOTE) isInText = true
      else if (byte === CLOSE) {
        depth -= 1
        if (depth > 0) continue
        yield { start, bytes: Buffer.concat([...pieces, chunk.subarray(from, index + 1)]) }
        pieces = []
      }
    }
    if (depth > 0) pieces.push(chunk.subarray(from))
    offset += chunk.length
    if (depth > 0 && offset - start > MOST_BYTES) throw notJson(path, start)
  }
  if (depth > 0) throw notJson(path, start)
}

function notJson(path: string, at: number): UsageError {
  return new UsageError(`${path} is not as mongoexport writes it: at byte ${at} there is no whole object.`)
}

/**
 * Plain JSON of MongoDB's extended JSON, in both of its forms: ids and dates become texts (ISO 8601), numbers numbers,
 * and what is undefined is left out.
 */
export function plainObject(object: JsonObject): JsonObject {
  const plain: JsonObject = {}
  for (const [name, value] of Object.entries(object)) {
    if (!isUndefined(value)) plain[name] = plainValue(value)
  }
  return plain
}

function plainValue(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !isUndefined(item)).map(plainValue)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const [name = '', inner = null] = entries[0] ?? []
  return entries.length === 1 && name.startsWith('$') ? special(name, inner) : plainObject(value)
}

function special(name: string, value: Json): Json {
  if (name === '$date') return dateOf(plainValue(value))
  if (name === '$oid' || name === '$symbol') return value
  if (['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'].includes(name)) return numberOf(value)
  return { [name]: plainValue(value) }
}

function dateOf(value: Json): Json {
  const date = new Date(typeof value === 'number' ? value : String(value))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Reads a number; null for infinite ones, which JSON does not have. */
function numberOf(value: Json): Json {
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

function isUndefined(value: Json): boolean {
  return isObject(value) && value.$undefined === true
}
