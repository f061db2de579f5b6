import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { Actor } from '../permissions.ts'
import { write } from '../write.ts'
import { setTexts } from './set-texts.ts'

const site = defineSite({
  types: [
    piece('note', {
      fields: {
        add: {
          words: { type: 'string', max: 20 },
          guarded: { type: 'string', editPermission: 'admin' },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
        },
      },
    }),
    page('leaf'),
  ],
})

const translator = {
  kind: 'user',
  id: 'translator',
  name: 'Translator',
  username: 'translator',
  firstName: '',
  lastName: '',
  ai: false,
  draftsOnly: false,
} as const

describeService('§4.5 texts of a translator', { site, isLong: true }, (service) => {
  const made = async (type: string, body: object) => {
    const answer = await service.admin.post(type, body, 'aposMode=draft')
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const draft = async (type: string, id: string) => (await service.admin.get(`${type}/${id}:en:draft`)).body
  const text = (path: string, text: string, html = text) => ({ path, text, html, hasTags: html.includes('<') })
  type Texts = readonly ReturnType<typeof text>[]
  const set = (name: string, docId: string, texts: Texts, role: 'editor' | 'guest' = 'editor') => {
    const type = service.app.site.types.get(name)
    if (type === undefined) throw new Error(`The site has no ${name}.`)
    const actor: Actor = { ...translator, role }
    return write(service.app.context(actor), (ctx) => setTexts(ctx, { type, docId, locale: 'en' }, texts))
  }

  it('replace those of a draft, plain ones and rich ones, and tell whether anything changed', async () => {
    const items = [{ type: '@cms/rich-text', content: '<p>Good <em>day</em></p>' }]
    const { aposDocId: id, body } = await made('note', {
      title: 'Hello',
      words: 'One',
      guarded: 'Mine',
      body: { items },
    })
    const path = `body.${body.items[0]._id}.content`
    const texts = [text('title', 'Bonjour'), text(path, 'Bon jour', '<p>Bon <em>jour</em></p>')]
    expect(await set('note', id, texts)).toBe(true)
    expect(await draft('note', id)).toMatchObject({
      title: 'Bonjour',
      slug: 'bonjour',
      words: 'One',
      guarded: 'Mine',
      body: { items: [{ content: '<p>Bon <em>jour</em></p>' }] },
    })
    expect(await set('note', id, texts)).toBe(false)
  })

  it('are refused together where one has no place, has tags, does not fit, or is not the caller’s to write', async () => {
    const { aposDocId: id } = await made('note', { title: 'Kept', words: 'One', guarded: 'Mine' })
    const refused = [text('nowhere', 'x'), text('words', 'x', '<b>x</b>'), text('guarded', 'Theirs')]
    const wrong = set('note', id, [text('title', 'New'), ...refused])
    await expect(wrong).rejects.toMatchObject({
      name: 'invalid',
      data: { errors: [{ path: 'nowhere' }, { path: 'words' }, { path: 'guarded' }] },
    })
    await expect(set('note', id, [text('words', 'far more than twenty letters')])).rejects.toMatchObject({
      name: 'invalid',
      data: { errors: [{ path: 'words' }] },
    })
    await expect(set('note', id, [], 'guest')).rejects.toMatchObject({ name: 'forbidden' })
    expect(await draft('note', id)).toMatchObject({ title: 'Kept', words: 'One', guarded: 'Mine' })
  })

  it('§2.12 let the slug of a page that was never published follow, below the page above, and those below it', async () => {
    const child = async (title: string, _targetId: string) =>
      (await made('@cms/page', { type: 'leaf', title, _targetId, _position: 'lastChild' })).aposDocId
    const parent = await child('Parent', '_home')
    const page = await child('Page', parent)
    const below = await child('Below', page)
    expect(await set('leaf', page, [text('title', 'Feuille')])).toBe(true)
    expect(await draft('@cms/page', page)).toMatchObject({ title: 'Feuille', slug: '/parent/feuille' })
    expect((await draft('@cms/page', below)).slug).toBe('/parent/feuille/below')
    await service.admin.patch(`@cms/page/${page}:en:draft`, { slug: '/written' })
    expect(await set('leaf', page, [text('title', 'Autre')])).toBe(true)
    expect((await draft('@cms/page', page)).slug).toBe('/written')
    await expect(set('leaf', page, [], 'guest')).rejects.toMatchObject({ name: 'notfound' })
  })
})
