import { expect, test } from 'vitest'
import { describeService } from '../../test/service.ts'
import { inTransaction } from './contexts.ts'
import { write } from './write.ts'

describeService('contexts', {}, (service) => {
  test('a context in a transaction reads records and documents of that transaction', async () => {
    const ctx = service.app.context({ kind: 'operator' })
    const read = await write(ctx, async (writing) => {
      await writing.tx.settings.set('colour', 'green')
      const { store } = inTransaction(writing, {})
      return store.transaction(({ settings }) => Promise.all([store.settings.get('colour'), settings.get('colour')]))
    })
    expect(read).toEqual(['green', 'green'])
    expect(await ctx.store.settings.get('colour')).toBe('green')
  })

  test('nothing of a transaction that fails is left', async () => {
    const ctx = service.app.context({ kind: 'operator' })
    const failing = write(ctx, async (writing) => {
      await writing.tx.settings.set('size', 'large')
      throw new Error(String(await inTransaction(writing, {}).store.settings.get('size')))
    })
    await expect(failing).rejects.toThrow('large')
    expect(await ctx.store.settings.get('size')).toBeNull()
  })
})
