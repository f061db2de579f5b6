import { DocumentId } from '../model/terms/document.ts'
import { command } from './command/command.ts'
import { quietLog } from './command/json-log.ts'
import { optionsOfStored } from './command/lost-database.ts'
import { progress } from './command/progress.ts'
import { loadSite, siteOption } from './command/site-module.ts'

/**
 * `quire reindex`: rebuilds the index of lists and search. Needed when custom field types index their values otherwise.
 * Fails when documents share the value of a unique field, and lists them.
 */
export const reindexCommand = command({
  meta: { name: 'reindex', description: 'Rebuild the index, after the fields of the site have changed' },
  args: siteOption,
  async run({ args }) {
    const { site } = await loadSite(args.site, process.env)
    const [{ createApp }, { reindex }] = await Promise.all([import('../app.ts'), import('../engine/lists/reindex.ts')])
    const app = await createApp(site, { ...(await optionsOfStored(process.env)), log: quietLog })
    try {
      const { count, taken } = await reindex(app.context({ kind: 'operator' }), progress('Indexing'))
      console.log(`Indexed ${count} copies of documents.`)
      for (const { id, name } of taken)
        console.error(`${DocumentId.format(id)}: another document has the same ${name}. Give one of them another.`)
      if (taken.length > 0) process.exitCode = 1
    } finally {
      await app.close()
    }
  },
})
