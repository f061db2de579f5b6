import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { optionsOfStored } from './command/lost-database.ts'
import { withApp } from './command/operator.ts'
import { siteOption } from './command/site-module.ts'

/** `quire purge`: the cache in front of the site forgets everything, as after a release. A running service tells it. */
export const purge = command({
  meta: { name: 'purge', description: 'Let the cache in front of the site forget everything, as after a release' },
  args: siteOption,
  async run({ args }) {
    await withApp(
      args.site,
      async ({ site, store }) => {
        if (site.purge === null) throw new UsageError('The site has no cache in front: its option "purge" is missing.')
        await store.transaction(({ purges }) => purges.merge())
      },
      optionsOfStored,
    )
    console.log('The cache in front of the site is told to forget everything, as soon as the service runs.')
  },
})
