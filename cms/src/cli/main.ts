import { type CommandDef, defineCommand, runMain } from 'citty'
import packageJson from '../../package.json' with { type: 'json' }
import { refuseUnknownCommand } from './command.ts'
import { readEnvFile } from './environment.ts'

const quire: CommandDef = defineCommand({
  meta: { name: 'quire', version: packageJson.version, description: packageJson.description },
  subCommands: {
    dev: () => import('./dev.ts').then((module) => module.dev),
    'dev-service': () => import('./dev/service.ts').then((module) => module.devService),
    serve: () => import('./serve.ts').then((module) => module.serve),
    check: () => import('./check.ts').then((module) => module.check),
    doctor: () => import('./doctor.ts').then((module) => module.doctor),
    migrate: () => import('./migrate.ts').then((module) => module.migrateCommand),
    key: () => import('./key.ts').then((module) => module.key),
    user: () => import('./user.ts').then((module) => module.user),
    reindex: () => import('./reindex.ts').then((module) => module.reindexCommand),
    media: () => import('./media.ts').then((module) => module.media),
    versions: () => import('./versions.ts').then((module) => module.versions),
    locale: () => import('./locale.ts').then((module) => module.locale),
    backup: () => import('./backup.ts').then((module) => module.backup),
    restore: () => import('./restore.ts').then((module) => module.restore),
    export: () => import('./export.ts').then((module) => module.exportCommand),
    import: () => import('./import.ts').then((module) => module.importCommand),
    job: () => import('./job.ts').then((module) => module.job),
    seed: () => import('./seed.ts').then((module) => module.seedCommand),
    completion: () => import('./completion.ts').then((module) => module.completionOf(quire)),
  },
})

/** The command line: runs the command that the first argument names. */
export async function main(rawArgs: string[]): Promise<void> {
  readEnvFile()
  if (!(await refuseUnknownCommand(quire, rawArgs))) await runMain(quire, { rawArgs })
}
