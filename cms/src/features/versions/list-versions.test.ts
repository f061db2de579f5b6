import { describe, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { timelinePage } from '../../engine/versions/timeline.ts'
import type { Version, VersionReader } from '../../store/contract/store.ts'

const VERSIONS = '@cms/document-versions'

describeService('§4.4 lists of versions', {}, (service) => {
  const make = async (fields: object = {}, query = '', type = 'article') =>
    (await service.editor.post(type, { title: 'First', ...fields }, query)).body.aposDocId as string
  const list = async (docId: string, query = '') => (await service.editor.get(VERSIONS, `docId=${docId}&${query}`)).body
  const idOfEditor = async (): Promise<string> => (await service.editor.get('@cms/login/whoami')).body._id

  /** Adds versions past the interface, the newest last. */
  async function add(docId: string, versions: readonly Partial<Version>[], content: object = { title: 'Made' }) {
    await service.app.store.transaction(async (tx) => {
      for (const version of versions) {
        const defaults = { id: newId(), docId, locale: 'en', mode: 'draft', type: 'article', updatedAt: null } as const
        const author = {
          author: 'Somebody',
          authorId: 'somebody',
          ai: false,
          restoredFrom: null,
          label: null,
          data: null,
        }
        const createdAt = new Date(Date.UTC(2020, 0, 1)).toISOString()
        await tx.versions.add({ ...defaults, ...author, createdAt, ...version }, { ...content })
      }
    })
  }
  const times = (count: number) =>
    Array.from({ length: count }, (_, i) => new Date(Date.UTC(2020, 0, 1) + i).toISOString())

  it('§4.2 _home is the id of the home page here, too', async () => {
    await service.editor.patch('@cms/page/_home', { title: 'Another home' })
    const { _id } = (await service.editor.get('@cms/page/_home')).body
    const { results } = await list('_home')
    expect(results[0]).toMatchObject({ mode: 'published', author: 'editor key', locale: 'en' })
    expect(results).toEqual((await list(_id)).results)
    const [french] = (await list('_home', 'aposLocale=fr')).results
    expect(french?.author).not.toBe('editor key')
  })

  it('§2.4 every property of a record, newest first', async () => {
    const id = await make()
    await service.editor.patch(`article/${id}:en:draft`, { title: 'Second', subtitle: 'New', _ai: true })
    const { results, next, total } = await list(`${id}:en:published`)
    const common = { author: 'editor key', authorId: await idOfEditor(), locale: 'en' }
    expect(results).toEqual([
      {
        _id: expect.any(String),
        createdAt: expect.any(String),
        mode: 'draft',
        ai: true,
        changeCount: 2,
        live: true,
        ...common,
      },
      {
        _id: expect.any(String),
        createdAt: expect.any(String),
        mode: 'published',
        ai: false,
        changeCount: 0,
        ...common,
      },
    ])
    expect([next, total]).toEqual([null, 2])
    await service.editor.patch(`article/${id}:en:draft`, { title: 'Third', _autosave: true, _ai: true })
    const [newest] = (await list(id)).results
    expect(newest).toMatchObject({ _id: results[0]._id, createdAt: results[0].createdAt, changeCount: 2 })
    expect(newest.updatedAt > newest.createdAt).toBe(true)
    await service.editor.put(`article/${id}:en:draft`, { _restoreVersion: results[1]._id })
    expect((await list(id)).results[0]).toMatchObject({ restoredFrom: results[1]._id, changeCount: 0, mode: 'draft' })
  })

  it('the timeline is that of the locale, whatever form the id has', async () => {
    const id = await make()
    await service.editor.post(`article/${id}/localize`, { toLocale: 'fr' })
    const modes = async (docId: string, query = '') =>
      (await list(docId, query)).results.map((one: Version) => one.mode)
    expect(await modes(id)).toEqual(['published'])
    expect(await modes(`${id}:en:draft`)).toEqual(['published'])
    expect(await modes(`${id}:fr:published`)).toEqual(['draft'])
    expect(await modes(id, 'aposLocale=fr')).toEqual(['draft'])
    expect(await modes(`${id}:en:draft`, 'aposLocale=fr:published')).toEqual(['draft'])
  })

  it('types without locales have one timeline, always published', async () => {
    const id = await make({}, '', 'note')
    await service.editor.patch(`note/${id}`, { title: 'Second' })
    for (const docId of [id, `${id}:en:draft`]) {
      const { results } = await list(docId)
      expect(results).toMatchObject([
        { mode: 'published', locale: null, changeCount: 1, live: true },
        { mode: 'published', locale: null, changeCount: 0 },
      ])
    }
    expect((await service.contributor.get(VERSIONS, `docId=${id}`)).body.name).toBe('notfound')
  })

  it('pages are made of ten, and `before` is exclusive', async () => {
    const id = await make()
    await add(
      id,
      times(24).map((createdAt) => ({ createdAt })),
    )
    const first = await list(id)
    expect(first).toMatchObject({ total: 25, next: first.results.at(-1).createdAt })
    const second = await list(id, `before=${first.next}`)
    const third = await list(id, `before=${encodeURIComponent(second.next.replace('Z', '+00:00'))}`)
    expect([first, second, third].map(({ results }) => results.length)).toEqual([10, 10, 5])
    expect(third.next).toBe(null)
    const all = [first, second, third].flatMap(({ results }) => results.map(({ _id }: { _id: string }) => _id))
    expect(new Set(all).size).toBe(25)
    expect((await list(id, 'before=2019-12-31')).results).toEqual([])
    expect((await list(id, 'before=2020-01-02')).results).toHaveLength(10)
  })

  it('a page does not end between versions of one millisecond', async () => {
    const id = await make()
    await add(
      id,
      Array.from({ length: 14 }, (_, index) => ({ createdAt: times(2)[index < 2 ? 0 : 1] ?? '' })),
    )
    const first = await list(id)
    expect(first.results).toHaveLength(13)
    expect((await list(id, `before=${first.next}`)).results).toHaveLength(2)
  })

  it('what changes in an instant is counted: nothing for what changed back, first and restored versions', async () => {
    const id = await make({ subtitle: 'Sub' })
    const topic = await make({}, '', 'topic')
    await service.editor.patch(`article/${id}`, { title: 'Two', subtitle: '', topicsIds: [topic] })
    await service.editor.post(`article/${id}/publish`)
    await service.editor.patch(`article/${id}:en:draft`, { visibility: 'loginRequired', title: 'Three' })
    expect((await list(id)).results.map((one: { changeCount: number }) => one.changeCount)).toEqual([1, 0, 3, 0])
  })

  it('`live` says that the draft holds what the newest version holds', async () => {
    const id = await make()
    const live = async (query = '') => (await list(id, query)).results.map((one: { live?: true }) => one.live)
    await service.editor.patch(`article/${id}`, { visibility: 'loginRequired' })
    expect(await live()).toEqual([true])
    await service.editor.patch(`article/${id}:en:draft`, { subtitle: 'Waiting' })
    await service.editor.patch(`article/${id}`, { title: 'Published' })
    expect(await live()).toEqual([undefined, undefined, undefined])
    await service.editor.post(`article/${id}/publish`)
    expect(await live()).toEqual([true, undefined, undefined, undefined])
    expect(await live(`before=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual(Array(4).fill(undefined))
  })

  it('filters: by author, AI and time', async () => {
    const id = await make()
    await service.contributor.patch(`article/${id}:en:draft`, { title: 'By the contributor' })
    await service.editor.patch(`article/${id}:en:draft`, { title: 'By AI', _ai: true })
    const { results } = await list(id)
    const found = async (query: string) => {
      const { results, total } = await list(id, query)
      expect(results).toHaveLength(total)
      return results.map(({ _id, changeCount }: { _id: string; changeCount: number }) => [_id, changeCount])
    }
    const [ai, contributor, first] = results.map((one: { _id: string; changeCount: number }) => [
      one._id,
      one.changeCount,
    ])
    expect(await found(`authorId=${results[1].authorId}`)).toEqual([contributor])
    expect(await found(`authorId=${results[0].authorId}`)).toEqual([ai, first])
    expect(await found('authorId=nobody')).toEqual([])
    expect(await found('ai=1&consolidate=1')).toEqual([ai])
    expect(await found(`since=${results[1].createdAt}`)).toEqual([ai, contributor])
    expect(await found(`since=${results[1].createdAt}&authorId=${results[0].authorId}`)).toEqual([ai])
  })

  it('wrong parameters are reported', async () => {
    const id = await make()
    const ask = async (query: string, caller = service.editor) => (await caller.get(VERSIONS, query)).body.name
    expect(await ask('')).toBe('invalid')
    expect(await ask('docId=')).toBe('invalid')
    expect(await ask(`docId[]=${id}`)).toBe('invalid')
    for (const before of ['yesterday', '5', '2020-13-01', '2026-02-31', '9999-12-31T23:59:59-12:00', ''])
      expect(await ask(`docId=${id}&before=${before}`)).toBe('invalid')
    expect(await ask(`docId=${id}&since=soon`)).toBe('invalid')
    expect(await ask(`docId=${newId()}`)).toBe('notfound')
    expect(await ask('docId=a:b:c')).toBe('notfound')
    expect(await ask(`docId=${id}:es:draft`)).toBe('notfound')
    expect(await ask(`docId=${id}`, service.guest)).toBe('notfound')
    expect(await ask(`docId=${id}`, service.anonymous)).toBe('unauthorized')
    expect(await ask('', service.anonymous)).toBe('unauthorized')
    expect(await ask(`docId=${id}`, service.contributor)).toBeUndefined()
  })

  it('types without versions have none', async () => {
    const [user] = (await service.admin.get('@cms/user')).body.results
    const made = user ?? (await service.admin.post('@cms/user', { title: 'U', username: 'u-1', role: 'guest' })).body
    expect((await service.admin.get(VERSIONS, `docId=${made._id}`)).body.name).toBe('notfound')
  })

  describe('a long history', () => {
    it('costs as many statements as a short one', async () => {
      const counted = async (docId: string, query = '') => {
        await service.quiet()
        const before = service.statements.length
        await list(docId, query)
        return service.statements.length - before
      }
      const short = await make()
      await add(
        short,
        times(30).map((createdAt, i) => ({ createdAt, ai: i % 3 === 0 })),
      )
      const long = await make()
      await add(
        long,
        times(600).map((createdAt, i) => ({ createdAt, ai: i % 3 === 0 })),
      )
      expect(await counted(long)).toBe(await counted(short))
      expect(await counted(long, 'consolidate=1')).toBe(await counted(short, 'consolidate=1'))
      expect(await counted(long)).toBeLessThanOrEqual(5)
    })

    it('of one run is read without its contents', async () => {
      const id = await make()
      await add(
        id,
        times(3_000).map((createdAt, i) => ({ createdAt, ai: i % 2 === 0 })),
      )
      const { versions } = service.app.store
      const read: number[] = []
      const list = async (...query: Parameters<VersionReader['list']>) => {
        const listed = await versions.list(...query)
        read.push(listed.length)
        return listed
      }
      const reader = new Proxy(versions, {
        get: (target, name) => (name === 'list' ? list : Reflect.get(target, name).bind(target)),
      })
      const { items } = await timelinePage(reader, { docId: id, locale: 'en' }, { consolidate: true })
      expect(items.map(({ saves }) => saves.length)).toEqual([1, 3_000])
      expect(read).toEqual([11, 0])
      const [, run] = (await service.editor.get(VERSIONS, `docId=${id}&consolidate=1`)).body.results
      expect(run.versionIds).toEqual(items[1]?.saves.map((save) => save.id))
      const { body } = await service.editor.get(`${VERSIONS}/${run._id}/changes`, 'consolidate=1')
      expect(body).toEqual({ ...body, versionIds: run.versionIds, compared: false })
    })
  })

  describe('consolidate', () => {
    const by = (authorId: string, ai: boolean, more: Partial<Version> = {}) => ({ authorId, ai, ...more })
    /** Each item as the AI marks of its versions. */
    const items = async (docId: string) =>
      (await list(docId, 'consolidate=1')).results.map((one: { versionIds?: string[] }) => one.versionIds?.length ?? 1)
    const history = async (versions: readonly Partial<Version>[]) => {
      const id = await make()
      const ordered = times(versions.length).map((createdAt, index) => ({ ...versions[index], createdAt }))
      await add(id, ordered)
      return id
    }

    it('drafts of one author are one item when AI saved some of them', async () => {
      expect(await items(await history([by('a', true), by('a', false), by('a', true)]))).toEqual([1, 3])
      expect(await items(await history([by('a', false), by('a', false)]))).toEqual([1, 1, 1])
      expect(await items(await history([by('a', true), by('a', true)]))).toEqual([1, 1, 1])
      expect(await items(await history([by('a', true), by('b', false)]))).toEqual([1, 1, 1])
      expect(await items(await history([by('a', true), by('b', false), by('a', false)]))).toEqual([1, 1, 1, 1])
    })

    it('a published or restored version ends a run and is no part of it', async () => {
      const between = (more: Partial<Version>) =>
        history([by('a', true), by('a', false), by('a', true, more), by('a', false), by('a', true)])
      expect(await items(await between({ mode: 'published' }))).toEqual([1, 2, 1, 2])
      expect(await items(await between({ restoredFrom: newId() }))).toEqual([1, 2, 1, 2])
    })

    it('the item has what its newest version has, and counts what is left of the changes', async () => {
      const id = await make({ subtitle: 'Sub' })
      const draft = `article/${id}:en:draft`
      await service.editor.patch(draft, { title: 'By AI', subtitle: '', _ai: true })
      await service.editor.patch(draft, { subtitle: 'Sub' })
      const { results, total } = await list(id)
      const consolidated = await list(id, 'consolidate=1')
      const versionIds = results.slice(0, 2).map(({ _id }: { _id: string }) => _id)
      expect(results.map((one: { changeCount: number }) => one.changeCount)).toEqual([1, 2, 0])
      expect(consolidated).toEqual({
        results: [{ ...results[0], ai: true, versionIds, changeCount: 1 }, results[2]],
        next: null,
        total,
      })
    })

    it('is never split across pages', async () => {
      const id = await history([
        ...Array.from({ length: 5 }, () => by('b', false)),
        ...Array.from({ length: 30 }, (_, index) => by('a', index === 2)),
        ...Array.from({ length: 4 }, () => by('b', false)),
      ])
      const first = await list(id, 'consolidate=1')
      expect(first.results.map((one: { versionIds?: string[] }) => one.versionIds?.length ?? 1)).toEqual([
        1, 1, 1, 1, 1, 30,
      ])
      const second = await list(id, `consolidate=1&before=${first.next}`)
      expect(second.results).toHaveLength(5)
      expect(second.next).toBe(null)
    })
  })
})
