import type { Context } from '../engine/context.ts'
import type { App } from '../service.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { optionsOfExisting } from './command/lost-database.ts'
import { withApp } from './command/operator.ts'
import { FIRST_CONTENT, loadSite, siteOption } from './command/site-module.ts'
import { aloneWith, runSeed } from './serve/run-seed.ts'

/** `quire seed`: runs the seed of the site module, even when the database has content. */
export const seedCommand = command({
  meta: { name: 'seed', description: 'Run the seed of the site module again' },
  args: siteOption,
  async run({ args }) {
    const { seed } = await loadSite(args.site, process.env)
    if (seed === null) throw new UsageError('The site module exports no function “seed”.')
    const work = (ctx: Context, app: App) => aloneWith(ctx, FIRST_CONTENT, () => runSeed(app, seed, 'Writing content'))
    await withApp(args.site, work, optionsOfExisting)
  },
})
