import { expect, test } from 'vitest'
import { page, piece } from '../src/model/content-type.ts'
import { defineSite } from '../src/model/site-options.ts'
import { describeService } from './service.ts'

const fields = {
  lead: { type: 'string' },
  internal: { type: 'string', viewPermission: 'admin' },
  count: { type: 'integer' },
  links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
  body: { type: 'area', widgets: { '@cms/rich-text': {} } },
} as const

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' }, de: { label: 'D', prefix: '/de' } },
  types: [piece('story', { fields: { add: fields } }), page('leaf', { fields: { add: fields } })],
})
const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }

describeService('§4.5 compare', { isLong: true, site }, (service) => {
  test.each([
    ['story', {}],
    ['@cms/page', place],
  ])('tells which texts of a %s were changed since the translation was saved', async (type, more) => {
    const links = [{ label: 'Stays' }, { label: 'Goes' }]
    const content = { title: 'Title', lead: 'Lead', internal: 'Secret', count: 1, links, body: '<p>Body</p>', ...more }
    const { body: made } = await service.admin.post(type, content)
    const id = made.aposDocId
    const compare = async (who: 'admin' | 'editor' = 'admin', mode = 'draft') =>
      (await service[who].get(`${type}/${id}`, `aposLocale=fr:${mode}&compare=en`)).body._compared
    await service.editor.post(`${type}/${id}/localize`, { toLocale: 'fr', publish: true })
    expect(await compare()).toMatchObject({ locale: 'en', texts: [] })

    const widget = made.body.items[0]._id
    const [stays, goes] = made.links.map(({ _id }: { _id: string }) => _id)
    const change = { lead: 'Lead, new', count: 2, internal: 'Hidden', [`body.@${widget}.content`]: '<p>Body, new</p>' }
    await service.admin.patch(`${type}/${id}:en:draft`, { ...change, $pullAllById: { links: [goes] } })
    const texts = [
      { path: 'lead', label: 'Lead', old: 'Lead', new: 'Lead, new' },
      { path: 'internal', label: 'Internal', old: 'Secret', new: 'Hidden' },
      { path: `body.${widget}.content`, label: 'Content', old: '<p>Body</p>', new: '<p>Body, new</p>' },
      { path: `links.${goes}.label`, label: 'Label', old: 'Goes', new: '' },
    ]
    expect((await compare()).texts).toEqual(texts)
    expect((await compare('editor')).texts).toEqual(texts.filter(({ path }) => path !== 'internal'))
    expect((await compare('admin', 'published')).texts).toEqual([])
    await service.editor.post(`${type}/${id}/publish`)
    expect((await compare('admin', 'published')).texts).toEqual(texts)

    await service.editor.patch(`${type}/${id}:fr:draft`, { lead: 'Chapeau' })
    expect((await compare()).texts).toEqual([])
    await service.editor.patch(`${type}/${id}`, { [`links.@${stays}.label`]: 'Changed again' })
    expect((await compare()).texts).toMatchObject([{ path: `links.${stays}.label`, old: 'Stays' }])
  })

  test('is for those who may edit, and for locales that there are', async () => {
    const { aposDocId: id } = (await service.admin.post('story', { title: 'Title' })).body
    const status = async (who: 'anonymous' | 'guest' | 'contributor', locale: string) =>
      (await service[who].get(`story/${id}`, `compare=${locale}`)).status
    const all = [status('anonymous', 'fr'), status('guest', 'fr'), status('contributor', 'xx')]
    expect(await Promise.all(all)).toEqual([401, 403, 400])
    const { body } = await service.contributor.get(`story/${id}`, 'compare=de')
    expect(body._compared).toBeNull()
    await service.editor.post(`story/${id}/localize`, { toLocale: 'de' })
    const later = await service.contributor.get(`story/${id}:en:draft`, 'compare=de')
    expect(later.body._compared.texts).toMatchObject([{ path: 'title', old: '', new: 'Title' }])
  })
})
