import { describe, expect, test } from 'vitest'
import { Changes, changed } from '../contract/changes.ts'
import { ReadCache } from './read-cache.ts'

const nameOf = (id: string) => changed.attachment(id)

/** A cache of texts, and what was read for it. */
function cacheOf(texts: Map<string, string>, maxBytes = 1_000_000) {
  const changes = new Changes()
  const known: { changes: Changes | null } = { changes }
  const cache = new ReadCache<string>({ changes: () => known.changes, maxBytes, bytesOf: (text) => text.length })
  const asked: string[][] = []
  const get = async (...ids: string[]) => {
    const read = async (ids: readonly string[]) => {
      asked.push([...ids])
      return new Map(ids.flatMap((id) => (texts.has(id) ? [[id, texts.get(id) ?? '']] : [])))
    }
    return [...(await cache.get({ ids, scope: '', nameOf, read }))]
  }
  return { changes, known, asked, get }
}

const change = (...ids: string[]) => ({ names: new Set(ids.map(nameOf)), rows: new Map() })

describe('§0.7 what many answers need', () => {
  test('is read once while it stands, even when there is nothing', async () => {
    const { asked, get } = cacheOf(new Map([['a', 'one']]))
    expect(await get('a', 'b')).toEqual([['a', 'one']])
    expect(await get('b', 'a')).toEqual([['a', 'one']])
    expect(asked).toEqual([['a', 'b']])
  })

  test('is read again when it was changed, added or removed, and only that', async () => {
    const texts = new Map([
      ['a', 'one'],
      ['b', 'two'],
    ])
    const { changes, asked, get } = cacheOf(texts)
    await get('a', 'b', 'c')
    texts.set('a', 'changed')
    texts.set('c', 'three')
    changes.note(change('a', 'c'))
    expect(new Map(await get('a', 'b', 'c'))).toEqual(texts)
    texts.delete('b')
    changes.note(change('b'))
    expect(await get('a', 'b')).toEqual([['a', 'changed']])
    expect(asked).toEqual([['a', 'b', 'c'], ['a', 'c'], ['b']])
  })

  test('is read again, and at once for all who ask, while it is not known what has changed', async () => {
    const { known, asked, get } = cacheOf(new Map([['a', 'one']]))
    known.changes = null
    for (const _ of [1, 2]) expect(await Promise.all([get('a'), get('b')])).toEqual([[['a', 'one']], []])
    expect(asked).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  test('is read at once for all who ask at the same time, and each gets what they asked for', async () => {
    const { asked, get } = cacheOf(
      new Map([
        ['a', 'one'],
        ['b', 'two'],
      ]),
    )
    expect(await Promise.all([get('a'), get('b', 'c'), get('a', 'b')])).toEqual([
      [['a', 'one']],
      [['b', 'two']],
      [
        ['a', 'one'],
        ['b', 'two'],
      ],
    ])
    expect(asked).toEqual([['a', 'b', 'c']])
  })

  test('is read again when anything may have changed', async () => {
    const { changes, asked, get } = cacheOf(new Map([['a', 'one']]))
    await get('a')
    changes.note(null)
    await get('a')
    expect(asked).toEqual([['a'], ['a']])
  })

  test('is read again when it was changed while it was read', async () => {
    const { changes, asked, get } = cacheOf(new Map([['a', 'one']]))
    const reading = get('a')
    changes.note(change('a'))
    await reading
    await get('a')
    expect(asked).toEqual([['a'], ['a']])
  })

  test('is bounded in bytes, and what is large is not cached', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => String(index))
    const { asked, get } = cacheOf(
      new Map([...ids.map((id) => [id, 'x'] as const), ['large', 'x'.repeat(1000)]]),
      50_000,
    )
    for (const id of ids) await get(id)
    await get('199')
    expect(asked).toHaveLength(200)
    await get('0')
    expect(asked).toHaveLength(201)
    await get('large')
    await get('large')
    expect(asked).toHaveLength(203)
  })
})
