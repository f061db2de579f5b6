import { stat } from 'node:fs/promises'
import { type App, createApp } from '../cms/src/app.ts'
import { createKey } from '../cms/src/engine/access/keys.ts'
import { refreshSearch } from '../cms/src/engine/lists/search-index.ts'
import { insertMany } from '../conformance/batches.ts'
import { imageBodies, topicBody } from '../conformance/seed.ts'
import { childSettings, reply } from './children.ts'
import { articleBody } from './content.ts'
import { type Loading, type Samples, spread } from './samples.ts'
import { site } from './site.ts'
import { insertTree } from './tree.ts'

/** A process that fills an empty database; its result names the documents that it made. */
interface LoadSettings {
  readonly database: string
  readonly uploads: string
  /** How many articles. */
  readonly size: number
  readonly pages: number
}

const TOPICS = 50
const ARTICLE_SAMPLES = 5000
const PAGE_SAMPLES = 2000

const settings = childSettings<LoadSettings>()
reply(load)

/** First what articles refer to, and the pages; then the articles, which are timed. */
async function load(): Promise<{ samples: Samples; loading: Loading }> {
  const others = await withApp(insertOthers)
  const before = await fileBytes()
  const started = performance.now()
  const at = new Date().toISOString()
  const { articles, seconds } = await withApp(async (app) => {
    const bodies = articleBodies(
      others.topics.map(({ id }) => id),
      others.images.map(({ id }) => id),
    )
    const articles = await insertMany(app, 'article', bodies, (done) => say(done, started))
    return { articles, seconds: secondsSince(started) }
  })
  const indexedSeconds = secondsSince(started)
  const after = await fileBytes()
  const bytesEach = before === null || after === null ? null : (after - before) / settings.size
  const samples = { ...others, total: settings.size, articles: spread(articles, ARTICLE_SAMPLES) }
  return { samples, loading: { at, seconds, indexedSeconds, bytesEach } }
}

async function insertOthers(app: App): Promise<Omit<Samples, 'total' | 'articles'>> {
  const topicBodies = Array.from({ length: TOPICS }, (_, index) => topicBody(index))
  const topics = await insertMany(app, 'topic', topicBodies)
  const images = await insertMany(app, '@cms/image', await imageBodies(app))
  const pages = spread(await insertTree(app, settings.pages, '_home'), PAGE_SAMPLES)
  const { key } = await createKey(app.context({ kind: 'operator' }), { name: 'Benchmark', role: 'editor' })
  return { topics, images, pages, key }
}

/** Does some work, and waits for search, too. */
async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const { database, uploads } = settings
  const app = await createApp(site, { database, uploads })
  try {
    const result = await work(app)
    await refreshSearch(app.context({ kind: 'operator' }))
    return result
  } finally {
    await app.close()
  }
}

function* articleBodies(topicIds: readonly string[], imageIds: readonly string[]) {
  for (let index = 0; index < settings.size; index += 1) yield articleBody(index, topicIds, imageIds)
}

function say(done: number, started: number): void {
  if (done % 50_000 === 0) console.error(`  ${done} articles in ${secondsSince(started).toFixed(0)} s`)
}

async function fileBytes(): Promise<number | null> {
  const { database } = settings
  return database.startsWith('sqlite:') ? (await stat(database.slice('sqlite:'.length))).size : null
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000
}
