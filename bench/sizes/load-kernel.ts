import { readFile, writeFile } from 'node:fs/promises'
import { createApp } from '../../cms/src/app.ts'
import { createKey } from '../../cms/src/engine/access/keys.ts'
import { refreshSearch } from '../../cms/src/engine/lists/search-index.ts'
import { insertMany } from '../../conformance/batches.ts'
import { prose } from '../../conformance/prose.ts'
import { imageBodies, topicBody } from '../../conformance/seed.ts'
import { MOST_MINUTES } from '../content.ts'
import type { Samples } from '../samples.ts'
import { insertTree } from '../tree.ts'
import { KINDS, site } from './sizes-site.ts'

const TOPICS = 50
const ARTICLES = 6000
const OF_EACH_KIND = 233
/** The top of the tree, and the pages below the last of it, which are what is copied. */
const [TOP_PAGES, PAGES] = [110, 500]
const SECTIONS = ['news', 'essay', 'review']
const LOCALES = ['en', 'en', 'en', 'en', 'en', 'en', 'en', 'de', 'de', 'fr']

/** Fills an empty database with 10,000 documents by the function that every POST goes through; writes the samples. */
export async function loadKernel(database: string, uploads: string, samplesFile: string): Promise<void> {
  const app = await createApp(site, { database, uploads })
  try {
    const topics = await insertMany(
      app,
      'topic',
      Array.from({ length: TOPICS }, (_, index) => topicBody(index)),
    )
    const images = await insertMany(app, '@cms/image', await imageBodies(app))
    const ids = { topics: topics.map(({ id }) => id), images: images.map(({ id }) => id) }
    const articles = await insertInLocales(app, 'article', ARTICLES, ids)
    for (let kind = 0; kind < KINDS; kind += 1) await insertInLocales(app, `kind${kind}`, OF_EACH_KIND, ids)
    const top = await insertTree(app, TOP_PAGES, '_home')
    const pages = await insertTree(app, PAGES, top.at(-1) ?? '_home')
    const { key } = await createKey(app.context({ kind: 'operator' }), { name: 'Benchmark', role: 'editor' })
    await refreshSearch(app.context({ kind: 'operator' }))
    await writeFile(samplesFile, JSON.stringify({ total: articles.length, topics, images, articles, top, pages, key }))
  } finally {
    await app.close()
  }
}

/** The samples that `loadKernel` has written. */
export async function samplesOf(file: string): Promise<Samples & { readonly top: readonly string[] }> {
  return JSON.parse(await readFile(file, 'utf8'))
}

type App = Awaited<ReturnType<typeof createApp>>

/** Answers those in English. */
async function insertInLocales(app: App, type: string, count: number, ids: Ids) {
  const inLocale = (locale: string) =>
    Array.from({ length: count }, (_, index) => index)
      .filter((index) => LOCALES[index % LOCALES.length] === locale)
      .map((index) => pieceBody(index, type, ids))
  await insertMany(app, type, inLocale('de'), () => {}, 'de')
  await insertMany(app, type, inLocale('fr'), () => {}, 'fr')
  return insertMany(app, type, inLocale('en'))
}

interface Ids {
  readonly topics: readonly string[]
  readonly images: readonly string[]
}

/** A piece as a client would send it, of about 1 KB. */
function pieceBody(index: number, type: string, { topics, images }: Ids) {
  const text = prose(index)
  const first = text.number(topics.length)
  const second = (first + 1 + text.number(topics.length - 1)) % topics.length
  const imageId = images[index % images.length]
  return {
    title: text.title(),
    minutes: index % MOST_MINUTES,
    section: SECTIONS[text.number(SECTIONS.length)] ?? 'news',
    body: { items: [{ type: '@cms/rich-text', content: text.paragraph(400) }] },
    topicsIds: [first, second].flatMap((at) => topics[at] ?? []),
    ...(type === 'article' && imageId !== undefined ? { subtitle: text.title(), imageIds: [imageId] } : {}),
  }
}
