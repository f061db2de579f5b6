import { createApp } from '../../app.ts'
import { Metrics } from '../../base/metrics.ts'
import type { Context } from '../../engine/context.ts'
import { newContexts } from '../../engine/contexts.ts'
import { Embeds } from '../../engine/embeds/embeds.ts'
import { hookRunner } from '../../engine/hook-runner.ts'
import { openTemplates } from '../../engine/rendering/template-files.ts'
import { DeclaredContent } from '../../engine/values/declared-content.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { type App, openUploads } from '../../service.ts'
import { open } from '../../store/open-store.ts'
import { quietLog } from './json-log.ts'
import { optionsOfStored } from './lost-database.ts'
import { loadSite } from './site-module.ts'

/** Like `withApp`, without a site: for commands that touch no content. */
export async function asOperator<T>(work: (ctx: Context) => Promise<T>, optionsFrom = optionsOfStored): Promise<T> {
  const options = { ...(await optionsFrom(process.env)), log: quietLog }
  const site = compileSite(defineSite({}))
  // First, so that uploads are never there without the database.
  const store = await open(options.database, options)
  const files = await openUploads(site, options)
  try {
    return await work(await operatorContext({ site, store, files }))
  } finally {
    await files.close()
    await store.close()
  }
}

/** The context of the operator on what was opened, without features. */
export async function operatorContext({
  site,
  store,
  files,
}: Pick<Context, 'site' | 'store' | 'files'>): Promise<Context> {
  const context = newContexts({
    site,
    store,
    content: new DeclaredContent(site),
    files,
    embeds: new Embeds({ providers: [], networks: [], log: quietLog, now: () => store.now() }),
    templates: await openTemplates(site, { isDevelopment: false }),
    hooks: hookRunner([], site, quietLog),
    metrics: new Metrics(),
    memory: null,
    staticBaseUrl: site.staticBaseUrl,
    log: quietLog,
    as: () => {
      throw new Error('There is no content without a service.')
    },
  })
  return context({ kind: 'operator' })
}

/**
 * Runs `work` as the operator of a site, with its types and hooks, on the configured database. Throws `UsageError` where
 * there is none; commands that may begin one give `optionsOfExisting`.
 */
export async function withApp<T>(
  siteFile: string | undefined,
  work: (ctx: Context, app: App) => Promise<T>,
  optionsFrom = optionsOfStored,
): Promise<T> {
  const { site } = await loadSite(siteFile, process.env)
  const app = await createApp(site, { ...(await optionsFrom(process.env)), log: quietLog, tellsAtStart: false })
  try {
    return await work(app.context({ kind: 'operator' }), app)
  } finally {
    await app.close()
  }
}
