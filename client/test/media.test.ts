import { openAsBlob } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeService } from '../../cms/test/service.ts'
import { createClient } from '../src/index.ts'
import { crop, upload } from '../src/media.ts'
import { type Version, versions } from '../src/versions.ts'
import { site } from './site.ts'

const picture = () => openAsBlob(fileURLToPath(new URL('../../example/pictures/old-town.jpg', import.meta.url)))

describeService('client: media and versions', { site }, (service) => {
  const connect = () => createClient<typeof site>({ url: service.address, key: 'key-editor' })

  test('editor §14 an upload tells how much was sent, and is an attachment', async () => {
    const quire = connect()
    const file = await picture()
    const told: number[] = []
    const attachment = await upload(quire, file, { name: 'town.jpg', onProgress: ({ sent }) => told.push(sent) })
    expect(attachment).toMatchObject({ type: 'attachment', name: 'town', extension: 'jpg', length: file.size })
    expect(told).toEqual(told.toSorted((one, other) => one - other))
    expect(told.length).toBeGreaterThan(2)
    expect(told.at(-1)).toBe(file.size)
    await crop(quire, attachment._id, { top: 0, left: 0, width: 20, height: 20 })
    await quire.type('@cms/image').create({ title: 'Town', attachment: { _id: attachment._id } })
    expect(await quire.type('@cms/image').list()).toMatchObject({ total: 1 })
  })

  test('editor §14 an upload is cancelled', async () => {
    const abort = new AbortController()
    const sending = upload(connect(), await picture(), { signal: abort.signal, onProgress: () => abort.abort() })
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('editor §14 what is no picture is refused', async () => {
    const sending = upload(connect(), new Blob(['not a picture']), { name: 'town.jpg' })
    await expect(sending).rejects.toMatchObject({ name: 'invalid', problems: [{ path: 'file' }] })
  })

  test('editor §14 versions are listed, compared, named and restored', async () => {
    const quire = connect()
    const topics = quire.in({ mode: 'draft' }).type('topic')
    const { document } = await topics.create({ title: 'Eels' })
    for (const note of ['one', 'two']) await topics.patch(document._id, { note })
    const history = versions(quire, document._id)
    const all: Version[] = []
    for await (const version of history.all()) all.push(version)
    expect(all).toHaveLength(3)
    const [latest, , first] = all.map(({ _id }) => _id)
    const { rows } = await history.changes(latest ?? '', first ? { against: first } : {})
    expect(rows).toMatchObject([{ path: [{ name: 'note' }], newText: 'two' }])
    await history.label(first ?? '', 'As it began')
    expect(await history.get(first ?? '')).toMatchObject({ label: 'As it began', doc: { title: 'Eels' } })
    expect((await history.restore(first ?? '', 'topic')).document).toMatchObject({ note: '' })
  })
})
