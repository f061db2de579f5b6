import { type TestDatabase, type TestDatabases, testDatabases } from './databases.ts'
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { sample } from './sample.ts'
import { startTransactionPooler, type TransactionPooler } from './transaction-pooler.ts'

/** Poolers in transaction mode: one that is as small as can be, and PgBouncer where that is installed. */
export const poolers: readonly { readonly pooler: string; start(serverUrl: string): Promise<TransactionPooler> }[] = [
  { pooler: 'a pooler that gives each transaction another connection', start: startTransactionPooler },
  ...(hasPgBouncer() ? [{ pooler: 'PgBouncer in transaction mode', start: startPgBouncer }] : []),
]

/** Databases that a store is opened on; `title` says which. */
export interface StoreDatabases extends Pick<TestDatabases, 'name'> {
  readonly title: string
  /** Whether stores hear what others change; else they ask, and take everything for changed. */
  readonly isTold: boolean
  create(): Promise<StoreDatabase>
  createReady(): Promise<StoreDatabase>
}

export interface StoreDatabase extends TestDatabase {
  readonly listenAt?: string
  /** Leads past the pooler. */
  readonly direct: string
}

const behindPoolers = testDatabases
  .filter(({ name }) => name === 'PostgreSQL')
  .flatMap((databases) =>
    poolers.flatMap(({ pooler, start }): StoreDatabases[] => {
      const behind = (isTold: boolean): StoreDatabases => {
        const listenAt = (url: string) => (isTold ? url : 'none')
        const pooled = async (made: Promise<TestDatabase>) => behindPooler(await made, start, listenAt)
        return {
          name: 'PostgreSQL',
          title: `PostgreSQL behind ${pooler}, ${isTold ? 'listening to the server' : 'asking'}`,
          isTold,
          create: () => pooled(databases.create()),
          createReady: () => pooled(databases.createReady()),
        }
      }
      return [behind(true), behind(false)]
    }),
  )

const direct = testDatabases.map((databases): StoreDatabases => {
  const withoutPooler = async (made: Promise<TestDatabase>) => ({ ...(await made), direct: (await made).url })
  return {
    name: databases.name,
    title: databases.name,
    isTold: true,
    create: () => withoutPooler(databases.create()),
    createReady: () => withoutPooler(databases.createReady()),
  }
})

/** Every kind of database, and PostgreSQL behind poolers of transactions: one of these in `npm test`, another each time. */
export const storeDatabases: readonly StoreDatabases[] = [...direct, ...sample(behindPoolers, 1)]

async function behindPooler(
  database: TestDatabase,
  start: (serverUrl: string) => Promise<TransactionPooler>,
  listenAt: (url: string) => string,
): Promise<StoreDatabase> {
  const pooler = await start(database.url)
  const drop = async () => {
    await pooler.close()
    await database.drop()
  }
  return { url: pooler.url, direct: database.url, listenAt: listenAt(database.url), drop }
}
