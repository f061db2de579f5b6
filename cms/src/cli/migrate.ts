import { command } from './command.ts'
import { quietLog } from './log.ts'
import { optionsOfExisting } from './lost-database.ts'
import { withoutPassword } from './welcome.ts'

/** `quire migrate`: brings the tables of the database up to date. */
export const migrateCommand = command({
  meta: { name: 'migrate', description: 'Bring the database up to date (QUIRE_DATABASE)' },
  async run() {
    const { migrate } = await import('../store/open.ts')
    const options = await optionsOfExisting(process.env)
    const steps = await migrate(options.database, { ...options, log: quietLog })
    const done = steps.length === 0 ? 'nothing to do' : `done: ${steps.join(', ')}`
    console.log(`${withoutPassword(options.database)} is up to date (${done}).`)
  },
})
