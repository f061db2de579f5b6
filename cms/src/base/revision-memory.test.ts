import { describe, expect, it } from 'vitest'
import { RevisionMemory } from './revision-memory.ts'

describe('what is remembered of the content', () => {
  it('is made once, until the content changes', async () => {
    let revision: string | null = '1'
    let made = 0
    const memory = new RevisionMemory(() => revision)
    const get = () => memory.get('a', async () => (made += 1))
    expect([await get(), await get()]).toEqual([1, 1])
    revision = '2'
    expect([await get(), await get()]).toEqual([2, 2])
    revision = null
    expect([await get(), await get()]).toEqual([3, 4])
    revision = '2'
    expect(await get()).toBe(5)
  })

  it('is not kept when the content changed while it was made', async () => {
    let revision = '1'
    const memory = new RevisionMemory(() => revision)
    const value = await memory.get('a', async () => {
      revision = '2'
      return 'old'
    })
    expect(value).toBe('old')
    expect(await memory.get('a', async () => 'new')).toBe('new')
  })

  it('is bounded in bytes: what was asked for longest ago goes first', async () => {
    const memory = new RevisionMemory(() => '1', 10_000)
    let made: string[] = []
    const get = (name: string, length = 1000) =>
      memory.get(name, async () => {
        made.push(name)
        return 'x'.repeat(length)
      })
    for (const name of ['a', 'b', 'c', 'd']) await get(name)
    await get('a')
    await get('e')
    made = []
    for (const name of ['a', 'c', 'd', 'e', 'b']) await get(name)
    expect(made).toEqual(['b'])
    made = []
    for (const _ of [1, 2]) await get('large', 5000)
    expect(made).toEqual(['large', 'large'])
  })
})
