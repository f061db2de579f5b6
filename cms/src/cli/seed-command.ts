import { createApp } from '../app.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { quietLog } from './command/json-log.ts'
import { optionsOfExisting } from './command/lost-database.ts'
import { progress } from './command/progress.ts'
import { FIRST_CONTENT, loadSite, siteOption } from './command/site-module.ts'
import { aloneWith } from './serve/alone.ts'

/** `quire seed`: runs the seed of the site module, even when the database has content. */
export const seedCommand = command({
  meta: { name: 'seed', description: 'Run the seed of the site module again' },
  args: siteOption,
  async run({ args }) {
    const { site, seed } = await loadSite(args.site, process.env)
    if (seed === null) throw new UsageError('The site module exports no function “seed”.')
    const app = await createApp(site, { ...(await optionsOfExisting(process.env)), log: quietLog })
    try {
      const ctx = app.context({ kind: 'operator' })
      await aloneWith(ctx, FIRST_CONTENT, async () => seed(app, progress('Writing content')))
    } finally {
      await app.close()
    }
  },
})
