import type { Context } from '../engine/context.ts'
import { hookRunner } from '../engine/hook-runner.ts'
import { compileSite, defineSite } from '../model/site.ts'
import { open } from '../store/open.ts'
import { appOptions } from './environment.ts'
import { quietLog } from './log.ts'

/** Runs `work` on the database of the environment as the operator, without a site: for what no content is part of. */
export async function asOperator<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const options = appOptions(process.env)
  const site = compileSite(defineSite({}))
  const store = await open(options.database, { ...options, log: quietLog })
  try {
    return await work({
      site,
      store,
      actor: { kind: 'operator' },
      locale: site.defaultLocale,
      mode: 'published',
      asked: { locale: null, mode: null },
      hooks: hookRunner([]),
      now: () => new Date(),
      log: quietLog,
    })
  } finally {
    await store.close()
  }
}
