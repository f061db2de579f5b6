import autocannon from 'autocannon'
import { childSettings, type Job, type JobRequest, type Measured, reply } from './children.ts'

/** A hundredth of a millisecond is the finest step of the times; what takes longer than the last one counts there. */
const STEPS_PER_MS = 100
const LAST_STEP = 1_000_000

childSettings()
reply(measure)

/** Sends the requests of a job over several connections, each of which has its own share of them. */
async function measure(job: Job): Promise<Measured> {
  const times = new Uint32Array(LAST_STEP + 1)
  let next = 0
  let succeeded = 0
  const started = performance.now()
  let ended = started
  const instance = autocannon({
    url: job.url,
    connections: job.connections,
    headers: { ...job.headers },
    ...(job.seconds === null ? { amount: Math.max(job.requests.length, job.connections) } : { duration: job.seconds }),
    setupClient(client) {
      client.setRequests(share(job, next))
      next += 1
    },
  })
  instance.on('response', (_client, status, _bytes, time) => {
    ended = performance.now()
    if (job.status === undefined ? status >= 200 && status < 300 : status === job.status) succeeded += 1
    const step = Math.min(LAST_STEP, Math.round(time * STEPS_PER_MS))
    times[step] = (times[step] ?? 0) + 1
  })
  const result = await instance
  const seconds = (ended - started) / 1000
  return {
    perSecond: succeeded / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    requests: succeeded,
    failures: (job.status === undefined ? result.non2xx : 0) + result.errors + result.timeouts,
  }
}

function share(job: Job, connection: number): JobRequest[] {
  const own = job.requests.filter((_, index) => index % job.connections === connection % job.connections)
  return own.length > 0 ? own : [...job.requests]
}

function percentile(times: Uint32Array, part: number): number {
  const total = times.reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (let step = 0; step < times.length; step += 1) {
    seen += times[step] ?? 0
    if (seen >= total * part) return step / STEPS_PER_MS
  }
  return LAST_STEP / STEPS_PER_MS
}
