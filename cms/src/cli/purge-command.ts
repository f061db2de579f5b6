import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { withApp } from './command/operator.ts'
import { siteOption } from './command/site-module.ts'

/** `quire purge`: empties the cache in front of the site, as after a release. A running service sends the request. */
export const purge = command({
  meta: { name: 'purge', description: 'Purge everything from the cache in front of the site, as after a release' },
  args: siteOption,
  async run({ args }) {
    await withApp(args.site, async ({ site, store }) => {
      if (site.purge === null) throw new UsageError('The site has no cache in front: its option "purge" is missing.')
      await store.transaction(({ purges }) => purges.merge())
    })
    console.log('The cache in front of the site will be emptied as soon as the service runs.')
  },
})
