import { expect, test } from 'vitest'
import { JoinedReads } from './joined-reads.ts'

test('reads of one tick are one, by scope, and the next tick reads again', async () => {
  const reads = new JoinedReads<string>()
  const asked: string[][] = []
  const read = async (ids: readonly string[]) => {
    asked.push([...ids])
    return new Map(ids.map((id) => [id, `${id}!`]))
  }
  const [one, , other] = await Promise.all([
    reads.read('s', ['a'], read),
    reads.read('s', ['b', 'a'], read),
    reads.read('t', ['a'], read),
  ])
  expect([one.get('a'), one.get('b'), other.get('a')]).toEqual(['a!', 'b!', 'a!'])
  await reads.read('s', ['c'], read)
  expect(asked).toEqual([['a', 'b'], ['a'], ['c']])
})
