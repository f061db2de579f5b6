import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../cms/src/app.ts'
import { importFile, insertPage, newId, treeTarget, write } from '../cms/src/index.ts'
import { insertMany } from './batches.ts'
import { type Prose, prose } from './prose.ts'

const TOPICS = 50
const IMAGES = 20
const PAGES = 200
/** Children of each page: three levels below home. */
const CHILDREN = 10
const TAGS = ['red', 'green', 'blue']

/**
 * Fills the reference site: 50 topics, 20 images, 200 pages and `count` articles of 3 to 5 KB (three rich text widgets,
 * two topics, an image), always the same ones.
 */
export async function seed(app: App, count: number, onProgress: (done: number) => void): Promise<void> {
  const topics = await insertMany(
    app,
    'topic',
    Array.from({ length: TOPICS }, (_, index) => topicBody(index)),
  )
  const topicIds = topics.map((topic) => topic.id)
  const images = await insertMany(app, '@cms/image', await imageBodies(app))
  const content = articleBodies(
    count,
    topicIds,
    images.map((image) => image.id),
  )
  await insertMany(app, 'article', content, onProgress)
  await insertPages(app)
}

/** A tree of pages, each with an introduction and a rich text widget. */
async function insertPages(app: App): Promise<void> {
  const type = app.site.types.get('default-page')
  if (type === undefined) throw new Error('The site has no default pages.')
  await write(app.context({ kind: 'operator' }), async (ctx) => {
    const ids: string[] = []
    while (ids.length < PAGES) {
      const text = prose(3_000_000 + ids.length)
      const targetId = ids[Math.floor(ids.length / CHILDREN) - 1] ?? '_home'
      const target = treeTarget(targetId, 'lastChild')
      const page = { docId: newId(), locale: app.site.defaultLocale, mode: 'published', type, target } as const
      const main = { items: [{ type: `${app.site.namespace}/rich-text`, content: text.paragraph(700) }] }
      const { document } = await insertPage(ctx, page, { title: text.title(), intro: text.title(), main })
      ids.push(document.id.docId)
    }
  })
}

/** Images as a client would send them, with their files, which are stored first. */
export async function imageBodies(app: App) {
  const ctx = app.context({ kind: 'operator' })
  const { paint } = await import('./paint.ts')
  const folder = await mkdtemp(join(tmpdir(), 'quire-images-'))
  try {
    const bodies: { title: string; alt: string; attachment: { _id: string } }[] = []
    for (let index = 0; index < IMAGES; index += 1) {
      const text = prose(2_000_000 + index)
      const title = text.title()
      const path = join(folder, 'image')
      await writeFile(path, await paint(text))
      const { id: _id } = await importFile(ctx, path, `${title}.jpg`)
      bodies.push({ title, alt: text.title(), attachment: { _id } })
    }
    return bodies
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A topic as a client would send it. */
export function topicBody(index: number) {
  const text = prose(1_000_000 + index)
  return { title: text.title(), blurb: text.title() }
}

function* articleBodies(count: number, topicIds: readonly string[], imageIds: readonly string[]) {
  for (let index = 0; index < count; index += 1) {
    const text = prose(index)
    yield {
      ...articleText(text, topicIds),
      imageIds: imageIds.slice(index % imageIds.length, (index % imageIds.length) + 1),
      count: text.number(1000),
      rating: text.number(50) / 10,
      featured: text.number(10) === 0,
      eventDate: new Date(Date.UTC(2020, 0, 1 + text.number(2500))).toISOString().slice(0, 10),
      level: text.number(2) === 0 ? 'low' : 'high',
      tags: TAGS.filter(() => text.number(2) === 0),
    }
  }
}

/** Returns the fields of a seeded article: title, subtitle, three rich text widgets, two topics; 3 to 5 KB. */
export function articleText(text: Prose, topicIds: readonly string[]) {
  return {
    title: text.title(),
    subtitle: text.title(),
    body: {
      metaType: 'area',
      items: Array.from({ length: 3 }, () => ({
        metaType: 'widget',
        type: '@cms/rich-text',
        content: text.paragraph(900 + text.number(500)),
      })),
    },
    topicsIds: twoOf(topicIds, text),
  }
}

function twoOf(ids: readonly string[], text: Prose): string[] {
  const first = text.number(ids.length)
  const second = (first + 1 + text.number(ids.length - 1)) % ids.length
  return [first, second].flatMap((index) => ids[index] ?? [])
}
