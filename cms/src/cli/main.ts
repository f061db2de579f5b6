import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runMain } from 'citty'
import packageJson from '../../package.json' with { type: 'json' }
import { refuseUnknownCommand, resolved } from './command/command.ts'
import { misspelledVariables, readEnvFile } from './command/environment.ts'

const quire: CommandDef = defineCommand({
  meta: { name: 'quire', version: packageJson.version, description: packageJson.description },
  subCommands: {
    dev: () => import('./dev-command.ts').then((module) => module.dev),
    'dev-service': () => import('./dev/dev-service.ts').then((module) => module.devService),
    serve: () => import('./serve-command.ts').then((module) => module.serve),
    check: () => import('./check-command.ts').then((module) => module.check),
    doctor: () => import('./doctor-command.ts').then((module) => module.doctor),
    migrate: () => import('./migrate-command.ts').then((module) => module.migrateCommand),
    key: () => import('./key-command.ts').then((module) => module.key),
    user: () => import('./user-command.ts').then((module) => module.user),
    reindex: () => import('./reindex-command.ts').then((module) => module.reindexCommand),
    media: () => import('./media-command.ts').then((module) => module.media),
    versions: () => import('./versions-command.ts').then((module) => module.versions),
    locale: () => import('./locale-command.ts').then((module) => module.locale),
    backup: () => import('./backup-command.ts').then((module) => module.backup),
    restore: () => import('./restore-command.ts').then((module) => module.restore),
    export: () => import('./export-command.ts').then((module) => module.exportCommand),
    import: () => import('./import-command.ts').then((module) => module.importCommand),
    job: () => import('./job-command.ts').then((module) => module.job),
    seed: () => import('./seed-command.ts').then((module) => module.seedCommand),
  },
})

/** Commands that report misspelled variables in their own way, in the log. */
const REPORT_THEMSELVES = new Set(['serve', 'dev-service', 'doctor'])

/** The command line: runs the command that the first argument names. */
export async function main(rawArgs: string[]): Promise<void> {
  readEnvFile()
  if (!REPORT_THEMSELVES.has(rawArgs[0] ?? '')) {
    for (const mistake of misspelledVariables(process.env)) console.error(`quire: ${mistake.message}`)
  }
  if (await refuseUnknownCommand(quire, rawArgs)) return
  const isHelp = rawArgs.includes('--help') || rawArgs.includes('-h')
  // After a mistake, what is printed is not what another program has asked for: KEY=$(quire key create …).
  const say = isHelp ? console.log : console.error
  await runMain(quire, { rawArgs, showUsage: async (...command) => say(`${await usageOf(...command)}\n`) })
}

/** How a command is used, by its whole name; the library knows only the name above it. */
async function usageOf<Args extends ArgsDef>(definition: CommandDef<Args>, above?: CommandDef<Args>): Promise<string> {
  const meta = await resolved(above?.meta)
  const isBelow = meta?.name !== undefined && meta.name !== 'quire'
  return renderUsage(definition, isBelow ? { ...above, meta: { ...meta, name: `quire ${meta.name}` } } : above)
}
