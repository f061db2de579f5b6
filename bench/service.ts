import { enableCompileCache } from 'node:module'
import { childSettings, ownUsage, reply } from './children.ts'

/** The service under measurement, in a process of its own. */
export interface ServiceSettings {
  readonly database: string
  readonly port: number
  readonly key: string
  /** Left out: the default. */
  readonly cacheBytes?: number
  readonly frontKey?: string
}

const { database, port, key, cacheBytes, frontKey } = childSettings<ServiceSettings>()
// As the command does, before anything large is read.
enableCompileCache()
const [{ createApp }, { site }] = await Promise.all([import('../cms/src/app.ts'), import('./site.ts')])
const app = await createApp(site, {
  database,
  keys: [{ key, role: 'admin', name: 'Benchmark' }],
  ...(frontKey === undefined ? {} : { frontKey }),
  ...(cacheBytes === undefined ? {} : { cacheBytes }),
})
await app.listen(port, '127.0.0.1')
process.on('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
reply(ownUsage)
