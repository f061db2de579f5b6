import { rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, createApp } from '../../cms/src/app.ts'
import { temporaryFolder } from '../../cms/test/temporary-folder.ts'
import { insertMany } from '../../conformance/batches.ts'
import { imageBodies, topicBody } from '../../conformance/seed.ts'
import { KEY } from '../command.ts'
import { type Answer, Connection } from '../connection.ts'
import { articleBody } from '../content.ts'
import { site } from '../site.ts'

/** Files of which at least one function is called while a request is answered. */
export interface EnteredFiles {
  /** An anonymous `GET` of an article of which nothing is cached yet. */
  readonly get: readonly string[]
  /** A `PATCH` of an article that was read. */
  readonly patch: readonly string[]
}

type Send = (method: 'GET' | 'PATCH', path: string, body?: object) => Promise<void>

const TOPICS = 2
const WARM = 12
/** How often each request is measured, each time with another article: what is entered now and then is left out. */
const ROUNDS = 4
/** So long that no background work begins. */
const NEVER_MS = 2 ** 31 - 1

/** Serves the site of the benchmarks from this process, and finds which files below `folder` requests enter. */
export async function enteredFiles(folder: string): Promise<EnteredFiles> {
  const data = await temporaryFolder('quire-shape')
  const options = {
    database: `sqlite:${join(data, 'shape.db')}`,
    uploads: join(data, 'uploads'),
    keys: [{ key: KEY, role: 'admin', name: 'Shape' }] as const,
    timeouts: { background: NEVER_MS },
    isInBackground: () => false,
  }
  try {
    const ids = await withApp(options, insertArticles)
    return await withApp(options, (app) => measure(app, ids, folder))
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function withApp<T>(options: Parameters<typeof createApp>[1], work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(site, options)
  return work(app).finally(() => app.close())
}

async function insertArticles(app: App): Promise<string[]> {
  const idsOf = (inserted: readonly { readonly id: string }[]) => inserted.map(({ id }) => id)
  const topics = idsOf(
    await insertMany(
      app,
      'topic',
      Array.from({ length: TOPICS }, (_, index) => topicBody(index)),
    ),
  )
  const [image] = await imageBodies(app)
  const images = idsOf(await insertMany(app, '@cms/image', image === undefined ? [] : [image]))
  const bodies = Array.from({ length: WARM + ROUNDS }, (_, index) => articleBody(index, topics, images))
  return idsOf(await insertMany(app, 'article', bodies))
}

/** First sends the same requests for other articles, which are not measured. */
async function measure(app: App, ids: readonly string[], folder: string): Promise<EnteredFiles> {
  const connection = await Connection.open(await app.listen(0, '127.0.0.1'))
  const send: Send = (method, path, body) => sendBy(connection, method, path, body)
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const read = (id: string) => () => send('GET', `/api/v1/article/${id}`)
    const change = (id: string) => () => send('PATCH', `/api/v1/article/${id}`, { subtitle: `Changed ${id}` })
    const warm = ids.slice(0, WARM)
    for (const request of [...warm.map(read), ...warm.map(change), ...warm.map(read)]) await request()
    const measured = ids.slice(WARM)
    const get = await enteredByEach(session, measured.map(read), folder)
    const patch = await enteredByEach(session, measured.map(change), folder)
    return { get, patch }
  } finally {
    session.disconnect()
    connection.close()
  }
}

/** The files that every one of the requests enters. */
async function enteredByEach(session: Session, requests: readonly (() => Promise<void>)[], folder: string) {
  const entered: string[][] = []
  for (const request of requests) {
    // Forgets the functions that were called before.
    await session.post('Profiler.takePreciseCoverage')
    await request()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const called = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    const paths = called.flatMap(({ url }) => (url.startsWith('file:') ? relative(folder, fileURLToPath(url)) : []))
    entered.push(paths.filter((path) => !path.startsWith('..')))
  }
  const [first = [], ...others] = entered
  return first.filter((path) => others.every((paths) => paths.includes(path))).toSorted()
}

async function sendBy(connection: Connection, method: string, path: string, body?: object): Promise<void> {
  const content = body === undefined ? '' : JSON.stringify(body)
  const head = [`${method} ${path} HTTP/1.1`, 'host: localhost']
  if (body !== undefined) {
    const length = Buffer.byteLength(content)
    head.push(`authorization: ApiKey ${KEY}`, 'content-type: application/json', `content-length: ${length}`)
  }
  const request = [...head, '', content].join('\r\n')
  const answer = await new Promise<Answer | Error>((resolve) => connection.send(request, resolve))
  if (answer instanceof Error) throw answer
  if (answer.status !== 200) throw new Error(`${method} ${path} is answered with ${answer.status}: ${answer.start}`)
}
