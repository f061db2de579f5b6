import type { Log } from '../base/log.ts'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { quietLog } from './log.ts'
import { optionsOfExisting } from './lost-database.ts'
import { siteOption } from './site-module.ts'
import { withoutPassword } from './welcome.ts'

/** The types whose documents held the global styles before there were styles. */
const PALETTES = ['@apostrophecms-pro/palette', '@apostrophecms/palette', '@cms/palette']

/** `quire migrate`: brings the tables of the database up to date. `quire migrate palette`: moves former styles (§9). */
export const migrateCommand = command({
  meta: { name: 'migrate', description: 'Bring the database up to date (QUIRE_DATABASE)' },
  args: {
    content: {
      type: 'positional',
      required: false,
      description: '"palette" moves the values of palette documents to the styles of the site',
    },
    force: { type: 'boolean', description: 'palette: move what can be moved, and delete all other values' },
    ...siteOption,
  },
  async run({ args }) {
    if (args.content === undefined) return migrateTables()
    if (args.content !== 'palette') throw new UsageError(`There is no migration "${args.content}", only "palette".`)
    await movePalettes(args.site, args.force === true)
  },
})

async function migrateTables(): Promise<void> {
  const { migrate } = await import('../store/open.ts')
  const options = await optionsOfExisting(process.env)
  const log: Log = { ...quietLog, info: (data, message) => console.error(message, data) }
  const steps = await migrate(options.database, { ...options, log })
  const done = steps.length === 0 ? 'nothing to do' : `done: ${steps.join(', ')}`
  console.log(`${withoutPassword(options.database)} is up to date (${done}).`)
}

async function movePalettes(site: string | undefined, force: boolean): Promise<void> {
  const [{ withApp }, { movePalettes }] = await Promise.all([
    import('./operator.ts'),
    import('../engine/styles/move-palettes.ts'),
  ])
  const { moved, leftOut } = await withApp(site, (ctx) => movePalettes(ctx, new Set(PALETTES), { force }))
  for (const problem of leftOut) console.error(`${force ? 'Deleted' : 'Would be lost'}: ${problem}`)
  if (leftOut.length > 0 && !force) {
    throw new UsageError(
      'Nothing was moved. Correct the style fields or the values, or lose these values with --force.',
    )
  }
  console.log(
    moved.length === 0
      ? 'There are no palette documents.'
      : `Moved to styles: ${moved.map(({ locale, mode }) => `${locale}:${mode}`).join(', ')}.`,
  )
}
