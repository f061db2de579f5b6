import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store, StoreWriter } from '../src/store/contract/store.ts'
import { type Announcement, ChangeCollector } from '../src/store/terms/changes.ts'

const forgetting = new AsyncLocalStorage<true>()

/** Makes one method of a writer, as `documents.put`, say nothing of what it changes, in this store alone. */
export function forget(store: Store, method: string): void {
  const transaction = store.transaction.bind(store)
  // As a faulty store would be made.
  Object.assign(store, {
    transaction: <T>(work: (tx: StoreWriter) => Promise<T>) => transaction((tx) => work(forgetful(tx, method))),
  })
}

/** Collectors hear nothing of what is announced by forgetful methods; call what it returns to undo it. */
export function letForget(): () => void {
  const { add } = ChangeCollector.prototype
  ChangeCollector.prototype.add = function (this: ChangeCollector, announcement: Announcement) {
    if (forgetting.getStore() === undefined) add.call(this, announcement)
  }
  return () => {
    ChangeCollector.prototype.add = add
  }
}

function forgetful(tx: StoreWriter, named: string): StoreWriter {
  const [part = '', method = ''] = named.split('.')
  const writer: unknown = Reflect.get(tx, part)
  if (typeof writer !== 'object' || writer === null) throw new Error(`There is no writer ${part}.`)
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(writer)).map((name) => {
    const run = (...args: unknown[]) => Reflect.apply(Reflect.get(writer, name), writer, args)
    return [name, name === method ? (...args: unknown[]) => forgetting.run(true, () => run(...args)) : run]
  })
  const forgetful = Object.fromEntries(methods)
  return new Proxy(tx, { get: (tx, name) => (name === part ? forgetful : Reflect.get(tx, name, tx)) })
}
