import { defineSite, piece } from 'quire-cms'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { jpeg, upload } from '../../../test/media.ts'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'

const toImages = { type: 'relationship', withType: '@cms/image' } as const

const site = defineSite({
  types: [
    piece('vault', { viewRole: 'admin', editRole: 'admin', fields: { add: { _images: toImages } } }),
    piece('note', {
      fields: {
        add: {
          _images: toImages,
          _hidden: { ...toImages, viewPermission: 'admin' },
          file: { type: 'attachment' },
        },
      },
    }),
  ],
})

describeService('§4.3 filters of uploads', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const make = async (type: string, title: string, more: object = {}): Promise<string> =>
    done(await service.admin.post(type, { title, ...more })).aposDocId
  const list = async (query: string, caller: Caller = service.contributor) =>
    done(await caller.get('@cms/image', `sort=title&${query}`))
  const titles = async (query: string, caller?: Caller) =>
    (await list(query, caller)).results.map(({ title }: { title: string }) => title)

  beforeAll(async () => {
    const png = async () =>
      sharp(await jpeg())
        .png()
        .toBuffer()
    const uploaded = async (file: Buffer, name: string) => (await upload(service, 'admin', file, name)).body
    const [one, two, three, four] = [
      await uploaded(await jpeg(), 'a.jpg'),
      await uploaded(await jpeg(300, 600), 'b.jpg'),
      await uploaded(await png(), 'c.png'),
      await uploaded(await png(), 'd.png'),
    ]
    const related = await make('@cms/image', 'Related', { attachment: one, alt: 'Words' })
    await make('@cms/image', 'Taken', { attachment: two })
    const hidden = await make('@cms/image', 'Hidden', { attachment: three, alt: '' })
    const secret = await make('@cms/image', 'Secret', { attachment: four, alt: 'More words' })
    await make('note', 'N', { _images: [related], _hidden: [hidden], file: two })
    await make('vault', 'V', { _images: [secret] })
  })

  test.each([
    ['hasAlt=true', ['Related', 'Secret']],
    ['hasAlt=0', ['Hidden', 'Taken']],
    ['extension=png', ['Hidden', 'Secret']],
    ['extension[]=JPG&extension[]=gif', ['Related', 'Taken']],
    ['extension=svg', []],
    ['isUsed=true', ['Related', 'Taken']],
    ['isUsed=false&extension=png&hasAlt=true', ['Secret']],
    ['minWidth=400', ['Hidden', 'Related', 'Secret']],
    ['minWidth=401', []],
    ['minHeight=600', ['Taken']],
    ['minWidth=300&minHeight=200&extension=jpg', ['Related', 'Taken']],
    ['minWidth=0', ['Hidden', 'Related', 'Secret', 'Taken']],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
  })

  test('§5.8 uses that the caller does not see count for those who see them', async () => {
    expect(await titles('isUsed=false')).toEqual(['Hidden', 'Secret'])
    expect(await titles('isUsed=false', service.editor)).toEqual(['Hidden', 'Secret'])
    expect(await titles('isUsed=false', service.admin)).toEqual([])
  })

  test('follow what is saved', async () => {
    const attachment = (await upload(service, 'admin', await jpeg())).body
    const image = await make('@cms/image', 'New', { attachment })
    expect(await titles('isUsed=false')).toContain('New')
    const note = await make('note', 'Draft alone', { _images: [image] })
    expect(await titles('isUsed=false')).not.toContain('New')
    done(await service.editor.delete(`note/${note}`))
    expect(await titles('isUsed=false')).toContain('New')
    done(await service.editor.patch(`@cms/image/${image}`, { alt: 'Now' }))
    expect(await titles('hasAlt=true')).toContain('New')
    done(await service.editor.delete(`@cms/image/${image}`))
  })

  test('extensions are counted, whatever the filter itself says', async () => {
    const counted = [
      { value: 'jpg', label: 'jpg', count: 2 },
      { value: 'png', label: 'png', count: 2 },
    ]
    expect((await list('counts=extension&extension=png')).counts.extension).toEqual(counted)
    expect((await list('choices=extension&hasAlt=true')).choices.extension).toMatchObject([
      { value: 'jpg' },
      { value: 'png' },
    ])
    expect((await list('counts=extension', service.anonymous)).counts.extension).toEqual(counted)
  })

  test('refuse what they do not take, and isUsed for callers who may not read drafts', async () => {
    const { anonymous, guest, editor } = service
    for (const query of ['hasAlt=maybe', 'isUsed=', 'extension[a]=b', 'minWidth=', 'minWidth=1.5', 'minHeight[]=-1']) {
      expect(await editor.get('@cms/image', query)).toMatchObject({ status: 400, body: { name: 'invalid' } })
    }
    expect(await anonymous.get('@cms/image', 'isUsed=true')).toMatchObject({ status: 401 })
    expect(await guest.get('@cms/image', 'isUsed=true')).toMatchObject({ status: 403 })
    expect(await titles('hasAlt=true', anonymous)).toEqual(['Related', 'Secret'])
    expect(done(await editor.get('note', 'hasAlt=true')).total).toBe(1)
    expect(done(await editor.get('@cms/file', 'minWidth=1')).total).toBe(0)
  })
})
