import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startBucket, type TestBucket } from '../../../test/bucket.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { fetchFile, imagePiece, jpeg, keptFiles, upload } from '../../../test/media.ts'
import { type Service, startService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import { cleanUploads } from './clean-media.ts'
import { rescaleImages } from './rescale.ts'

const CROP = { top: 10, left: 20, width: 300, height: 150 }
const DAY_MS = 24 * 60 * 60 * 1000

describe.each(sampledDatabases('bucket'))('§4.3 uploads in a bucket on $name', (databases) => {
  let service: Service | undefined
  let bucket: TestBucket | undefined

  afterEach(async () => {
    await service?.stop()
    await bucket?.stop()
    service = undefined
    bucket = undefined
    vi.unstubAllEnvs()
  })

  async function start(options: { readonly uploadsUrl?: string } = {}): Promise<[Service, TestBucket]> {
    bucket = await startBucket('media')
    service = await startService(databases, {
      uploads: 's3://media/site',
      uploadsEndpoint: bucket.url,
      ...options,
    })
    return [service, bucket]
  }

  test('§4.3 uploading, cropping, deleting, cleaning and rescaling work in a bucket as in a folder', async () => {
    const [service] = await start()
    const image = await imagePiece(service)
    const { _id } = image.attachment
    expect((await service.editor.post('@cms/attachment/crop', { _id, crop: CROP })).body).toBe(true)
    expect(await keptFiles(service)).toHaveLength(14)
    for (const url of [image._url, `/uploads/attachments/${_id}-my-photo.20.10.300.150.one-sixth.jpg`]) {
      expect((await fetchFile(service, url)).status).toBe(200)
    }
    const ctx = service.app.context({ kind: 'operator' })
    await ctx.files.remove([`attachments/${_id}-my-photo.max.jpg`])
    expect(await rescaleImages(ctx)).toEqual({ images: 1, failed: 0 })
    expect(await keptFiles(service)).toHaveLength(14)
    await upload(service, 'editor', 'unused', 'unused.txt')
    const tomorrow = new Date(Date.now() + DAY_MS + 1000)
    expect(await cleanUploads({ ...ctx, now: () => tomorrow })).toEqual({
      isLinked: true,
      unused: 1,
      leftOver: 0,
      unknown: { count: 0, names: [] },
    })
    await service.editor.delete(`@cms/image/${image._id}`)
    await expect.poll(() => keptFiles(service)).toEqual([])
  })

  test('§4.3 with a public address all URLs point there', async () => {
    const [service] = await start({ uploadsUrl: 'https://cdn.example.org/site/' })
    const { body } = await upload(service, 'editor', await jpeg())
    expect(body._url).toBe(`https://cdn.example.org/site/attachments/${body._id}-my-photo.jpg`)
    expect(body._urls['one-half']).toBe(`https://cdn.example.org/site/attachments/${body._id}-my-photo.one-half.jpg`)
  })

  test('§4.3 a bucket that is down is `unavailable` and leaves no row, and works again once it is back', async () => {
    const [service, bucket] = await start()
    const { body: image } = await upload(service, 'editor', await jpeg())
    await bucket.pause()
    const refused = await upload(service, 'editor', await jpeg())
    expect(refused).toMatchObject({ status: 503, body: { name: 'unavailable' } })
    const crop = await service.editor.post('@cms/attachment/crop', { _id: image._id, crop: CROP })
    expect(crop).toMatchObject({ status: 503, body: { name: 'unavailable' } })
    expect(await service.app.store.attachments.count()).toBe(1)
    expect((await service.app.store.attachments.byIds([image._id])).get(image._id)?.attachment.crops).toEqual([])
    await bucket.resume()
    expect((await upload(service, 'editor', await jpeg())).status).toBe(200)
    expect((await service.editor.post('@cms/attachment/crop', { _id: image._id, crop: CROP })).status).toBe(200)
  }, 60_000)
})

describe.each(sampledDatabases('refused'))('§4.3 uploads that the database refuses on $name', (databases) => {
  test('§4.3 an upload that the database refuses leaves no files', async () => {
    const service = await startService(databases)
    try {
      await runOn(service.databaseUrl, 'alter table attachments rename to elsewhere')
      expect((await upload(service, 'editor', await jpeg())).status).toBe(500)
      expect(await keptFiles(service)).toEqual([])
      await runOn(service.databaseUrl, 'alter table elsewhere rename to attachments')
      expect((await upload(service, 'editor', await jpeg())).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  test('§4.3 an upload without disk space is `unavailable` and leaves nothing', async () => {
    const service = await startService(databases)
    try {
      vi.stubEnv('TMPDIR', join(tmpdir(), 'no-such-folder'))
      const refused = await upload(service, 'editor', await jpeg())
      expect(refused).toMatchObject({ status: 503, body: { name: 'unavailable' } })
      expect(service.logged.find(({ level }) => level === 'error')?.data).toMatchObject({
        status: 503,
        error: expect.stringMatching(/because of .*ENOENT/s),
      })
      expect([await service.app.store.attachments.count(), await keptFiles(service)]).toEqual([0, []])
      vi.unstubAllEnvs()
      expect((await upload(service, 'editor', await jpeg())).status).toBe(200)
    } finally {
      vi.unstubAllEnvs()
      await service.stop()
    }
  })

  test('§4.3 upload URLs are below base URL and prefix, whatever page URLs begin with', async () => {
    const database = await databases.createReady()
    const uploads = await mkdtemp(join(tmpdir(), 'quire-uploads-'))
    const keys = [{ key: 'key-editor', role: 'editor', name: 'editor' } as const]
    const site = defineSite({ baseUrl: 'https://example.org', prefix: '/site' })
    const app = await createApp(site, { database: database.url, uploads, keys })
    try {
      const address = `${await app.listen(0, '127.0.0.1')}/site`
      const { body } = await upload({ address }, 'editor', await jpeg())
      const path = `/uploads/attachments/${body._id}-my-photo.jpg`
      expect(body._url).toBe(`https://example.org/site${path}`)
      expect((await fetch(address + path)).status).toBe(200)
    } finally {
      await app.close()
      await database.drop()
      await rm(uploads, { recursive: true, force: true })
    }
  })
})

describe.each(sampledDatabases('vendor'))('§0.1 another vendor prefix on $name', (databases) => {
  test('§0 with the namespace @apostrophecms all media routes and types carry it', async () => {
    const site = defineSite({
      namespace: '@apostrophecms',
      types: [piece('story', { fields: { add: { _lead: { type: 'relationship', withType: '@cms/image' } } } })],
    })
    const service = await startService(databases, { site })
    try {
      const { body: attachment } = await upload(service, 'editor', await jpeg(), 'My Photo.jpg', '@apostrophecms')
      const { body: image } = await service.editor.post('@apostrophecms/image', { title: 'Image', attachment })
      expect(image).toMatchObject({ type: '@apostrophecms/image', _url: attachment._url })
      const { body } = await service.editor.post('story', { title: 'x', _lead: [{ _id: image._id, _fields: CROP }] })
      expect(body._lead[0]._url).toContain('.10.20.300.150.jpg')
      const crop = { _id: attachment._id, crop: { ...CROP, top: 0 } }
      expect((await service.editor.post('@apostrophecms/attachment/crop', crop)).body).toBe(true)
      const source = await fetchFile(service, `/api/v1/@apostrophecms/image/${image.aposDocId}/src`)
      expect(source.headers.get('location')).toBe(attachment._urls.max)
    } finally {
      await service.stop()
    }
  })
})

async function runOn(databaseUrl: string, sql: string): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    database.exec(sql)
    database.close()
    return
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}
