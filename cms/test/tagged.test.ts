import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ANYTHING, EVERYTHING } from '../src/engine/tags.ts'
import { small } from './edge-small-site.ts'
import { imagePiece, jpeg, upload } from './media.ts'
import { PASSWORD } from './people.ts'
import { startPurgeReceiver } from './purge-receiver.ts'
import { describeService } from './service.ts'

const FOR_A_YEAR = 'public, max-age=31536000, immutable'
const receiving = await startPurgeReceiver()

describeService(
  '§6.8 the cache in front',
  {
    site: small({ kind: 'http', url: receiving.url, allowPrivate: true, sharedMaxAge: 3600 }),
    isLong: true,
    timeout: 60_000,
  },
  (service) => {
    const headersOf = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(service.address + path, { headers, redirect: 'manual' })).headers
    const tagsOf = async (path: string, headers: Record<string, string> = {}) =>
      (await headersOf(path, headers)).get('cache-tag')?.split(',') ?? null
    const waiting = () => service.app.store.purges.countWaiting()
    const isTold = () => expect.poll(waiting, { timeout: 20_000 }).toBe(0)

    test('gets answers to anonymous callers with their tags, and says for how long it keeps them', async () => {
      const { body } = await service.admin.post('note', { title: 'One' })
      for (const path of ['/api/v1/note', `/api/v1/note/${body.aposDocId}`, '/sitemap.xml', '/api/v1/note?perPage=1']) {
        const headers = await headersOf(path)
        expect([path, headers.get('cache-control')]).toEqual([path, 'public, max-age=0, s-maxage=3600'])
        expect(headers.get('surrogate-key')).toBe(headers.get('cache-tag')?.replaceAll(',', ' '))
        expect(headers.get('cache-tag')?.split(',')[0]).toBe(EVERYTHING)
        const etag = headers.get('etag') ?? ''
        const again = await fetch(service.address + path, { headers: { 'if-none-match': etag } })
        expect([again.status, again.headers.get('cache-tag')]).toEqual([304, headers.get('cache-tag')])
      }
      expect(await tagsOf('/api/v1/note')).not.toBe(null)
    })

    test('gets no tags with what is for one caller, with drafts, failures, redirects and writes', async () => {
      const known = { authorization: 'ApiKey key-editor' }
      const untagged: [string, Record<string, string>][] = [
        ['/api/v1/note', known],
        ['/', known],
        ['/api/v1/note?aposMode=draft', known],
        ['/?aposMode=draft', {}],
        ['/no-such-page', {}],
        ['/api/v1/note/none', {}],
        ['/api/v1/@cms/login/whoami', {}],
        ['/api/v1/health', {}],
      ]
      for (const [path, headers] of untagged) {
        const answered = await headersOf(path, headers)
        expect([path, answered.get('cache-tag'), answered.get('surrogate-key')]).toEqual([path, null, null])
        expect(answered.get('cache-control')).not.toContain('s-maxage')
      }
      await service.admin.post('@cms/user', { title: 'erin', username: 'erin', password: PASSWORD, role: 'editor' })
      const cookie = 'site.sid=none'
      expect((await headersOf('/api/v1/note', { cookie })).get('cache-control')).toMatch(/s-maxage|no-store/)
    })

    test('learns names with at most two kilobytes, those of a list where there are more', async () => {
      const others: { _id: string }[] = []
      const content = service.app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
      await content.transaction(async (content) => {
        for (let count = 0; count < 260; count += 1) {
          const { _id } = await content.insert('note', { title: `Note ${count}` })
          others.push({ _id: String(_id) })
        }
      })
      const { body } = await service.admin.post('note', { title: 'Many', _others: others })
      const path = `/api/v1/note/${body.aposDocId}?withRelationships=_others`
      const header = (await headersOf(path)).get('surrogate-key') ?? ''
      expect(header.length).toBeLessThanOrEqual(2048)
      expect(header.split(' ')).not.toContain(ANYTHING)
      await isTold()
      receiving.received.length = 0
      await service.admin.patch(`note/${others.at(-1)?._id}`, { title: 'Another title' })
      await isTold()
      const told = receiving.received.flatMap(({ tags }) => tags)
      expect(header.split(' ').some((tag) => told.includes(tag))).toBe(true)
      expect(told).not.toContain(EVERYTHING)
    })

    test('need not be told of files: what has changed has another address, and redirects to it are not kept', async () => {
      const first = await imagePiece(service)
      const source = `/api/v1/@cms/image/${first.aposDocId}/src`
      const kept = new Map<string, string>()
      const keepAll = async ({ _url, _urls }: { _url: string; _urls: Record<string, string> }) => {
        for (const url of [_url, ...Object.values(_urls)]) {
          const { file, headers } = await fileAt(url)
          expect([url, headers.get('cache-control'), headers.get('cache-tag')]).toEqual([url, FOR_A_YEAR, null])
          expect([url, kept.get(url) ?? file]).toEqual([url, file])
          kept.set(url, file)
        }
      }
      const fileAt = async (url: string) => {
        const response = await fetch(service.address + new URL(url).pathname)
        const file = createHash('sha256').update(Buffer.from(await response.arrayBuffer()))
        return { headers: response.headers, file: `${response.status} ${file.digest('hex')}` }
      }
      const target = async () => {
        const headers = await headersOf(source)
        expect([headers.get('cache-tag'), headers.get('surrogate-key')]).toEqual([null, null])
        expect(headers.get('cache-control')).not.toContain('s-maxage')
        return headers.get('location') ?? ''
      }
      const before = await target()
      await keepAll(first.attachment)
      const replacing = (await upload(service, 'editor', await jpeg(400, 200, '#cc3333'))).body
      await service.editor.patch(`@cms/image/${first._id}`, { attachment: replacing })
      expect(await target()).not.toBe(before)
      await keepAll(replacing)
      for (const left of [0, 100]) {
        const crop = { top: 0, left, width: 100, height: 100 }
        const cropped = await service.editor.post('@cms/attachment/crop', { _id: replacing._id, crop })
        expect(cropped.status).toBe(200)
        const url = replacing._url.replace(/\.jpg$/, `.0.${left}.100.100.jpg`)
        const { file } = await fileAt(url)
        expect([file.slice(0, 3), kept.has(url)]).toEqual(['200', false])
        kept.set(url, file)
      }
      await service.editor.patch(`@cms/image/${first._id}`, { archived: true })
      for (const [url, file] of kept)
        expect([file, '404']).toContain((await fileAt(url)).file.replace(/^404 .*/, '404'))
    })

    test('is told again of what it has not taken, once it takes it, and then once more', async () => {
      await isTold()
      const path = '/api/v1/note?sort=title'
      const before = await tagsOf(path)
      receiving.state.status = 503
      receiving.received.length = 0
      await service.admin.post('note', { title: 'While it is away' })
      await expect.poll(() => receiving.received.length, { timeout: 20_000 }).toBeGreaterThan(0)
      expect(await waiting()).toBeGreaterThan(0)
      receiving.state.status = 200
      receiving.received.length = 0
      await isTold()
      const told = new Set(receiving.received.flatMap(({ tags }) => tags))
      expect(before?.some((tag) => told.has(tag))).toBe(true)
      const metrics = await (
        await fetch(`${service.address}/api/v1/metrics`, { headers: { authorization: 'ApiKey key-admin' } })
      ).text()
      expect(metrics).toMatch(/quire_purges_total\{result="failed"\} [1-9]/)
      expect(metrics).toMatch(/quire_purges_total\{result="sent"\} [1-9]/)
      expect(metrics).toContain('quire_purges_waiting 0')
      const repeats = await service.app.store.purges.listDue(Date.now() + 60_000, 100)
      expect(repeats.every(({ isRepeated }) => isRepeated)).toBe(true)
    })

    test('is told to forget everything where that is less than all that waits', async () => {
      await isTold()
      receiving.received.length = 0
      const names = [1, 2, 3]
      await service.app.store.transaction(async ({ purges }) => {
        for (let count = 0; count < 1_001; count += 1) await purges.add({ names, due: Date.now(), isRepeated: false })
      })
      await isTold()
      expect(receiving.received.map(({ tags }) => tags)).toContainEqual([EVERYTHING])
    })

    test('hears nothing of what was rolled back', async () => {
      await isTold()
      receiving.received.length = 0
      const content = service.app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
      const work = content.transaction(async (content) => {
        await content.insert('note', { title: 'Rolled back' })
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await waiting()).toBe(0)
    })
  },
)
