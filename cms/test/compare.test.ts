import { expect, test } from 'vitest'
import type { ChangeRow } from '../src/model/changes/content-change.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { imagePiece, jpeg, upload } from './media.ts'
import { describeService } from './service.ts'

const fields = {
  lead: { type: 'string' },
  internal: { type: 'string', viewPermission: 'admin' },
  count: { type: 'integer' },
  links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
  body: { type: 'area', widgets: { '@cms/rich-text': {} } },
  _people: { type: 'relationship', withType: 'person' },
  _secrets: { type: 'relationship', withType: 'secret' },
  _pictures: { type: 'relationship', withType: '@cms/image' },
  file: { type: 'attachment' },
} as const

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' }, de: { label: 'D', prefix: '/de' } },
  types: [
    piece('person'),
    piece('secret', { viewRole: 'admin' }),
    piece('story', { fields: { add: fields } }),
    page('leaf', { fields: { add: fields } }),
  ],
})
const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }

function short(rows: readonly ChangeRow[]) {
  return rows.map(({ path, type, oldText, newText }) => [
    path.map(({ name }) => name).join('.'),
    type,
    oldText,
    newText,
  ])
}

describeService('§4.5 compare', { isLong: true, site }, (service) => {
  test.each(['story', '@cms/page'])('of a %s is refused before any document is looked up', async (type) => {
    for (const query of ['compare=fr', 'aposMode=draft&problems=true']) {
      for (const [who, status] of [
        ['anonymous', 401],
        ['guest', 403],
      ] as const)
        expect([query, await service[who].get(`${type}/nothing`, query)]).toMatchObject([query, { status }])
      expect(await service.editor.get(`${type}/nothing`, query)).toMatchObject({ status: 404 })
    }
  })

  test.each([
    ['story', {}],
    ['@cms/page', place],
  ])('tells what of a %s was changed since the translation was saved', async (type, more) => {
    const links = [{ label: 'Stays' }, { label: 'Goes' }]
    const content = { title: 'Title', lead: 'Lead', internal: 'Secret', count: 1, links, body: '<p>Body</p>', ...more }
    const { body: made } = await service.admin.post(type, content)
    const id = made.aposDocId
    const compare = async (who: 'admin' | 'editor' = 'admin', mode = 'draft') => {
      const { body } = await service[who].get(`${type}/${id}`, `aposLocale=fr:${mode}&compare=en`)
      expect(body._compared).toMatchObject({ locale: 'en', since: body.updatedAt })
      return short(body._compared.rows)
    }
    await service.editor.post(`${type}/${id}/localize`, { toLocale: 'fr', publish: true })
    expect(await compare()).toEqual([])

    const widget = made.body.items[0]._id
    const [stays, goes] = made.links.map(({ _id }: { _id: string }) => _id)
    const change = { lead: 'Lead, new', count: 2, internal: 'Hidden', [`body.@${widget}.content`]: '<p>Body, new</p>' }
    await service.admin.patch(`${type}/${id}:en:draft`, { ...change, $pullAllById: { links: [goes] } })
    const all = [
      ['lead', 'modified', 'Lead', 'Lead, new'],
      ['internal', 'modified', 'Secret', 'Hidden'],
      ['count', 'modified', '1', '2'],
      [`links.${goes}`, 'deleted', '#2', ''],
      [`body.${widget}.content`, 'modified', 'Body', 'Body, new'],
    ]
    expect(await compare()).toEqual(all)
    expect(await compare('editor')).toEqual(all.filter(([path]) => path !== 'internal'))
    expect(await compare('admin', 'published')).toEqual([])
    await service.editor.post(`${type}/${id}/publish`)
    expect(await compare('admin', 'published')).toEqual(all)

    await service.editor.patch(`${type}/${id}:fr:draft`, { lead: 'Chapeau' })
    expect(await compare()).toEqual([])
    await service.editor.patch(`${type}/${id}`, { [`links.@${stays}.label`]: 'Changed again' })
    expect(await compare()).toEqual([[`links.${stays}.label`, 'modified', 'Stays', 'Changed again']])
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
    const [first, ...rest] = later.body._compared.rows
    expect(short([first])).toEqual([['title', 'added', '', 'Title']])
    expect(rest).toMatchObject([{ path: [{ name: 'slug' }], type: 'added' }])
  })

  test('tells what was changed by autosaves of one version, before and after a translation was saved', async () => {
    const { aposDocId: id } = (await service.editor.post('story', { title: 'Title', lead: '0' }, 'aposMode=draft')).body
    const compare = async (locale: string) => {
      const { body } = await service.editor.get(`story/${id}`, `aposLocale=${locale}:draft&compare=en`)
      return short(body._compared.rows)
    }
    const autosave = (lead: string) => service.editor.patch(`story/${id}:en:draft`, { lead, _autosave: true })
    const since = (lead: string, now: string) => [['lead', 'modified', lead, now]]
    await service.editor.post(`story/${id}:en:draft/localize`, { toLocale: 'fr' })
    await autosave('1')
    await autosave('2')
    expect(await compare('fr')).toEqual(since('0', '2'))
    await service.editor.patch(`story/${id}:fr:draft`, { lead: 'Un' })
    expect(await compare('fr')).toEqual([])
    await autosave('3')
    await autosave('4')
    expect(await compare('fr')).toEqual(since('2', '4'))
    await service.editor.post(`story/${id}:en:draft/localize`, { toLocale: 'de' })
    await autosave('5')
    expect(await compare('fr')).toEqual(since('2', '5'))
    await service.editor.patch(`story/${id}:fr:draft`, { lead: 'Cinq' })
    await service.editor.patch(`story/${id}:de:draft`, { lead: 'Fünf' })
    await autosave('6')
    expect([await compare('fr'), await compare('de')]).toEqual([since('5', '6'), since('5', '6')])
  })

  test('names what is related as far as the caller may see it now', async () => {
    const person = async (title: string) => (await service.admin.post('person', { title })).body.aposDocId
    const [ann, bob, gone] = [await person('Ann'), await person('Bob'), await person('Gone')]
    const secret = (await service.admin.post('secret', { title: 'Hush' })).body.aposDocId
    const { aposDocId: id } = (await service.admin.post('story', { title: 'Title', peopleIds: [ann, gone] })).body
    await service.editor.post(`story/${id}/localize`, { toLocale: 'fr' })
    await service.admin.patch(`story/${id}`, { peopleIds: [bob, ann], secretsIds: [secret] })
    await service.admin.patch(`person/${gone}`, { archived: true })
    const compare = async (who: 'admin' | 'contributor') => {
      const { body } = await service[who].get(`story/${id}`, 'aposLocale=fr:draft&compare=en')
      return short(body._compared.rows)
    }
    const people = ['_people', 'modified', 'Ann, Not available', 'Bob, Ann']
    expect(await compare('contributor')).toEqual([people])
    expect(await compare('admin')).toEqual([people, ['_secrets', 'added', '', 'Hush']])
  })

  test('names what links lead to, as far as the caller may see it now', async () => {
    const { body: leaf } = await service.admin.post('@cms/page', { title: 'Leaf', ...place })
    const { body: secret } = await service.admin.post('secret', { title: 'Hush' })
    const body = '<p>Go there and see</p>'
    const { body: made } = await service.admin.post('story', { title: 'Title', body })
    const id = made.aposDocId
    await service.editor.post(`story/${id}/localize`, { toLocale: 'fr' })
    const link = (to: string, text: string) => `<a href="#apostrophe-permalink-${to}?updateTitle=1">${text}</a>`
    const content = `<p>Go ${link(leaf.aposDocId, 'there')} and ${link(secret.aposDocId, 'see')}</p>`
    await service.editor.patch(`story/${id}`, { [`body.@${made.body.items[0]._id}.content`]: content })
    const compare = async (who: 'admin' | 'editor') => {
      const [row] = (await service[who].get(`story/${id}`, 'aposLocale=fr:draft&compare=en')).body._compared.rows
      expect(row).toMatchObject({ kind: 'richText', oldText: 'Go there and see', newText: 'Go there and see' })
      return row.formatChanges
    }
    const added = { change: 'link', type: 'added', label: 'Link' }
    const toLeaf = { ...added, text: 'there', new: { text: 'Leaf', url: leaf._url } }
    expect(await compare('admin')).toEqual([toLeaf, { ...added, text: 'see', new: { text: 'Hush' } }])
    expect(await compare('editor')).toEqual([toLeaf, { ...added, text: 'see', new: { text: 'Not available' } }])
  })

  test('names everything in two statements, however much it is', async () => {
    const { body: file } = await upload(service, 'editor', await jpeg())
    const statementsFor = async (count: number) => {
      const made = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const picture = await service.admin.post('@cms/image', {
            title: `Image ${index}`,
            attachment: { _id: file._id },
          })
          const person = await service.admin.post('person', { title: `Person ${index}` })
          return { picture: picture.body.aposDocId, person: person.body.aposDocId }
        }),
      )
      const { aposDocId: id } = (await service.admin.post('story', { title: 'Title' })).body
      await service.editor.post(`story/${id}/localize`, { toLocale: 'fr' })
      const link = `<p><a href="#apostrophe-permalink-${made[0]?.person}">there</a></p>`
      const related = { peopleIds: made.map(({ person }) => person), picturesIds: made.map(({ picture }) => picture) }
      await service.editor.patch(`story/${id}`, { ...related, file: { _id: file._id }, body: link })
      await service.quiet()
      const plain = await statementsOf(() => service.editor.get(`story/${id}`, 'aposLocale=fr:draft'))
      return (await statementsOf(() => service.editor.get(`story/${id}`, 'aposLocale=fr:draft&compare=en'))) - plain
    }
    const statementsOf = async (work: () => Promise<unknown>) => {
      const before = service.statements.length
      await work()
      return service.statements.length - before
    }
    // The document there, its version then, documents, files.
    expect([await statementsFor(1), await statementsFor(8)]).toEqual([4, 4])
  })

  test('names images and files, and shows images', async () => {
    const [one, two] = [await imagePiece(service, { title: 'One' }), await imagePiece(service, { title: 'Two' })]
    const { body: file } = await upload(service, 'editor', await jpeg(), 'Sea view.jpg')
    const content = { title: 'Title', picturesIds: [one.aposDocId] }
    const { aposDocId: id } = (await service.admin.post('story', content)).body
    await service.editor.post(`story/${id}/localize`, { toLocale: 'fr' })
    await service.editor.patch(`story/${id}`, { picturesIds: [two.aposDocId, one.aposDocId], file: { _id: file._id } })
    const { body } = await service.editor.get(`story/${id}`, 'aposLocale=fr:draft&compare=en')
    const shown = (image: typeof one, change: string) => {
      return { text: image.title, href: image.attachment._urls['one-third'], change }
    }
    const [pictures, attachment] = body._compared.rows
    expect(pictures.images).toEqual({ old: [shown(one, 'same')], new: [shown(two, 'added'), shown(one, 'same')] })
    expect(attachment).toMatchObject({ type: 'added', newText: 'sea-view.jpg', path: [{ name: 'file' }] })
  })
})
