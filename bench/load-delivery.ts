import { createApp } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import { insertPage } from '../cms/src/engine/operations/insert-page.ts'
import { treeTarget } from '../cms/src/engine/pages/position.ts'
import { write } from '../cms/src/engine/write.ts'
import { slugOf } from '../cms/src/model/terms/document.ts'
import { insertMany } from '../conformance/batches.ts'
import { prose } from '../conformance/prose.ts'
import { topicBody } from '../conformance/seed.ts'
import { childSettings, reply } from './children.ts'
import { articleBody } from './content.ts'
import { site } from './site.ts'

/** A process that fills an empty database with pages and pieces that visitors see; its result names their slugs. */
interface LoadSettings {
  readonly database: string
  readonly pages: number
  readonly articles: number
}

/** Where visitors find what was made. */
export interface DeliverySamples {
  readonly pages: readonly string[]
  readonly articles: readonly string[]
}

const WIDGETS = 20

const { database, pages, articles } = childSettings<LoadSettings>()
reply(load)

async function load(): Promise<DeliverySamples> {
  const app = await createApp(site, { database })
  try {
    const topics = await insertMany(
      app,
      'topic',
      Array.from({ length: 20 }, (_, index) => topicBody(index)),
    )
    const ids = topics.map(({ id }) => id)
    const bodies = Array.from({ length: articles }, (_, index) => articleBody(index, ids))
    const made = await insertMany(app, 'article', bodies)
    const ctx = app.context({ kind: 'operator' })
    const insert = (type: string, targetId: string, body: Readonly<Record<string, unknown>>) =>
      write(ctx, async (ctx) => {
        const found = app.site.types.get(type)
        if (found === undefined) throw new Error(`The site has no ${type}.`)
        const target = treeTarget(targetId, 'lastChild')
        const page = { docId: newId(), locale: 'en', mode: 'published', type: found, target } as const
        return (await insertPage(ctx, page, body)).document
      })
    await insert('articles', '_home', { title: 'Articles' })
    const slugs: string[] = []
    let section = '_home'
    for (let index = 0; index < pages; index += 1) {
      const page = await insert('landing', index % 10 === 0 ? '_home' : section, landingBody(index, ids))
      if (index % 10 === 0) section = page.id.docId
      slugs.push(slugOf(page))
    }
    return { pages: slugs, articles: made.map(({ slug }) => `/articles/${slug}`) }
  } finally {
    await app.close()
  }
}

/** A page with twenty widgets, half of them rich text, the other half the site's own. */
function landingBody(index: number, topicIds: readonly string[]) {
  const text = prose(3_000_000 + index)
  const items = Array.from({ length: WIDGETS }, (_, at) =>
    at % 2 === 0
      ? { type: '@cms/rich-text', content: text.paragraph(400) }
      : { type: 'quote', words: text.title(), by: text.title() },
  )
  const topicsIds = [0, 1, 2].map((at) => topicIds[(index + at) % topicIds.length] ?? '')
  return { title: `${text.title()} ${index}`, intro: text.title(), main: { items }, topicsIds }
}
