import { createApp } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import { write } from '../cms/src/engine/write.ts'
import { insertPage } from '../cms/src/features/pages/insert-page.ts'
import { treeTarget } from '../cms/src/features/pages/position.ts'
import { insertMany } from '../conformance/batches.ts'
import { childSettings, reply } from './children.ts'
import { site } from './site.ts'

/** A process that fills an empty database with short articles below an index page. */
interface LoadSettings {
  readonly database: string
  readonly articles: number
}

const SECTIONS = ['news', 'essay', 'review']

const { database, articles } = childSettings<LoadSettings>()
reply(async () => {
  const app = await createApp(site, { database })
  try {
    await insertMany(app, 'article', bodies())
    const type = app.site.types.get('articles')
    if (type === undefined) throw new Error('The site has no articles.')
    await write(app.context({ kind: 'operator' }), (ctx) => {
      const page = {
        docId: newId(),
        locale: 'en',
        mode: 'published',
        type,
        target: treeTarget('_home', 'lastChild'),
      } as const
      return insertPage(ctx, page, { title: 'Articles' })
    })
    return {}
  } finally {
    await app.close()
  }
})

function* bodies() {
  for (let index = 0; index < articles; index += 1) {
    yield { title: `An article about number ${index}`, section: SECTIONS[index % SECTIONS.length] }
  }
}
