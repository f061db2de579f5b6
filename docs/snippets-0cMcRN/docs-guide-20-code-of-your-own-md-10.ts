import { createApp, defineSite, piece } from 'quire-cms'

const site = defineSite({
  types: [
    piece('article', {
      fields: { add: { section: { type: 'select', choices: ['news', 'essay'] }, source: { type: 'url' } } },
    }),
  ],
})

export async function importArticles(rows: readonly { title: string; url: string }[]): Promise<void> {
  const app = await createApp(site, { database: 'sqlite:data/quire.db' })
  try {
    const content = app.as({ role: 'editor', name: 'Import' })
    for (const { title, url } of rows) {
      const known = await content.findOne('article', { source: url, archived: 'any' })
      if (known) await content.patch('article', known._id, { title })
      else await content.insert('article', { title, source: url, section: 'news' })
    }
    console.log(await content.count('article', { section: 'news' }))
  } finally {
    await app.close()
  }
}
