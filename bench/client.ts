import { childSettings, type Job, type JobRequest, type Measured, reply } from './children.ts'
import { type Answer, Connection } from './connection.ts'

childSettings()
reply(run)

/** Makes URLs distinct, in all jobs. */
let distinct = 0

/** Sends the requests of a job over several connections; each takes the next one when it has its answer. */
async function run(job: Job): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: job.connections }, () => Connection.open(job.url)))
  const readHead = headText(job, {})
  const writeHead = headText(job, job.writeHeaders ?? {})
  const amount = job.seconds === null ? (job.amount ?? job.requests.length) : Number.POSITIVE_INFINITY
  const times: number[] = []
  const failures: string[] = []
  let sent = 0
  const started = performance.now()
  const until = job.seconds === null ? Number.POSITIVE_INFINITY : started + job.seconds * 1000
  await Promise.all(
    connections.map(
      (connection) =>
        new Promise<void>((done) => {
          const next = () => {
            const began = performance.now()
            const request = job.requests[((job.from ?? 0) + sent) % job.requests.length]
            if (sent >= amount || began >= until || request === undefined) return done()
            sent += 1
            connection.send(textOf(request, request.method === 'GET' ? readHead : writeHead, job), (answer) => {
              if (isExpected(job, answer)) times.push(performance.now() - began)
              else failures.push(startOf(request, answer))
              if (answer instanceof Error) done()
              else next()
            })
          }
          next()
        }),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  for (const connection of connections) connection.close()
  const sorted = Float64Array.from(times).sort()
  return {
    perSecond: times.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    requests: times.length,
    failures: failures.length,
    failure: failures[0],
  }
}

function headText({ url, headers }: Job, more: Job['headers']): string {
  const all = Object.entries({ host: new URL(url).host, ...headers, ...more })
  return all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

function textOf({ method, path, body }: JobRequest, headers: string, job: Job): string {
  const isUnique = job.isUnique === true && method === 'GET'
  if (isUnique) distinct += 1
  const url = isUnique ? `${path}${path.includes('?') ? '&' : '?'}_=${distinct}` : path
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${url} HTTP/1.1\r\n${headers}${length}\r\n${body ?? ''}`
}

function isExpected({ status }: Job, answer: Answer | Error): boolean {
  if (answer instanceof Error) return false
  return status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status
}

function startOf({ method, path }: JobRequest, answer: Answer | Error): string {
  const text = answer instanceof Error ? answer.message : answer.start.toString('utf8', 0, 1000)
  return `${method} ${path}: ${text}`
}

function percentile(sorted: Float64Array, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
