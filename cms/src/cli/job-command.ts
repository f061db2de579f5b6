import { defineCommand } from 'citty'
import type { Log } from '../base/log.ts'
import type { Context } from '../engine/context.ts'
import { type Job, runJob } from '../engine/run-jobs.ts'
import type { App } from '../service.ts'
import type { JobState } from '../store/contract/store.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { printed, quietLog } from './command/json-log.ts'
import { withApp } from './command/operator.ts'
import { siteOption } from './command/site-module.ts'

const list = command({
  meta: { name: 'list', description: 'List the jobs, when they run next, and how they ended' },
  args: siteOption,
  async run({ args }) {
    const list = async ({ store }: Context, { jobs }: App) => {
      const states = new Map((await store.jobs.list()).map((state) => [state.name, state]))
      for (const job of jobs) console.log(lineOf(job, states.get(job.name)))
    }
    await withApp(args.site, list)
  },
})

const run = command({
  meta: { name: 'run', description: 'Run a job now, unless another process is running it' },
  args: { ...siteOption, name: { type: 'positional', description: 'The name of the job', required: true } },
  async run({ args }) {
    const run = async (operator: Context, { jobs }: App) => {
      const job = jobs.find(({ name }) => name === args.name)
      if (job === undefined) {
        throw new UsageError(`There is no job "${args.name}". There are: ${jobs.map(({ name }) => name).join(', ')}.`)
      }
      const stop = new AbortController()
      process.once('SIGINT', () => stop.abort())
      const log: Log = { ...quietLog, info: printed('log') }
      const ctx = { ...operator, log }
      const outcome = await runJob(ctx, job, { signal: stop.signal, isForced: true })
      if (outcome === 'running elsewhere')
        throw new UsageError(`Another process is running "${job.name}". Try again later.`)
      if (outcome === 'failed') throw new UsageError(`"${job.name}" failed. The log says why.`)
      console.log(`"${job.name}" is done.`)
    }
    await withApp(args.site, run)
  },
})

/** `quire job list|run`: work that one of all processes does on schedule. */
export const job = defineCommand({
  meta: { name: 'job', description: 'List and run jobs' },
  subCommands: { list, run },
})

function lineOf({ name }: Job, state: JobState | undefined): string {
  const at = (moment: number | null) => (moment === null ? 'never' : new Date(moment).toISOString())
  const next = state === undefined ? 'when the service runs' : state.holder === null ? at(state.due) : 'running'
  const failed = state?.failures ? `; failed ${state.failures} times: ${state.error}` : ''
  return `${name}: next ${next}; last ended ${at(state?.endedAt ?? null)}${failed}`
}
