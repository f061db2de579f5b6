import { describe, expect, test } from 'vitest'
import { type Change, ChangeCollector, Changes, changed, type Name, readChange, writeChange } from './changes.ts'
import type { Scope } from './document-query.ts'

const scope: Scope = { type: 'article', locale: 'en', mode: 'published' }
const article = { docId: 'a', locale: 'en', mode: 'published' } as const
const names = [changed.copy(article), changed.list(scope)]

const changeOf = (given: readonly number[], rows: readonly (readonly [Name, readonly number[]])[] = []): Change => ({
  names: new Set(given),
  rows: new Map(rows),
})

describe('Changes', () => {
  test('what was made stands until one of its names is changed', () => {
    const changes = new Changes()
    const since = changes.now
    expect(changes.areUnchanged(names, since)).toBe(true)
    changes.note(changeOf([changed.document('other')]))
    expect(changes.areUnchanged(names, since)).toBe(true)
    changes.note(changeOf([changed.list(scope)]))
    expect(changes.areUnchanged(names, since)).toBe(false)
    expect(changes.areUnchanged(names, changes.now)).toBe(true)
  })

  test('when anything may have changed, nothing stands that was made before', () => {
    const changes = new Changes()
    changes.note(changeOf([changed.document('other')]))
    const since = changes.now
    changes.note(null)
    expect(changes.areUnchanged(names, since)).toBe(false)
    expect(changes.areUnchanged([], since)).toBe(false)
    expect(changes.areUnchanged(names, changes.now)).toBe(true)
    expect(changes.rowsSince(scope, since)).toBeNull()
  })

  test('names that were forgotten count as changed', () => {
    const changes = new Changes()
    const since = changes.now
    changes.note(changeOf([1]))
    const later = changes.now
    for (let at = 0; at < 30; at += 1) {
      changes.note(changeOf(Array.from({ length: 9_000 }, (_, name) => 10 + at * 9_000 + name)))
      expect(changes.areUnchanged([1], since)).toBe(false)
    }
    expect(changes.areUnchanged([2], later)).toBe(false)
    expect(changes.areUnchanged([2], changes.now - 1)).toBe(true)
  })

  test('rows of a scope are listed once each, since any time', () => {
    const changes = new Changes()
    changes.note(changeOf([], [[changed.list(scope), [1, 2]]]))
    const since = changes.now
    expect(changes.rowsSince(scope, since)).toEqual([])
    changes.note(changeOf([], [[changed.list(scope), [2, 3]]]))
    changes.note(changeOf([], [[changed.list(scope), [3]]]))
    changes.note(changeOf([], [[changed.list({ ...scope, mode: 'draft' }), [9]]]))
    expect(changes.rowsSince(scope, since)).toEqual([2, 3])
    expect(changes.rowsSince(scope, since - 1)).toEqual([1, 2, 3])
    expect(changes.rowsSince(scope, changes.now)).toEqual([])
  })

  test('rows that were forgotten are unknown', () => {
    const changes = new Changes()
    const since = changes.now
    for (let row = 0; row < 5_000; row += 1) changes.note(changeOf([], [[changed.list(scope), [row]]]))
    expect(changes.rowsSince(scope, since)).toBeNull()
    expect(changes.rowsSince(scope, changes.now - 2)).toEqual([4_998, 4_999])
    const after = changes.now
    for (let type = 0; type < 60; type += 1) {
      const rows = Array.from({ length: 2_000 }, (_, row) => row)
      changes.note(changeOf([], [[changed.list({ ...scope, type: `type${type}` }), rows]]))
    }
    expect(changes.rowsSince(scope, after)).toBeNull()
    expect(changes.rowsSince(scope, changes.now)).toEqual([])
  })
})

describe('A collector', () => {
  test('gathers what writers announce', () => {
    const collector = new ChangeCollector()
    expect(collector.change).toBeUndefined()
    collector.add({ names: [] })
    expect(collector.change).toBeUndefined()
    collector.add({ names, rows: new Map([[changed.list(scope), [1]]]) })
    collector.add({ names, rows: new Map([[changed.list(scope), [2]]]) })
    expect(collector.change).toEqual(changeOf(names, [[changed.list(scope), [1, 2]]]))
  })

  test('takes very many names, or a writer that cannot tell, for everything', () => {
    const many = new ChangeCollector()
    many.add({ names: Array.from({ length: 20_000 }, (_, name) => name) })
    expect(many.change).toBeNull()
    const unknown = new ChangeCollector()
    unknown.add({ names })
    unknown.add(null)
    unknown.add({ names })
    expect(unknown.change).toBeNull()
  })
})

describe('The text of a change', () => {
  test('says the same to other processes', () => {
    const change = changeOf([...names, 0, -1, 2 ** 31 - 1], [[changed.list(scope), [1, 2]]])
    expect(readChange(writeChange(change, 8_000) ?? '')).toEqual(change)
  })

  test('is not longer than it may be', () => {
    const many = changeOf(Array.from({ length: 2_000 }, (_, name) => name))
    expect(writeChange(many, 8_000)).toBeNull()
    expect(Buffer.byteLength(writeChange(changeOf(names), 8_000) ?? '')).toBeLessThan(8_000)
    expect(writeChange(changeOf([], [[1, Array.from({ length: 2_000 }, (_, row) => row)]]), 8_000)).toBeNull()
    expect(writeChange(null, 8_000)).toBeNull()
  })

  test('that nobody wrote means everything', () => {
    for (const text of ['', '*', '{}', '[]', '["AAA",{}]', 'null']) expect(readChange(text)).toBeNull()
  })
})

describe('Names', () => {
  test('tell apart what is apart', () => {
    const draft = { ...article, mode: 'draft' } as const
    const all = [
      changed.copy(article),
      changed.copy(draft),
      changed.document('a'),
      changed.list(scope),
      changed.list({ ...scope, type: 'articleen', locale: '' }),
      changed.value(scope, 'name', 'x'),
      changed.value(scope, 'nam', 'ex'),
      changed.value(scope, 'name', 1),
      changed.slug(scope, 'name'),
      changed.attachment('a'),
      changed.tree('en'),
      changed.pages('en', 'draft'),
      changed.pages('en', 'published'),
      changed.formerUrls('en'),
      changed.history('a'),
      changed.setting('a'),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  test('are alike for texts that a database stores alike', () => {
    expect(changed.value(scope, 'name', 'a\0b')).toBe(changed.value(scope, 'name', 'ab'))
    expect(changed.value(scope, 'name', 'a\ud800b')).toBe(changed.value(scope, 'name', 'a\ufffdb'))
  })
})
