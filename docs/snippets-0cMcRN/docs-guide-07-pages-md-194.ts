import { type App, defineSite, insertPage, newId, page, treeTarget, write } from 'quire-cms'

export const site = defineSite({ types: [page('landing')] })

export async function seed(app: App): Promise<void> {
  const type = app.site.types.get('landing')
  if (type === undefined) throw new Error('There are no landing pages.')
  await write(app.context({ kind: 'operator' }), async (ctx) => {
    const target = treeTarget('_home', 'lastChild')
    await insertPage(ctx, { docId: newId(), locale: 'en', mode: 'published', type, target }, { title: 'Welcome' })
  })
}
