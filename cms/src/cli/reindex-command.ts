import { reindex } from '../engine/lists/reindex.ts'
import { DocumentId } from '../model/terms/document-id.ts'
import { command } from './command/command.ts'
import { withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { siteOption } from './command/site-module.ts'

/**
 * `quire reindex`: rebuilds the index of lists and search. Needed when custom field types index their values otherwise.
 * Fails when documents share the value of a unique field, and lists them.
 */
export const reindexCommand = command({
  meta: { name: 'reindex', description: 'Rebuild the index, after the fields of the site have changed' },
  args: siteOption,
  async run({ args }) {
    const { count, taken } = await withApp(args.site, (ctx) => reindex(ctx, progress('Indexing')))
    console.log(`Indexed ${count} copies of documents.`)
    for (const { id, name } of taken)
      console.error(`${DocumentId.format(id)}: another document has the same ${name}. Give one of them another.`)
    if (taken.length > 0) process.exitCode = 1
  },
})
