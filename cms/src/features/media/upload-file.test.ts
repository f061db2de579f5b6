import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchFile, jpeg, keptFiles, upload } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { unconfirmed } from '../../base/errors.ts'

const SIZES = ['max', 'full', 'two-thirds', 'one-half', 'one-third', 'one-sixth']

describeService('§4.3 uploads', { isLong: true }, (service) => {
  const rows = () => service.app.store.attachments.count()

  test('§2.3 the answer is the whole attachment object', async () => {
    const bytes = await jpeg(2000, 1000)
    const { status, body } = await upload(service, 'contributor', bytes, 'My Photo.JPG')
    expect(status).toBe(200)
    const url = (size: string) => `/uploads/attachments/${body._id}-my-photo.${size}jpg`
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-z]{26}$/),
      type: 'attachment',
      _url: url(''),
      _urls: { ...Object.fromEntries(SIZES.map((size) => [size, url(`${size}.`)])), original: url('') },
      docIds: [],
      archivedDocIds: [],
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
      extension: 'jpg',
      group: 'images',
      name: 'my-photo',
      title: 'my photo',
      length: bytes.length,
      md5: createHash('md5').update(bytes).digest('hex'),
      width: 2000,
      height: 1000,
      landscape: true,
      portrait: false,
      _isCroppable: true,
      crops: [],
    })
  })

  test('§4.3 every size exists, fits its bounds and is never enlarged; the original is unchanged', async () => {
    const bytes = await jpeg(800, 1200)
    const { body } = await upload(service, 'contributor', bytes)
    const bounds = { max: [800, 1200], full: [760, 1140], 'one-half': [467, 700], 'one-sixth': [190, 285] }
    for (const [size, [width, height]] of Object.entries(bounds)) {
      const response = await fetchFile(service, body._urls[size])
      expect(response.status).toBe(200)
      const { width: w, height: h } = await sharp(await response.arrayBuffer()).metadata()
      expect([w, h]).toEqual([width, height])
    }
    const original = await fetchFile(service, body._url)
    expect(original.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await original.arrayBuffer())).toEqual(bytes)
  })

  test('§2.3 a file that is not an image has a URL and no sizes', async () => {
    const { body } = await upload(service, 'contributor', 'hello notes', 'Notes.txt')
    expect(body).toMatchObject({ group: 'office', extension: 'txt', name: 'notes', length: 11 })
    expect(Object.keys(body)).not.toContain('width')
    expect(Object.keys(body)).not.toContain('_urls')
    expect(await (await fetchFile(service, body._url)).text()).toBe('hello notes')
  })

  test('§4.3 an SVG is cleaned and serves as all of its sizes', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><script>alert(1)</script><rect width="9" height="9"/></svg>'
    const { status, body } = await upload(service, 'contributor', svg, 'draw.svg')
    expect(status).toBe(200)
    expect(new Set(Object.values(body._urls))).toEqual(new Set([body._url]))
    expect(await (await fetchFile(service, body._url)).text()).not.toContain('alert')
  })

  test('§5 anonymous callers and guests may not upload, and nothing they send is left', async () => {
    const [before, filesBefore] = [await rows(), await keptFiles(service)]
    expect((await upload(service, null, await jpeg())).status).toBe(401)
    expect((await upload(service, 'guest', await jpeg())).status).toBe(403)
    expect([await rows(), await keptFiles(service)]).toEqual([before, filesBefore])
  })

  test.each([
    ['an empty file', '', 'empty.jpg', 400],
    ['text that calls itself an image', 'no image at all', 'fake.jpg', 400],
    ['half a JPEG', 'half', 'half.jpg', 400],
    ['a page', '<html></html>', 'page.html', 400],
    ['a program', 'MZ\u0000\u0001', 'run.exe', 400],
  ])('§4.3 %s is refused and leaves nothing', async (what, text, name, status) => {
    const [before, filesBefore] = [await rows(), await keptFiles(service)]
    const whole = await jpeg()
    const bytes = what === 'half a JPEG' ? whole.subarray(0, whole.length / 2) : text
    const answer = await upload(service, 'editor', bytes, name)
    expect(answer).toMatchObject({ status, body: { name: 'invalid' } })
    expect([await rows(), await keptFiles(service)]).toEqual([before, filesBefore])
  })

  test('§4.3 JSON, an empty body and a part of another name are `invalid`', async () => {
    expect((await service.editor.post('@cms/attachment/upload', {})).body.name).toBe('invalid')
    const form = new FormData()
    form.append('picture', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
    for (const body of [undefined, form]) {
      const response = await fetch(`${service.address}/api/v1/@cms/attachment/upload`, {
        method: 'POST',
        headers: { authorization: 'ApiKey key-editor' },
        ...(body === undefined ? {} : { body }),
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ name: 'invalid' })
    }
  })

  test('§4.3 sixteen uploads of one name at once are sixteen files', async () => {
    const bytes = await jpeg(300, 300)
    const answers = await Promise.all(Array.from({ length: 16 }, () => upload(service, 'editor', bytes, 'same.jpg')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const urls = answers.map(({ body }) => body._url)
    expect(new Set(urls).size).toBe(16)
    for (const url of urls) expect((await fetchFile(service, url)).status).toBe(200)
  })

  test('§4.3 the files of an upload that may be stored stay', async () => {
    const { store } = service.app
    const transaction = store.transaction.bind(store)
    const unconfirming = vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
      const known = await rows()
      const result = await transaction(work)
      if ((await rows()) > known) throw unconfirmed(new Error('The connection broke.'))
      return result
    })
    onTestFinished(() => unconfirming.mockRestore())
    const kept = (await keptFiles(service)).length
    const { status, body } = await upload(service, 'contributor', 'hello', 'unconfirmed.txt')
    expect(unconfirming).toHaveBeenCalled()
    expect({ status, body }).toMatchObject({ status: 503, body: { data: { mayBeStored: true } } })
    expect(await keptFiles(service)).toHaveLength(kept + 1)
  })

  test('§4.3 an aborted upload leaves nothing', async () => {
    const [before, filesBefore] = [await rows(), await keptFiles(service)]
    const controller = new AbortController()
    const bytes = await jpeg(1500, 1500)
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(head))
        stream.enqueue(new Uint8Array(bytes.subarray(0, 1000)))
        setTimeout(() => controller.abort(), 50)
      },
    })
    const sent = fetch(`${service.address}/api/v1/@cms/attachment/upload`, {
      method: 'POST',
      body,
      duplex: 'half',
      signal: controller.signal,
      headers: { authorization: 'ApiKey key-editor', 'content-type': 'multipart/form-data; boundary=b' },
    } as RequestInit)
    await expect(sent).rejects.toThrow()
    await expect.poll(async () => (await service.editor.get('topic')).status).toBe(200)
    expect([await rows(), await keptFiles(service)]).toEqual([before, filesBefore])
  })
})
