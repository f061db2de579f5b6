import { defineCommand } from 'citty'
import { counted } from '../base/text.ts'
import type { Context } from '../engine/context.ts'
import { pruneVersions } from '../engine/versions/tidy-versions.ts'
import type { KeptVersions } from '../model/declared/types.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { optionsOfStored, optionsOfStoredTrial } from './command/lost-database.ts'
import { withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { siteOption } from './command/site-module.ts'

const prune = command({
  meta: { name: 'prune', description: 'Delete old draft versions; publications and labelled versions stay' },
  args: {
    days: { type: 'string', description: 'Keep versions of so many days', valueHint: 'number' },
    count: { type: 'string', description: 'Keep so many of the newest of each document', valueHint: 'number' },
    'dry-run': { type: 'boolean', description: 'Only count them' },
    ...siteOption,
  },
  async run({ args }) {
    const given = { days: wholeNumber('days', args.days), count: wholeNumber('count', args.count) }
    const isDryRun = args['dry-run'] === true
    const prune = (ctx: Context) =>
      pruneVersions(ctx, keptVersions(given, ctx.site.keptVersions), { isDryRun, onProgress: progress('Pruning') })
    const removed = await withApp(args.site, prune, isDryRun ? optionsOfStoredTrial : optionsOfStored)
    const versions = counted(removed, 'version')
    console.log(isDryRun ? `${versions} would be deleted.` : `Deleted ${versions}.`)
  },
})

/** `quire versions prune`: maintenance of the history of documents. */
export const versions = defineCommand({
  meta: { name: 'versions', description: 'Maintain versions of documents' },
  subCommands: { prune },
})

function wholeNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number of at least 1.`)
}

/** Options of the command line take precedence over those of the site. */
function keptVersions(given: KeptVersions, declared: KeptVersions | null): KeptVersions {
  if (given.days !== null || given.count !== null) return given
  if (declared !== null) return declared
  throw new UsageError('Say which versions to keep: --days, --count, or the option versions.keep of the site.')
}
