import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runMain } from 'citty'
import packageJson from '../../package.json' with { type: 'json' }
import { fail, refuseUnknownCommand, resolved } from './command/command.ts'
import { readEnvFile } from './command/env-file.ts'
import { misspelledVariables, OF_SERVICE } from './command/known-variables.ts'

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
    purge: () => import('./purge-command.ts').then((module) => module.purge),
    reindex: () => import('./reindex-command.ts').then((module) => module.reindexCommand),
    media: () => import('./media-command.ts').then((module) => module.media),
    versions: () => import('./versions-command.ts').then((module) => module.versions),
    locale: () => import('./locale-command.ts').then((module) => module.locale),
    backup: () => import('./backup-command.ts').then((module) => module.backup),
    restore: () => import('./restore-command.ts').then((module) => module.restore),
    export: () => import('./export-command.ts').then((module) => module.exportCommand),
    import: () => import('./import-command.ts').then((module) => module.importCommand),
    deploy: () => import('./deploy-command.ts').then((module) => module.deploy),
    mcp: () => import('./mcp-command.ts').then((module) => module.mcp),
    job: () => import('./job-command.ts').then((module) => module.job),
    seed: () => import('./seed-command.ts').then((module) => module.seedCommand),
  },
})

/** Commands that report misspelled variables in their own way: in the log, or before they start the service. */
const REPORT_THEMSELVES = new Set(['serve', 'dev-service', 'doctor'])

/** The command line: runs the command that the first argument names; `quire help user` is `quire user --help`. */
export async function main(given: string[]): Promise<void> {
  try {
    readEnvFile()
  } catch (error) {
    return fail(error)
  }
  await runCommand(given[0] === 'help' ? [...given.slice(1), '--help'] : given)
}

async function runCommand(rawArgs: string[]): Promise<void> {
  if (await refuseUnknownCommand(quire, rawArgs)) return
  const isHelp = rawArgs.length === 0 || ['--help', '-h', '--version', '-v'].some((option) => rawArgs.includes(option))
  if (!isHelp) reportMisspelledVariables(rawArgs[0] ?? '')
  // After a mistake, what is printed is not what another program has asked for: KEY=$(quire key create …).
  const say = isHelp ? console.log : console.error
  await runMain(quire, { rawArgs, showUsage: async (...command) => say(`${await usageOf(...command)}\n`) })
}

/** Says of misspelled variables, unless the command does so itself, or would not read the one that is meant. */
function reportMisspelledVariables(name: string): void {
  if (REPORT_THEMSELVES.has(name)) return
  for (const { meant, message } of misspelledVariables(process.env)) {
    if (name === 'dev' || !OF_SERVICE.includes(meant)) console.error(`quire: ${message}`)
  }
}

/** Returns the usage of a command with its whole name; the library knows only the name above it. */
async function usageOf<Args extends ArgsDef>(definition: CommandDef<Args>, above?: CommandDef<Args>): Promise<string> {
  const meta = await resolved(above?.meta)
  const isBelow = meta?.name !== undefined && meta.name !== 'quire'
  return renderUsage(definition, isBelow ? { ...above, meta: { ...meta, name: `quire ${meta.name}` } } : above)
}
