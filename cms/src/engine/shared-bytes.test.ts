import { expect, test } from 'vitest'
import { JoinedBytes, SharedBytes, TextSlots } from './shared-bytes.ts'

const [one, two] = [new SharedBytes('{"a":"ä"}'), new SharedBytes('{"b":2}')]

test('joined bytes are those of their parts, in UTF-8', () => {
  const joined = new JoinedBytes(['["é",', one, ',', two, ']'])
  expect(joined.bytes().toString()).toBe('["é",{"a":"ä"},{"b":2}]')
  expect(joined.length).toBe(Buffer.byteLength('["é",{"a":"ä"},{"b":2}]'))
  expect(joined.shared).toEqual([one, two])
  expect(joined.ownBytes).toBe(Buffer.byteLength('["é",,]') + 2 * 20)
})

test('other parts, and others between them, have another digest', () => {
  const parts = [
    ['[', one, ']'],
    ['[', two, ']'],
    ['[', one, ',', two, ']'],
    ['[', two, ',', one, ']'],
    [one],
    ['(', one, ')'],
  ]
  expect(new Set(parts.map((some) => new JoinedBytes(some).digest)).size).toBe(parts.length)
  const again = new SharedBytes('{"a":"ä"}')
  expect(new JoinedBytes(['[', again, ']']).digest).toBe(new JoinedBytes(['[', one, ']']).digest)
})

test('one part alone is not copied, nor are large ones among others', () => {
  expect(new JoinedBytes([one]).bytes()).toBe(one.bytes)
  const large = new SharedBytes('x'.repeat(5000))
  const parts = new JoinedBytes(['[', one, ',', large, ',', two, ',', one, ']', ...Array(100_000).fill(one)])
  const chunks = [...parts.chunks(Buffer.alloc)]
  expect(Buffer.concat(chunks).equals(parts.bytes())).toBe(true)
  expect(chunks[1]).toBe(large.bytes)
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(70_000)
})

test('JSON is filled with texts that are there already, which many may hold', () => {
  const slots = new TextSlots()
  const value = { name: 'ä"', _one: [slots.add(one), slots.add(two), slots.add(one)], last: 'x'.repeat(200) }
  const text = slots.fill(JSON.stringify(value))
  const expected = { ...value, _one: [{ a: 'ä' }, { b: 2 }, { a: 'ä' }] }
  const joined = new JoinedBytes(['[', text, ']'])
  expect(joined.bytes().toString()).toBe(JSON.stringify([expected]))
  expect(Buffer.concat([...joined.chunks(Buffer.alloc)]).toString()).toBe(JSON.stringify([expected]))
  expect(joined.length).toBe(Buffer.byteLength(JSON.stringify([expected])))
  expect(text.shared.filter((part) => part === one || part === two)).toHaveLength(3)
  expect(new TextSlots().fill('{}')).toBeInstanceOf(SharedBytes)
})
