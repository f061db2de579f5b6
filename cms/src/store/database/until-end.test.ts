import { expect, test } from 'vitest'
import { storeDatabases } from '../../../test/store-databases.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import { open } from '../open-store.ts'

test.each(storeDatabases)(
  '§3 what a transaction on $title is sent after its end is refused',
  async ({ createReady }) => {
    const made = await createReady()
    const store = await open(made.url, { log: quietLog, listenAt: made.listenAt })
    try {
      for (const fails of [true, false]) {
        const { promise: ended, resolve: end } = Promise.withResolvers<void>()
        let late: Promise<unknown> = Promise.resolve()
        const transaction = store.transaction(async (tx) => {
          await tx.settings.set('early', 'x')
          late = ended.then(() => tx.settings.set('late', 'x'))
          if (fails) throw new Error('It fails.')
        })
        if (fails) await expect(transaction).rejects.toThrow('It fails.')
        else await transaction
        end()
        await expect(late).rejects.toThrow('This transaction has ended')
        expect(await store.settings.get('early')).toBe(fails ? null : 'x')
        expect(await store.settings.get('late')).toBeNull()
      }
    } finally {
      await store.close()
      await made.drop()
    }
  },
)
