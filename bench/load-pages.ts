import { createApp } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import { write } from '../cms/src/engine/write.ts'
import { insertPage } from '../cms/src/features/pages/insert.ts'
import { treeTarget } from '../cms/src/features/pages/position.ts'
import { prose } from '../conformance/prose.ts'
import { childSettings, reply } from './children.ts'
import { site } from './site.ts'

/** A process that fills an empty database with a tree of pages, and tells what is in it. */
interface LoadSettings {
  readonly database: string
  /** Null: the pages that are moved, beside a tree that is there. */
  readonly size: number | null
}

/** What is moved: a page with 1,000 others below it, to and fro between two places. */
export interface MovedPages {
  readonly subtree: string
  readonly landings: readonly [string, string]
}

/** Children of each page: 10,000 pages are four levels deep. */
const CHILDREN = 10
const BATCH = 200
const SUBTREE = 1000

const { database, size } = childSettings<LoadSettings>()
reply(load)

/** The ids of the tree's pages, or what is moved. */
async function load(): Promise<readonly string[] | MovedPages> {
  const app = await createApp(site, { database })
  try {
    if (size !== null) return await tree(app, size, '_home')
    const [subtree = '', first = '', second = ''] = await tree(app, 3, '_home')
    await tree(app, SUBTREE, subtree)
    return { subtree, landings: [first, second] }
  } finally {
    await app.close()
  }
}

/** Pages below another one, each with ten children, many to a transaction. */
async function tree(app: Awaited<ReturnType<typeof createApp>>, count: number, top: string): Promise<string[]> {
  const ctx = app.context({ kind: 'operator' })
  const type = app.site.types.get('chapter')
  if (type === undefined) throw new Error('The site has no chapters.')
  const ids: string[] = []
  while (ids.length < count) {
    await write(ctx, async (ctx) => {
      const until = Math.min(count, ids.length + BATCH)
      while (ids.length < until) {
        const targetId = ids[Math.floor(ids.length / CHILDREN) - 1] ?? top
        const target = treeTarget(targetId, 'lastChild')
        const page = { docId: newId(), locale: 'en', mode: 'published', type, target } as const
        ids.push((await insertPage(ctx, page, chapterBody(ids.length))).document.id.docId)
      }
    })
  }
  return ids
}

/** A page as a client would send it: about 1 KB. */
function chapterBody(index: number) {
  const text = prose(2_000_000 + index)
  return {
    title: `${text.title()} ${index}`,
    body: { items: [{ type: '@cms/rich-text', content: text.paragraph(700) }] },
  }
}
