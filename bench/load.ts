import { createApp } from '../cms/src/app.ts'
import { insertMany } from '../conformance/batches.ts'
import { topicBody } from '../conformance/seed.ts'
import { childSettings, reply } from './children.ts'
import { articleBody } from './content.ts'
import { type Samples, spread } from './samples.ts'
import { site } from './site.ts'

/** A process that fills an empty database and tells which documents it made. */
interface LoadSettings {
  readonly database: string
  readonly size: number
}

const TOPICS = 50
const SAMPLES = 4000

const { database, size } = childSettings<LoadSettings>()
reply(load)

async function load(): Promise<Samples> {
  const app = await createApp(site, { database })
  try {
    const topics = await insertMany(
      app,
      'topic',
      Array.from({ length: TOPICS }, (_, index) => topicBody(index)),
    )
    const topicIds = topics.map((topic) => topic.id)
    const articles = await insertMany(app, 'article', articleBodies(topicIds))
    return { total: size, articles: spread(articles, SAMPLES), topics }
  } finally {
    await app.close()
  }
}

function* articleBodies(topicIds: readonly string[]) {
  for (let index = 0; index < size; index += 1) yield articleBody(index, topicIds)
}
