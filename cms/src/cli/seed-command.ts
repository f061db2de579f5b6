import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { quietLog } from './command/json-log.ts'
import { optionsOfExisting } from './command/lost-database.ts'
import { progress } from './command/progress.ts'
import { FIRST_CONTENT, loadSite, siteOption } from './command/site-module.ts'

/** `quire seed`: runs the seed of the site module, even when the database has content. */
export const seedCommand = command({
  meta: { name: 'seed', description: 'Run the seed of the site module again' },
  args: siteOption,
  async run({ args }) {
    const { site, seed } = await loadSite(args.site, process.env)
    if (seed === null) throw new UsageError('The site module exports no function “seed”.')
    const { createApp } = await import('../app.ts')
    const app = await createApp(site, { ...(await optionsOfExisting(process.env)), log: quietLog })
    try {
      const { aloneWith } = await import('./serve/alone.ts')
      const ctx = app.context({ kind: 'operator' })
      await aloneWith(ctx, FIRST_CONTENT, async () => seed(app, progress('Writing content')))
    } finally {
      await app.close()
    }
  },
})
