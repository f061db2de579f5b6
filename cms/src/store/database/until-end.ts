import type { Transaction } from './database.ts'

/**
 * Work in a transaction, which takes no statements after the work has ended: those would be part of another
 * transaction, or of none, and would be stored although this one was not.
 */
export async function untilEnd<T>(begun: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let hasEnded = false
  const unlessEnded = <Result>(send: () => Promise<Result>): Promise<Result> =>
    hasEnded ? Promise.reject(new Error('This transaction has ended: it takes no more statements.')) : send()
  try {
    return await work({
      ...begun,
      all: (query) => unlessEnded(() => begun.all(query)),
      varied: (query) => unlessEnded(() => begun.varied(query)),
      fixed: (query, values) => unlessEnded(() => begun.fixed(query, values)),
      send: (statement) => unlessEnded(() => begun.send(statement)),
    })
  } finally {
    hasEnded = true
  }
}
