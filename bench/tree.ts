import type { App } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import { write } from '../cms/src/engine/write.ts'
import { insertPage } from '../cms/src/features/pages/insert-page.ts'
import { treeTarget } from '../cms/src/features/pages/position.ts'
import { prose } from '../conformance/prose.ts'

/** Children of each page: 10,000 pages are four levels deep. */
const CHILDREN = 10
const BATCH = 200

/** Inserts pages below another one, each with ten children, many to a transaction. Answers their ids. */
export async function insertTree(app: App, count: number, top: string): Promise<string[]> {
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
