import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../cms/src/app.ts'
import { ROLES } from '../cms/src/model/roles.ts'
import { seed } from './seed.ts'
import { referenceSite } from './site.ts'

/**
 * `npm run conformance`: the reference site on `PORT` (default 3900), with a fresh database and uploads folder under
 * `QUIRE_DATA` (default a new temporary folder), or on the database `QUIRE_DATABASE`. API keys are `key-admin`,
 * `key-editor`, `key-contributor` and `key-guest`; `QUIRE_SEED=N` loads N articles first. See site.ts for the rest.
 */
const environment = process.env
const data = environment.QUIRE_DATA ?? mkdtempSync(join(tmpdir(), 'quire-conformance-'))
const app = await createApp(referenceSite(environment), {
  database: environment.QUIRE_DATABASE ?? freshDatabase(data),
  uploads: join(data, 'uploads'),
  keys: ROLES.map((role) => ({ key: `key-${role}`, role, name: role })),
  log: {
    info: () => {},
    warn: (data, message) => console.warn(message, data),
    error: (data, message) => console.error(message, data),
  },
})
const count = Number(environment.QUIRE_SEED ?? 0)
if (count > 0) await seed(app, count, (done) => console.log(`Loaded ${done} of ${count} articles.`))
const address = await app.listen(Number(environment.PORT ?? 3900))
console.log(`The reference site answers at ${address}, its data is in ${data}.`)
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
