import { dirname } from 'node:path'
import { styleText } from 'node:util'
import { type AppOptions, uploadsOf } from '../service.ts'
import { databaseFile } from '../store/database/database-file.ts'
import { command } from './command/command.ts'
import { appOptions, type Environment, workerCount } from './command/environment.ts'
import { checkDatabase } from './doctor/check-database.ts'
import { checkEnvironment } from './doctor/check-environment.ts'
import type { Finding } from './doctor/finding.ts'
import { checkMachine } from './doctor/machine.ts'
import { checkStorage } from './doctor/storage.ts'

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `quire doctor`: looks at all that a service needs, and says what to do. Fails where something is wrong. */
export const doctor = command({
  meta: { name: 'doctor', description: 'Check database, storage, machine and environment, and say what to do' },
  args: { json: { type: 'boolean', description: 'As JSON, for programs' } },
  async run({ args }) {
    const findings = await examine(process.env)
    if (args.json === true) console.log(JSON.stringify({ isHealthy: !hasFailed(findings), findings }, null, 2))
    else for (const finding of findings) console.log(lineOf(finding))
    if (hasFailed(findings)) process.exitCode = 1
  },
})

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'fail')
}

async function examine(env: Environment): Promise<readonly Finding[]> {
  const first = await checkEnvironment(env)
  // Without options that can be read there is nothing else to look at.
  if (hasFailed(first)) return first
  const options = appOptions(env)
  const workers = workerCount(undefined, env)
  const machine = await checkMachine(await foldersOf(options), workers)
  return [...first, ...machine, ...(await checkDatabase(options, workers)), ...(await checkStorage(options))]
}

/** Where the service writes on this machine. */
async function foldersOf(options: AppOptions): Promise<readonly string[]> {
  const [file, uploads] = [databaseFile(options.database), uploadsOf(options)]
  return [process.cwd(), ...(file === null ? [] : [dirname(file)]), ...(uploads.startsWith('s3:') ? [] : [uploads])]
}

function lineOf({ level, about, message, advice }: Finding): string {
  const mark = styleText(COLOURS[level], level.padEnd(4), { stream: process.stdout })
  return `${mark}  ${about.padEnd(11)}  ${message}${advice === null ? '' : `\n${' '.repeat(19)}${advice}`}`
}
