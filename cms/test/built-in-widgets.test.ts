import { beforeAll, expect, it } from 'vitest'
import { page, piece } from '../src/model/content-type.ts'
import { defineSite } from '../src/model/site.ts'
import { describeService } from './service.ts'

const site = defineSite({
  types: [
    piece('story', { fields: { add: { body: { type: 'area', widgets: { '@cms/image': {} } } } } }),
    page('chapter'),
    page('image'),
  ],
})

describeService('§2.18 the image widget', { site, isLong: true }, (service) => {
  let chapter: { readonly _id: string; readonly aposDocId: string }

  beforeAll(async () => {
    const body = { type: 'chapter', title: 'Chapter', _targetId: '_home', _position: 'lastChild' }
    chapter = (await service.editor.post('@cms/page', body)).body
  })

  const save = (link: object) =>
    service.editor.post('story', { title: 'Story', body: { items: [{ type: '@cms/image', ...link }] } })

  it('§2.18 leads nowhere unless it says so', async () => {
    const [widget] = (await save({ caption: 'Moss' })).body.body.items
    expect(widget).toMatchObject({ _image: [], caption: 'Moss', linkTo: 'none', linkHref: null, linkTarget: [] })
  })

  it('§2.18 leads to a URL', async () => {
    const link = { linkTo: '_url', linkHref: 'https://example.org/', linkHrefTitle: 'Example', linkTarget: ['_blank'] }
    expect((await save(link)).body.body.items[0]).toMatchObject(link)
  })

  it('§2.18 leads to a page of one of the site’s types', async () => {
    const link = { linkTo: 'chapter', linkTitle: 'Read on', _chapter: [{ _id: chapter._id }] }
    const [widget] = (await save(link)).body.body.items
    expect(widget).toMatchObject({ linkTo: 'chapter', linkTitle: 'Read on', chapterIds: [chapter.aposDocId] })
    expect(widget._chapter).toMatchObject([{ title: 'Chapter', _url: '/chapter', _fields: {} }])
  })

  it.each([
    ['a URL that runs', { linkTo: '_url', linkHref: 'javascript:alert(1)' }, 'linkHref'],
    ['no URL', { linkTo: '_url' }, 'linkHref'],
    ['no page', { linkTo: 'chapter' }, '_chapter'],
    ['a type that is not a page type', { linkTo: 'story' }, 'linkTo'],
    ['a page type whose relationship would have the name of another field', { linkTo: 'image' }, 'linkTo'],
  ])('§2.18 refuses %s', async (_, link, field) => {
    const { status, body } = await save(link)
    expect(status).toBe(400)
    expect(body.data.errors).toMatchObject([{ path: `body.0.${field}` }])
  })

  it('§2.13 tells of each widget at its own index, also after one of a type that is not allowed', async () => {
    const items = [{ type: 'quote' }, { type: '@cms/image', linkTo: '_url', linkHref: 'javascript:alert(1)' }]
    const { status, body } = await service.editor.post('story', { title: 'Story', body: { items } })
    expect(status).toBe(400)
    expect(body.data.errors.map(({ path }: { path: string }) => path)).toEqual(['body.0', 'body.1.linkHref'])
  })
})
