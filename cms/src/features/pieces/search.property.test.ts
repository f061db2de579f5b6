import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzzing } from '../../../test/sample.ts'
import { type Answer, type Caller, callerOf, describeService } from '../../../test/service.ts'
import { type App, createApp } from '../../app.ts'
import { newId } from '../../base/ids.ts'
import { defineSite, piece } from '../../index.ts'

const site = defineSite({
  name: 'Woods',
  types: [
    piece('note', {
      publicApiProjection: ['title', 'text'],
      fields: { add: { text: { type: 'string' }, aside: { type: 'string' } } },
    }),
  ],
})

/** Many have the same ones, and the same beginnings. */
const TREES = ['alder', 'almond', 'ash', 'aspen', 'beech', 'birch']
const BEGINNINGS = ['al', 'a', 'as', 'be', 'bir', 'x']
/** More than are looked at one by one. */
const MANY = 110
/** How many of the newest hits are ranked at a time: among them, those with all words in the title come first. */
const RANKED = 500

const words = fc.array(fc.constantFrom(...TREES), { minLength: 1, maxLength: 2 }).map((chosen) => chosen.join(' '))
const KINDS = ['post', 'post', 'title', 'title', 'text', 'aside', 'archive', 'restore', 'hide', 'show'] as const
const step = fc.record({
  kind: fc.constantFrom(...KINDS, 'draft', 'publish', 'unpublish', 'delete', 'many', 'quiet'),
  which: fc.nat(),
  words,
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const search = fc.record({
  search: fc.option(words, { freq: 3, nil: '' }),
  autocomplete: fc.option(fc.constantFrom(...BEGINNINGS), { nil: '' }),
  isDraft: fc.boolean(),
  isAnonymous: fc.boolean(),
  isOther: fc.boolean(),
})
type Search = typeof search extends fc.Arbitrary<infer Value> ? Value : never

interface Note {
  readonly _id: string
  readonly title: string
  readonly text?: string
  readonly aside?: string
}

describeService('§4.1 a search', { site, isLong: true, timeout: 600_000 }, (service) => {
  let other: App
  let others: Record<'editor' | 'anonymous', Caller>
  const ids: string[] = []

  beforeAll(async () => {
    const keys = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
    other = await createApp(site, { database: service.databaseUrl, uploads: service.uploads, keys })
    const address = await other.listen(0, '127.0.0.1')
    others = { editor: callerOf(address, 'key-editor', null), anonymous: callerOf(address, null, null) }
  })

  afterAll(() => other.close())

  /** Carries a step out: what is refused changes nothing. */
  async function take({ kind, which, words }: Step): Promise<Answer | null> {
    const { editor } = service
    const id = ids[which % ids.length]
    if (kind === 'quiet') return service.quiet().then(() => null)
    if (kind === 'post' || kind === 'many' || id === undefined) {
      const answers: Answer[] = []
      while (answers.length < (kind === 'many' ? MANY : 1)) {
        answers.push(await editor.post('note', { title: words, slug: newId() }))
      }
      ids.push(...answers.map(({ body }) => body.aposDocId))
      return answers.at(-1) ?? null
    }
    if (kind === 'publish' || kind === 'unpublish') return editor.post(`note/${id}/${kind}`)
    if (kind === 'delete') return editor.delete(`note/${id}`)
    const changes = {
      title: { title: words },
      text: { text: words },
      aside: { aside: words },
      draft: { title: words },
      archive: { archived: true },
      restore: { archived: false },
      hide: { visibility: 'loginRequired' },
      show: { visibility: 'public' },
    }
    return editor.patch(`note/${id}`, changes[kind], kind === 'draft' ? 'aposMode=draft' : '')
  }

  /** Reads all pages of a list that a caller sees. */
  async function pages(caller: Caller, query: string, headers: Record<string, string>) {
    const found: Note[] = []
    for (let page = 1; ; page += 1) {
      const { body } = await caller.get('note', `${query}&perPage=50&page=${page}`, headers)
      found.push(...body.results)
      if (page >= body.pages) return { found, total: body.total }
    }
  }

  async function check({ search, autocomplete, ...by }: Search, headers: Record<string, string>) {
    const caller = (by.isOther ? others : service)[by.isAnonymous ? 'anonymous' : 'editor']
    const mode = by.isDraft && !by.isAnonymous ? 'aposMode=draft' : ''
    const { found, total } = await pages(caller, `${mode}&search=${search}&autocomplete=${autocomplete}`, headers)
    const all = await pages(caller, mode, headers)
    const asked = search.split(' ').filter((word) => word !== '')
    const hasAll = (text: string) => {
      const held = text.split(' ')
      const isBegun = autocomplete === '' || held.some((word) => word.startsWith(autocomplete))
      return isBegun && asked.every((word) => held.includes(word))
    }
    const textOf = ({ title, text, aside }: Note) => `${title} ${text ?? ''} ${aside ?? ''}`
    const expected = all.found.filter((note) => hasAll(textOf(note)))
    expect({ total, ids: found.map(({ _id }) => _id).sort() }).toEqual({
      total: expected.length,
      ids: expected.map(({ _id }) => _id).sort(),
    })
    const inTitle = found.map(({ title }) => hasAll(title))
    if (asked.length === 0 && autocomplete === '') return
    for (let from = 0; from < inTitle.length; from += RANKED) {
      const ranked = inTitle.slice(from, from + RANKED)
      expect(ranked).toEqual(ranked.toSorted((one, next) => Number(next) - Number(one)))
    }
  }

  test('finds what a look at each document finds, in each process, after any change', async () => {
    const round = fc.tuple(fc.array(step, { minLength: 1, maxLength: 6 }), fc.array(search, { maxLength: 6 }))
    await fc.assert(
      fc.asyncProperty(round, async ([steps, searches]) => {
        let revision = ''
        for (const one of steps) revision = (await take(one))?.headers.get('quire-revision') ?? revision
        const headers: Record<string, string> = revision === '' ? {} : { 'quire-revision': revision }
        for (const one of searches) await check(one, headers)
      }),
      { ...fuzzing(24), endOnFailure: true },
    )
  })
})
