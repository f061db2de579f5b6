import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { fetchFile, imagePiece, jpeg, keptFiles, uploadedImage } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import type { Context } from '../../engine/context.ts'
import { withTemporaryFile } from '../../engine/media/attachment-files.ts'
import { holdingFiles } from '../../engine/media/held-files.ts'
import { runWhenDue } from '../../engine/run-jobs.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import { cleanKilled, cleanUploads } from './clean-media.ts'
import { DAILY_CLEANING } from './feature.ts'
import { rescaleImages } from './rescale.ts'
import { importFile } from './upload-file.ts'

const HOUR = 60 * 60 * 1000
const CROP = { top: 10, left: 20, width: 300, height: 150 }

const site = defineSite({
  types: [piece('story', { fields: { add: { cover: { type: 'attachment' } } } })],
})

describeService('§4.3 looking after uploads', { site }, (service) => {
  const filesOf = async (id: string) => (await keptFiles(service)).filter((name) => name.includes(id))
  const later = (hours: number): Context => {
    const time = new Date(Date.now() + hours * HOUR)
    return { ...service.app.context({ kind: 'operator' }), now: () => time }
  }

  test('§4.3 unused uploads are removed after a day with all their files', async () => {
    const unused = await uploadedImage(service)
    await service.editor.post('@cms/attachment/crop', { _id: unused._id, crop: CROP })
    const { attachment: used } = await imagePiece(service)
    expect(await filesOf(unused._id)).toHaveLength(14)
    await cleanUploads(later(23))
    expect(await filesOf(unused._id)).toHaveLength(14)
    const reports: number[][] = []
    expect(await cleanUploads(later(25), { onProgress: (done, total) => reports.push([done, total]) })).toMatchObject({
      unused: 1,
    })
    expect(reports.at(-1)?.[0]).toBe(reports.at(-1)?.[1])
    expect(await filesOf(unused._id)).toEqual([])
    expect(await filesOf(used._id)).toHaveLength(7)
    expect((await fetchFile(service, String(unused._url))).status).toBe(404)
    expect((await service.editor.post('story', { title: 'Late', cover: unused })).status).toBe(400)
  })

  test('§10.1 while a backup is made no files are removed; the next cleaning removes them', async () => {
    const image = await imagePiece(service)
    const { _id } = image.attachment
    const { store } = service.app.context({ kind: 'operator' })
    await holdingFiles(store, async () => {
      expect((await service.admin.delete(`@cms/image/${image._id}`)).status).toBe(200)
      await expect.poll(async () => (await store.attachments.existing([_id])).size).toBe(0)
      await holdingFiles(store, async () => {})
      await cleanUploads(service.app.context({ kind: 'operator' }))
      expect(await filesOf(_id)).toHaveLength(7)
    })
    await cleanUploads(service.app.context({ kind: 'operator' }))
    expect(await filesOf(_id)).toEqual([])
    expect(await store.attachments.leftOver([_id])).toEqual(new Map())
  })

  test('§10.4 while an import runs, its files stay although nothing names them yet', async () => {
    const ctx = service.app.context({ kind: 'operator' })
    const { id } = await withTemporaryFile(async (path) => {
      await writeFile(path, await jpeg())
      return importFile(ctx, path, 'old.jpg', { createdAt: '2024-01-01T00:00:00.000Z' })
    })
    await holdingFiles(ctx.store, () => cleanUploads(ctx))
    expect(await filesOf(id)).toHaveLength(7)
    await cleanUploads(ctx)
    expect(await filesOf(id)).toEqual([])
  })

  test('§4.3 temporary files of killed processes are removed after an hour, those of a process that runs never', async () => {
    const gone = execFileSync(process.execPath, ['-p', 'process.pid']).toString().trim()
    const make = async (processId: string | number, minutes: number, fileMinutes = minutes) => {
      const path = await mkdtemp(join(tmpdir(), `quire-upload-${processId}-`))
      onTestFinished(() => rm(path, { recursive: true, force: true }))
      await writeFile(join(path, 'file'), 'half')
      const ago = (of: number) => new Date(Date.now() - of * 60_000)
      await utimes(join(path, 'file'), ago(fileMinutes), ago(fileMinutes))
      await utimes(path, ago(minutes), ago(minutes))
      return basename(path)
    }
    const left = [await make(gone, 61), await make(gone, 3000)]
    const kept = [
      await make(gone, 59),
      await make(gone, 61, 5),
      await make(process.pid, 61),
      await make(process.ppid, 61),
    ]
    const stop = new AbortController()
    await cleanKilled(service.app.context({ kind: 'operator' }), stop.signal)
    const names = await readdir(tmpdir())
    expect(left.filter((name) => names.includes(name))).toEqual([])
    expect(kept.filter((name) => !names.includes(name))).toEqual([])
  })

  test('§4.3 files of an upload that was never recorded go at the next start after an hour', async () => {
    const ctx = service.app.context({ kind: 'operator' })
    const id = newId()
    const due = new Date(Date.now() + HOUR).toISOString()
    await ctx.store.transaction(({ attachments }) => attachments.recordLeftOver([id], due))
    await ctx.files.put(`attachments/${id}-cut-off.jpg`, { source: await jpeg() })
    const after = (minutes: number) => ({ ...ctx, now: () => new Date(Date.now() + minutes * 60_000) })
    const { signal } = new AbortController()
    await cleanKilled(after(59), signal)
    expect(await filesOf(id)).toHaveLength(1)
    await cleanKilled(after(61), signal)
    expect(await filesOf(id)).toEqual([])
  })

  test('§4.3 files named only by a version stay', async () => {
    const cover = await uploadedImage(service)
    const { body } = await service.editor.post('story', { title: 'Story', cover })
    await service.editor.patch(`story/${body._id}`, { cover: null })
    await cleanUploads(later(25))
    expect(await filesOf(cover._id)).toHaveLength(7)
    await service.editor.delete(`story/${body._id}`)
    await cleanUploads(later(25))
    expect(await filesOf(cover._id)).toEqual([])
  })

  test('§4.3 files of an upload that a crash cut off are removed after a day, and those of its own time stay', async () => {
    const { files, store } = service.app.context({ kind: 'operator' })
    const [id, file] = [newId(), (one: string) => `attachments/${one}-cut-off.txt`]
    const due = new Date(Date.now() + 24 * HOUR).toISOString()
    await store.transaction((tx) => tx.attachments.recordLeftOver([id], due))
    await files.put(file(id), { source: Buffer.from('half') })
    expect(await cleanUploads(later(23))).toMatchObject({ leftOver: 0, unknown: { count: 0 } })
    expect(await filesOf(id)).toHaveLength(1)
    expect(await cleanUploads(later(25))).toMatchObject({ leftOver: 1, unknown: { count: 0 } })
    expect(await filesOf(id)).toEqual([])
    expect((await store.attachments.leftOver([id])).size).toBe(0)
  })

  test('§4.3 files that this database never knew are listed, and removed only when asked for and a day old', async () => {
    const { files } = service.app.context({ kind: 'operator' })
    const name = (id: string) => `attachments/${id}-unknown.txt`
    const [old, young] = [`${'0'.repeat(10)}aaaaaaaaaaaaaaaa`, newId()].map(name)
    for (const one of [old ?? '', young ?? '', 'attachments/readme.txt']) {
      await files.put(one, { source: Buffer.from('unknown') })
    }
    const operator = service.app.context({ kind: 'operator' })
    const listed = await cleanUploads(operator)
    expect(listed).toMatchObject({ leftOver: 0, unknown: { count: 2 } })
    expect(listed.unknown.names.toSorted()).toEqual([old, young])
    expect(await cleanUploads(operator, { removesUnknown: true })).toMatchObject({
      leftOver: 1,
      unknown: { count: 1, names: [young] },
    })
    expect((await keptFiles(service)).filter((one) => /unknown|readme/.test(one))).toEqual([
      young,
      'attachments/readme.txt',
    ])
    await files.remove([young ?? '', 'attachments/readme.txt'])
  })

  test('§4.3 deleting an image also removes the files it had before', async () => {
    const image = await imagePiece(service)
    const { _id } = image.attachment
    const attachment = await uploadedImage(service)
    await service.editor.patch(`@cms/image/${image._id}`, { attachment })
    await service.editor.post(`@cms/image/${image._id}/unpublish`)
    expect([(await filesOf(_id)).length, (await filesOf(attachment._id)).length]).toEqual([7, 7])
    await service.editor.delete(`@cms/image/${image.aposDocId}:en:draft`)
    await expect.poll(async () => [...(await filesOf(_id)), ...(await filesOf(attachment._id))]).toEqual([])
  })

  test('§4.3 deleting an image removes its files unless another document names them', async () => {
    const image = await imagePiece(service)
    const shared = await imagePiece(service)
    const { body: story } = await service.editor.post('story', { title: 'Story', cover: shared.attachment })
    await service.editor.delete(`@cms/image/${image._id}`)
    await service.editor.delete(`@cms/image/${shared._id}`)
    await expect.poll(() => filesOf(image.attachment._id)).toEqual([])
    expect(await filesOf(shared.attachment._id)).toHaveLength(7)
    expect((await service.editor.get(`story/${story._id}`)).body.cover.docIds.toSorted()).toEqual([
      `${story.aposDocId}:en:draft`,
      `${story.aposDocId}:en:published`,
    ])
  })

  test('§4.3 while serving, one process cleans once a day', async () => {
    const { _id } = await uploadedImage(service)
    await runWhenDue(later(29), DAILY_CLEANING)
    await Promise.all([runWhenDue(later(30), DAILY_CLEANING), runWhenDue(later(30), DAILY_CLEANING)])
    expect(await filesOf(_id)).toEqual([])
    const next = await uploadedImage(service)
    await runWhenDue(later(50), DAILY_CLEANING)
    expect(await filesOf(next._id)).toHaveLength(7)
    await runWhenDue(later(55), DAILY_CLEANING)
    expect(await filesOf(next._id)).toEqual([])
  })

  test('§5.6 the daily cleaning removes what is left of failures to sign in that nobody followed up', async () => {
    const failures = () => rowsOf(service.databaseUrl, ['select failures from throttle'])
    const attempt = { username: 'nobody', password: 'wrong password' }
    expect((await service.anonymous.post('@cms/login/login', attempt)).status).toBe(401)
    expect((await failures())[0]).not.toEqual([])
    await runWhenDue(later(80), DAILY_CLEANING)
    expect((await failures())[0]).toEqual([])
  })

  test('§4.5 the daily cleaning removes clipboards that have expired', async () => {
    const clipboards = () => rowsOf(service.databaseUrl, ['select content from clipboards'])
    const [createdAt, expiresAt] = ['2020-01-01T00:00:00.000Z', new Date(Date.now() + HOUR).toISOString()]
    const clipboard = { hash: 'hash', maker: 'key a', content: 'unpublished', createdAt, expiresAt }
    await service.app.store.transaction((tx) => tx.clipboards.add(clipboard))
    expect((await clipboards())[0]).toHaveLength(1)
    await runWhenDue(later(110), DAILY_CLEANING)
    expect((await clipboards())[0]).toEqual([])
  })

  test('§4.3 rescaling makes sizes and crops again, and resumes after a stop', async () => {
    const first = await imagePiece(service)
    const second = await imagePiece(service)
    await service.editor.post('@cms/attachment/crop', { _id: second.attachment._id, crop: CROP })
    const ctx = service.app.context({ kind: 'operator' })
    const sizes = async (id: string) => (await filesOf(id)).filter((name) => name !== `attachments/${id}-my-photo.jpg`)
    await ctx.files.remove([...(await sizes(first.attachment._id)), ...(await sizes(second.attachment._id))])
    await ctx.store.transaction((tx) => tx.settings.set('media rescale', first.attachment._id))
    expect((await rescaleImages(ctx)).failed).toBe(0)
    expect(await filesOf(first.attachment._id)).toHaveLength(1)
    expect(await filesOf(second.attachment._id)).toHaveLength(14)
    const reports: number[][] = []
    const { images, failed } = await rescaleImages(ctx, (done, total) => reports.push([done, total]))
    expect(failed).toBe(0)
    expect(images).toBeGreaterThan(1)
    expect(reports.at(-1)?.[0]).toBe(reports.at(-1)?.[1])
    expect(await filesOf(first.attachment._id)).toHaveLength(7)
    const part = `/uploads/attachments/${second.attachment._id}-my-photo.10.20.300.150.one-sixth.jpg`
    const { width } = await sharp(await (await fetchFile(service, part)).arrayBuffer()).metadata()
    expect(width).toBe(190)
  })

  test('§4.3 rescaling passes over an image that is removed while it runs', async () => {
    const { aposDocId, attachment } = await imagePiece(service)
    const ctx = service.app.context({ kind: 'operator' })
    const removeFirst = async (name: string, path: string) => {
      if (name.includes(attachment._id)) {
        expect((await service.editor.delete(`@cms/image/${aposDocId}`)).status).toBe(200)
        await expect.poll(async () => (await ctx.store.attachments.byIds([attachment._id])).size).toBe(0)
      }
      return ctx.files.fetch(name, path)
    }
    const files = new Proxy(ctx.files, {
      get: (target, name) => (name === 'fetch' ? removeFirst : Reflect.get(target, name).bind?.(target)),
    })
    expect(await rescaleImages({ ...ctx, files })).toMatchObject({ failed: 0 })
    expect(await ctx.files.facts(`attachments/${attachment._id}-my-photo.jpg`)).toBeNull()
  })

  test('§4.3 rescaling reports an image whose original is gone and makes the others', async () => {
    const lost = await imagePiece(service)
    const ctx = service.app.context({ kind: 'operator' })
    await ctx.files.remove([`attachments/${lost.attachment._id}-my-photo.jpg`])
    const { failed } = await rescaleImages(ctx)
    expect(failed).toBe(1)
    expect(await service.editor.post('@cms/attachment/crop', { _id: lost.attachment._id, crop: CROP })).toMatchObject({
      status: 503,
      body: { name: 'unavailable' },
    })
  })
})
