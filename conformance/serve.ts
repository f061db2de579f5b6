import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../cms/src/app.ts'
import { appOptions } from '../cms/src/cli/command/environment.ts'
import { FRONT_KEY, KEYS, makeUsers } from './callers.ts'
import { seed } from './seed.ts'
import { referenceSite } from './site.ts'

/**
 * `npm run conformance`: the reference site on `PORT` (default 3900), with a fresh database and uploads folder under
 * `QUIRE_DATA` (default: a new temporary folder). The variables of `quire serve` count: `QUIRE_DATABASE` names another
 * database, `QUIRE_CACHE_MB` the size of the answer cache. Who may call it is in callers.ts, what varies the site in
 * site.ts. `QUIRE_SEED=N` first loads N articles and what belongs to them.
 */
const environment = process.env
const data = environment.QUIRE_DATA ?? mkdtempSync(join(tmpdir(), 'quire-conformance-'))
const options = appOptions(environment)
const app = await createApp(referenceSite(environment), {
  uploads: join(data, 'uploads'),
  frontKey: FRONT_KEY,
  ...options,
  database: environment.QUIRE_DATABASE?.trim() ? options.database : freshDatabase(data),
  keys: [...KEYS, ...options.keys],
  log: {
    info: () => {},
    warn: (data, message) => console.warn(message, data),
    error: (data, message) => console.error(message, data),
  },
})
await makeUsers(app)
const count = Number(environment.QUIRE_SEED ?? 0)
if (count > 0) await seed(app, count, (done) => console.log(`Loaded ${done} of ${count} articles.`))
const address = await app.listen(Number(environment.PORT ?? 3900))
console.log(`The reference site is at ${address}. Its data is in ${data}.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

function freshDatabase(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'reference.db')
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  return `sqlite:${file}`
}

async function stop(): Promise<void> {
  await app.close()
  process.exit(0)
}
