import { beforeAll, expect, it } from 'vitest'
import { defineSite } from '../src/model/compile/site.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { imagePiece } from './media.ts'
import { describeService } from './service.ts'

const site = defineSite({
  types: [
    piece('story', {
      fields: { add: { body: { type: 'area', widgets: { '@cms/image': {}, '@cms/rich-text': {} } } } },
    }),
    piece('reading', {
      fields: {
        add: {
          _stories: {
            type: 'relationship',
            withType: 'story',
            fields: { add: { label: { type: 'string', def: 'Read more' } } },
          },
        },
      },
    }),
    piece('album', { fields: { add: { _image: { type: 'relationship', withType: '@cms/image' } } } }),
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

  it('§2.15 tells nothing of an image that is not cropped, and the crop of one that is', async () => {
    const [plain, cropped] = [await imagePiece(service), await imagePiece(service)]
    const crop = { left: 10, top: 20, width: 100, height: 50 }
    const _image = [{ _id: plain._id }, { _id: cropped._id, _fields: crop }]
    const { body } = await service.editor.post('album', { title: 'Album', _image })
    expect(body.imageFields).toEqual({ [cropped.aposDocId]: expect.objectContaining(crop) })
    expect(body._image.map(({ _fields }: { readonly _fields: object }) => _fields)).toMatchObject([{}, crop])
    const { body: read } = await service.editor.get(`album/${body._id}`)
    expect(read).toMatchObject({ imageFields: body.imageFields, _image: [{ _id: plain._id, _fields: {} }, {}] })
    const { body: story } = await save({ _image: [{ _id: plain._id }] })
    expect(story.body.items[0]).toMatchObject({ imageIds: [plain.aposDocId], imageFields: {} })
    expect((await service.editor.put(`album/${body._id}`, body)).body.imageFields).toEqual(body.imageFields)
  })

  it('§2.15 tells that a field with a default is empty, so that it stays so when the answer is sent back', async () => {
    const { body: story } = await service.editor.post('story', { title: 'Story' })
    const _stories = [{ _id: story._id, _fields: { label: '' } }]
    const { body } = await service.editor.post('reading', { title: 'Reading', _stories })
    const said = { storiesFields: { [story.aposDocId]: { label: '' } }, _stories: [{ _fields: { label: '' } }] }
    const { body: read } = await service.editor.get(`reading/${body._id}`)
    expect(read).toMatchObject(said)
    expect((await service.editor.put(`reading/${body._id}`, read)).body).toMatchObject(said)
  })

  it('§4.1 PATCH by path leaves a widget its type; a whole one replaces it', async () => {
    const { body: story } = await save({ caption: 'Moss' })
    const [{ _id: id }] = story.body.items
    for (const path of [`@${id}.type`, 'body.items.0.type', `@${id}.metaType`]) {
      const { status, body } = await service.editor.patch(`story/${story._id}`, { [path]: '@cms/rich-text' })
      expect([status, body.data.errors]).toMatchObject([400, [{ path, name: 'invalid' }]])
    }
    const same = await service.editor.patch(`story/${story._id}`, { [`@${id}.type`]: '@cms/image' })
    expect(same.body.body.items).toMatchObject([{ _id: id, type: '@cms/image', caption: 'Moss' }])
    const whole = { [`@${id}`]: { type: '@cms/rich-text', content: '<p>Moss</p>' } }
    const replaced = await service.editor.patch(`story/${story._id}`, whole)
    expect(replaced.body.body.items).toMatchObject([{ _id: id, type: '@cms/rich-text', content: '<p>Moss</p>' }])
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
