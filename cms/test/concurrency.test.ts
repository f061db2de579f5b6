import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { type App, createApp } from '../src/app.ts'
import { inconsistencies, versionCount } from './consistency.ts'
import { isWhole } from './sample.ts'
import { type Answer, type Caller, callerOf, describeService } from './service.ts'

const POOL = 3
/** How many do the same at once: many more than there are connections. */
const MANY = isWhole ? 50 : 20

/** Calls `work` so many times at once; the answers, in order. */
function atOnce(times: number, work: (number: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, number) => work(number)))
}

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describeService('§0.8 concurrent writers', { poolSize: POOL, isLong: true }, (service) => {
  let other: App
  let first: Caller
  let second: Caller
  const either = (number: number) => (number % 2 === 0 ? first : second)

  beforeAll(async () => {
    const keys = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
    other = await createApp(referenceSite({}), { database: service.databaseUrl, poolSize: POOL, keys })
    first = service.editor
    second = callerOf(await other.listen(0, '127.0.0.1'), 'key-editor', null)
  })

  afterAll(async () => {
    await other.close()
  })

  afterEach(async () => {
    expect((await inconsistencies(service.databaseUrl, service.app.site)).slice(0, 5)).toEqual([])
    const failures = service.logged.filter(({ level }) => level === 'error')
    service.logged.length = 0
    expect(failures).toEqual([])
  })

  async function made(body: object, query?: string): Promise<string> {
    const answer = await first.post('article', body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body.aposDocId
  }

  test('four times as many writers as connections finish, and a read right after them answers', async () => {
    const answers = await atOnce(4 * POOL, (number) => first.post('article', { title: `Pool ${number}`, code: 'pool' }))
    const read = await first.get('article', 'code=pool&perPage=50')
    expect(statuses(answers)).toEqual({ 200: 4 * POOL })
    expect(read.body.total).toBe(4 * POOL)
  })

  test('writers of every sort share one connection', async () => {
    const keys = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
    const narrow = await createApp(referenceSite({}), { database: service.databaseUrl, poolSize: 1, keys })
    const caller = callerOf(await narrow.listen(0, '127.0.0.1'), 'key-editor', null)
    const topic = (await caller.post('topic', { title: 'Narrow' })).body.aposDocId
    const ids = await Promise.all(Array.from({ length: 4 }, (_, number) => made({ title: `Narrow ${number}` })))
    const answers = await Promise.all(
      ids.flatMap((id) => [
        caller.patch(`article/${id}`, { _topics: [{ _id: topic }], code: 'n' }, 'aposMode=draft'),
        caller.post(`article/${id}/publish`),
        caller.post('article', { title: 'Narrow copy', _copyingId: id }),
        caller.post(`article/${id}/localize`, { toLocale: 'fr' }),
        caller.get('article', 'search=narrow'),
        caller.get(`article/${id}`),
      ]),
    )
    await narrow.close()
    expect(statuses(answers)).toEqual({ 200: 6 * ids.length })
  })

  test.each(['draft', 'published'])('$push to one document loses nothing, %s', async (mode) => {
    const id = await made({ title: `Pushed ${mode}` })
    const before = await versionCount(service.databaseUrl, id)
    const answers = await atOnce(MANY, (number) =>
      either(number).patch(
        `article/${id}`,
        { $push: { links: { label: `l${number}`, n: number } } },
        `aposMode=${mode}`,
      ),
    )
    expect(statuses(answers)).toEqual({ 200: MANY })
    for (const copy of mode === 'draft' ? ['draft'] : ['draft', 'published']) {
      const { links } = (await first.get(`article/${id}`, `aposMode=${copy}`)).body
      expect(links.map(({ n }: { n: number }) => n).toSorted((a: number, b: number) => a - b)).toEqual(
        Array.from({ length: MANY }, (_, number) => number),
      )
      expect(new Set(links.map(({ _id }: { _id: string }) => _id)).size).toBe(MANY)
    }
    expect(await versionCount(service.databaseUrl, id)).toBe(before + MANY)
  })

  test('POSTs with one title get slugs of their own', async () => {
    const answers = await atOnce(MANY, (number) => either(number).post('article', { title: 'The same' }))
    expect(statuses(answers)).toEqual({ 200: MANY })
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(MANY)
  })

  test('of POSTs with one explicit slug one is taken, the others are a conflict', async () => {
    const answers = await atOnce(MANY, (number) =>
      either(number).post('article', { title: `S${number}`, slug: 'wanted' }),
    )
    expect(statuses(answers)).toEqual({ 200: 1, 409: MANY - 1 })
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ name: 'conflict', data: { errors: [{ path: 'slug', name: 'unique' }] } })
  })

  test('slugs that PATCHes give are taken once, those that they make get numbers', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, number) => made({ title: `Own ${number}` })))
    const given = await Promise.all(ids.map((id, at) => either(at).patch(`article/${id}`, { slug: 'patched' })))
    expect(statuses(given)).toEqual({ 200: 1, 409: 11 })
    const made_ = await Promise.all(ids.map((id, at) => either(at).patch(`article/${id}`, { slug: '', title: 'Anew' })))
    expect(statuses(made_)).toEqual({ 200: 12 })
    expect(new Set(made_.map(({ body }) => body.slug)).size).toBe(12)
  })

  test('a draft is published many times at once, and changed meanwhile', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await made({ title: `Publish ${round}`, code: 'before' }, 'aposMode=draft')
      const answers = await atOnce(8, (number) =>
        number < 5
          ? either(number).post(`article/${id}/publish`)
          : either(number).patch(`article/${id}`, { code: `c${number}` }, 'aposMode=draft'),
      )
      expect(statuses(answers)).toEqual({ 200: 8 })
      const { body } = await first.get(`article/${id}`)
      const found = await first.get('article', `code=${body.code}&perPage=50`)
      expect(found.body.results.map(({ aposDocId }: { aposDocId: string }) => aposDocId)).toContain(id)
    }
    expect((await first.get('article', 'code=none-such')).body.total).toBe(0)
  })

  test('publish, unpublish, revert and patch of one document leave both copies in order', async () => {
    const id = await made({ title: 'Torn', count: 0 })
    const answers = await atOnce(40, (number) => {
      const caller = either(number)
      if (number % 5 === 0) return caller.post(`article/${id}/publish`)
      if (number % 5 === 1) return caller.patch(`article/${id}`, { count: number }, 'aposMode=draft')
      if (number % 5 === 2) return caller.patch(`article/${id}`, { subtitle: `s${number}` })
      if (number % 5 === 3) return caller.post(`article/${id}/unpublish`)
      return caller.post(`article/${id}/revert-draft-to-published`)
    })
    for (const { status } of answers) expect([200, 400, 404]).toContain(status)
    expect((await first.get(`article/${id}`, 'aposMode=draft')).status).toBe(200)
  })

  test('PATCHes of different fields all count', async () => {
    const id = await made({ title: 'Fields' })
    const changes = [
      { subtitle: 'S' },
      { code: 'C' },
      { count: 42 },
      { rating: 2.5 },
      { featured: true },
      { level: 'high' },
      { tags: ['red'] },
      { 'address.city': 'Rome' },
      { 'address.zip': 7 },
      { link: 'https://example.org' },
    ]
    const answers = await atOnce(changes.length, (at) => either(at).patch(`article/${id}`, changes[at]))
    expect(statuses(answers)).toEqual({ 200: changes.length })
    expect((await first.get(`article/${id}`)).body).toMatchObject({
      ...Object.assign({}, ...changes.slice(0, 7)),
      address: { city: 'Rome', zip: 7 },
      link: 'https://example.org',
    })
    for (const filter of ['code=C', 'count=42', 'level=high&count=42', 'featured=true&count=42', 'tags=red&count=42']) {
      const { results } = (await first.get('article', filter)).body
      expect(results.map(({ aposDocId }: { aposDocId: string }) => aposDocId)).toEqual([id])
    }
  })

  test('archive and restore of one document, and of many that want one slug back', async () => {
    const id = await made({ title: 'Swing' })
    const swung = await atOnce(30, (number) =>
      either(number).post(`article/${id}/${number % 2 === 0 ? 'archive' : 'restore'}`),
    )
    expect(statuses(swung)).toEqual({ 200: 30 })
    const ids: string[] = []
    for (let number = 0; number < 8; number += 1) {
      const one = await made({ title: 'Returning' })
      await first.post(`article/${one}/archive`)
      ids.push(one)
    }
    const restored = await Promise.all(ids.map((one, at) => either(at).post(`article/${one}/restore`)))
    expect(statuses(restored)).toEqual({ 200: 8 })
    expect(new Set(restored.map(({ body }) => body.slug)).size).toBe(8)
  })

  test('of DELETEs one removes, the others find nothing', async () => {
    const id = await made({ title: 'Gone' })
    const answers = await atOnce(12, (number) => either(number).delete(`article/${id}`))
    expect(statuses(answers)).toEqual({ 200: 1, 404: 11 })
  })

  test('a draft is never deleted away from below its published copy', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await made({ title: `Fleeting ${round}` }, 'aposMode=draft')
      const answers = await atOnce(4, (number) =>
        number % 2 === 0
          ? either(round).post(`article/${id}/publish`)
          : either(round + 1).delete(`article/${id}`, 'aposMode=draft'),
      )
      for (const { status } of answers) expect([200, 400, 404]).toContain(status)
    }
  })

  test('a document localized from two locales at once arrives once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await made({ title: `Travel ${round}` })
      await first.post(`article/${id}/localize`, { toLocale: 'es' })
      const answers = await atOnce(6, (number) =>
        either(number).post(`article/${id}:${number < 3 ? 'en' : 'es'}:draft/localize`, { toLocale: 'de' }),
      )
      expect(statuses(answers)).toEqual({ 200: 1, 409: 5 })
    }
  })

  test('of writers with the same If-Match one wins', async () => {
    const id = await made({ title: 'Matched', count: 0 })
    for (let round = 1; round <= 5; round += 1) {
      const tag = (await first.get(`article/${id}`)).headers.get('etag') ?? ''
      const answers = await atOnce(10, (number) =>
        either(number).patch(`article/${id}`, { count: round * 10 + number }, undefined, { 'if-match': tag }),
      )
      expect(statuses(answers)).toEqual({ 200: 1, 409: 9 })
      const winner = answers.find(({ status }) => status === 200)
      expect((await second.get(`article/${id}`)).body.count).toBe(winner?.body.count)
    }
  })

  test('an ETag does not come back when a document is unpublished and published again', async () => {
    const id = await made({ title: 'Again' })
    const tag = (await first.get(`article/${id}`)).headers.get('etag') ?? ''
    await first.post(`article/${id}/unpublish`)
    await first.patch(`article/${id}`, { code: 'new' }, 'aposMode=draft')
    await first.post(`article/${id}/publish`)
    expect((await first.patch(`article/${id}`, { code: 'stale' }, '', { 'if-match': tag })).status).toBe(409)
  })

  test('searches while documents are written find what was answered before', async () => {
    const written: string[] = []
    const writing = atOnce(12, async (number) => {
      const id = await made({ title: `Quokka ${number}` })
      written.push(id)
      return first.patch(`article/${id}`, { subtitle: 'hopping' })
    })
    const searching = atOnce(24, async (number) => {
      const known = [...written]
      const answer = await either(number).get('article', 'search=quokka&perPage=100')
      const found = answer.body.results.map(({ aposDocId }: { aposDocId: string }) => aposDocId)
      expect(found).toEqual(expect.arrayContaining(known))
      return answer
    })
    const [writes, searches] = await Promise.all([writing, searching])
    expect([statuses(writes), statuses(searches)]).toEqual([{ 200: 12 }, { 200: 24 }])
    expect((await second.get('article', 'search=quokka hopping&perPage=100')).body.total).toBe(12)
  })
})
