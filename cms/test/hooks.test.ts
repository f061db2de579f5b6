import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { invalid } from '../src/base/errors.ts'
import type { Content } from '../src/engine/content-operations.ts'
import type { Context } from '../src/engine/context.ts'
import type { SaveEvent } from '../src/engine/events.ts'
import { archiveId } from '../src/engine/pages/parked.ts'
import type { Feature } from '../src/features/feature.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { inconsistencies, rowsOf } from './consistency.ts'
import { sampledDatabases, testDatabases } from './databases.ts'
import { sample } from './sample.ts'
import { type Answer, type Service, startService } from './service.ts'
import { readTrees, unsound } from './trees.ts'

/** What hooks heard, and which of it shall be refused. */
const heard: string[] = []
let refused: string | null = null
let failing = false

const wordsOf = ({ reason, fields, id }: SaveEvent) => `${reason} ${fields.title} ${id.locale} ${id.mode}`

function before(name: string, event: SaveEvent): void {
  heard.push(`before ${name}: ${wordsOf(event)}`)
  if (refused === `${name}: ${wordsOf(event)}`) throw invalid('The hook refuses this.')
}

function after(name: string, event: SaveEvent): void {
  heard.push(`after ${name}: ${wordsOf(event)}`)
  if (failing) throw new Error('Too late to refuse.')
}

const ofType = {
  beforeSave: (_fields: unknown, event: SaveEvent) => before('type', event),
  afterSave: (_fields: unknown, event: SaveEvent) => after('type', event),
}

const listener: Feature = {
  name: 'listener',
  hooks: {
    beforeSave: (event) => before('feature', event),
    afterSave: (event) => after('feature', event),
    beforeRemove: ({ removed }) => {
      heard.push(`before feature: removed ${removed.map(({ id }) => id.mode)}`)
      if (refused?.startsWith('feature: removed')) throw invalid('The hook refuses this.')
    },
    afterRemove: ({ removed }) => {
      heard.push(`after feature: removed ${removed.map(({ id }) => id.mode)}`)
      if (failing) throw new Error('Too late to refuse.')
    },
  },
}

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('thing', { hooks: ofType }),
    piece('note', { autopublish: true, hooks: ofType }),
    page('leaf', { hooks: ofType }),
  ],
  features: [listener],
})

type Ids = Record<string, string>

interface Operation {
  readonly name: string
  prepare(service: Service): Promise<Ids>
  run(service: Service, ids: Ids): Promise<Answer>
  /** Reason, title, locale and mode of each copy that changes; `removed` and its modes. */
  readonly told: readonly string[]
}

const both = (words: string, locale = 'en') => ['draft', 'published'].map((mode) => `${words} ${locale} ${mode}`)
const id = (answer: Answer): string => {
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.aposDocId
}

const thing = async ({ editor }: Service): Promise<Ids> => ({ a: id(await editor.post('thing', { title: 'A' })) })
const changed = async (service: Service) => {
  const { a = '' } = await thing(service)
  await service.editor.patch(`thing/${a}:en:draft`, { slug: `changed-${a}` })
  return { a }
}
const archived = async (service: Service) => {
  const { a = '' } = await thing(service)
  await service.editor.post(`thing/${a}/archive`)
  return { a }
}

const PIECES: readonly Operation[] = [
  {
    name: 'POST',
    prepare: async () => ({}),
    run: ({ editor }) => editor.post('thing', { title: 'A' }),
    told: both('inserted A'),
  },
  {
    name: 'POST of a draft',
    prepare: async () => ({}),
    run: ({ editor }) => editor.post('thing', { title: 'A' }, 'aposMode=draft'),
    told: ['inserted A en draft'],
  },
  { name: 'PUT', prepare: thing, run: (s, { a }) => s.editor.put(`thing/${a}`, { title: 'B' }), told: both('saved B') },
  {
    name: 'PATCH',
    prepare: thing,
    run: (s, { a }) => s.editor.patch(`thing/${a}`, { title: 'B' }),
    told: both('saved B'),
  },
  {
    name: 'PATCH of a draft',
    prepare: thing,
    run: (s, { a }) => s.editor.patch(`thing/${a}:en:draft`, { title: 'B' }),
    told: ['saved B en draft'],
  },
  {
    name: 'PATCH of a draft that is published at once',
    prepare: async ({ editor }) => ({ a: id(await editor.post('note', { title: 'A' })) }),
    run: (s, { a }) => s.editor.patch(`note/${a}:en:draft`, { title: 'B' }),
    told: both('saved B'),
  },
  {
    name: 'publish',
    prepare: changed,
    run: (s, { a }) => s.editor.post(`thing/${a}/publish`),
    told: ['published A en published'],
  },
  {
    name: 'unpublish',
    prepare: thing,
    run: (s, { a }) => s.editor.post(`thing/${a}/unpublish`),
    told: ['unpublished A en draft'],
  },
  {
    name: 'revert',
    prepare: changed,
    run: (s, { a }) => s.editor.post(`thing/${a}/revert-draft-to-published`),
    told: ['reverted A en draft'],
  },
  {
    name: 'localize',
    prepare: thing,
    run: (s, { a }) => s.editor.post(`thing/${a}/localize`, { toLocale: 'fr' }),
    told: ['localized A fr draft'],
  },
  { name: 'archive', prepare: thing, run: (s, { a }) => s.editor.post(`thing/${a}/archive`), told: both('archived A') },
  {
    name: 'PATCH into the archive',
    prepare: thing,
    run: (s, { a }) => s.editor.patch(`thing/${a}`, { archived: true }),
    told: both('archived A'),
  },
  {
    name: 'restore',
    prepare: archived,
    run: (s, { a }) => s.editor.post(`thing/${a}/restore`),
    told: both('restored A'),
  },
  {
    name: 'publish of many',
    prepare: changed,
    run: (s, { a }) => s.editor.post('thing/publish', { _ids: [a] }),
    told: ['published A en published'],
  },
  {
    name: 'archive of many',
    prepare: thing,
    run: (s, { a }) => s.editor.post('thing/archive', { _ids: [a] }),
    told: both('archived A'),
  },
  {
    name: 'restore of many',
    prepare: archived,
    run: (s, { a }) => s.editor.post('thing/restore', { _ids: [a] }),
    told: both('restored A'),
  },
  {
    name: 'localize of many',
    prepare: thing,
    run: (s, { a }) => s.editor.post('thing/localize', { _ids: [a], toLocales: ['fr'] }),
    told: ['localized A fr draft'],
  },
  {
    name: 'DELETE',
    prepare: thing,
    run: (s, { a }) => s.editor.delete(`thing/${a}`),
    told: ['removed draft,published'],
  },
]

const TREE = '@cms/page'
let count = 0
const made = async ({ editor }: Service, title: string, more: object = {}): Promise<string> => {
  count += 1
  const slug = `/${title.toLowerCase()}-${count}`
  return id(await editor.post(TREE, { type: 'leaf', title, slug, _targetId: '_home', _position: 'lastChild', ...more }))
}
/** A page with one below it whose slug follows, and another one beside them. */
const family = async (service: Service): Promise<Ids> => {
  const a = await made(service, 'A')
  const below = { type: 'leaf', title: 'Below', _targetId: a, _position: 'lastChild' }
  return { a, below: id(await service.editor.post(TREE, below)), to: await made(service, 'To') }
}
const moveTo = (target: string | undefined, more: object = {}) => ({
  ...more,
  _targetId: target,
  _position: 'lastChild',
})
const archivedFamily = async (service: Service) => {
  const ids = await family(service)
  await service.editor.patch(`${TREE}/${ids.a}`, moveTo('_archive'))
  return ids
}

const PAGES: readonly Operation[] = [
  {
    name: 'POST',
    prepare: async () => ({}),
    run: (s) => s.editor.post(TREE, moveTo('_home', { type: 'leaf', title: 'A' })),
    told: both('inserted A'),
  },
  {
    name: 'POST into the archive',
    prepare: async () => ({}),
    run: (s) => s.editor.post(TREE, moveTo('_archive', { type: 'leaf', title: 'A' })),
    told: both('inserted A'),
  },
  {
    name: 'PUT',
    prepare: family,
    run: (s, { a }) => s.editor.put(`${TREE}/${a}`, { title: 'B' }),
    told: both('saved B'),
  },
  {
    name: 'PATCH',
    prepare: family,
    run: (s, { a }) => s.editor.patch(`${TREE}/${a}`, { title: 'B' }),
    told: both('saved B'),
  },
  {
    name: 'PATCH of a slug',
    prepare: family,
    run: (s, { a }) => s.editor.patch(`${TREE}/${a}`, { slug: `/b-${a}` }),
    told: [...both('saved A'), ...both('carried Below')],
  },
  {
    name: "PATCH of a draft's slug",
    prepare: family,
    run: (s, { a }) => s.editor.patch(`${TREE}/${a}:en:draft`, { slug: `/b-${a}` }),
    told: ['saved A en draft', 'carried Below en draft'],
  },
  {
    name: 'a move',
    prepare: family,
    run: (s, { a, to }) => s.editor.patch(`${TREE}/${a}`, moveTo(to)),
    told: [...both('moved A'), ...both('carried Below')],
  },
  {
    name: 'a move with a title',
    prepare: family,
    run: (s, { a, to }) => s.editor.patch(`${TREE}/${a}`, moveTo(to, { title: 'B' })),
    told: [...both('moved A'), ...both('saved B'), ...both('carried Below')],
  },
  {
    name: 'PUT with a move',
    prepare: family,
    run: (s, { a, to }) => s.editor.put(`${TREE}/${a}`, moveTo(to, { title: 'B' })),
    told: [...both('moved A'), ...both('saved B'), ...both('carried Below')],
  },
  {
    name: 'a move among siblings',
    prepare: family,
    run: (s, { a }) => s.editor.patch(`${TREE}/${a}`, { _targetId: '_home', _position: 'firstChild' }),
    told: both('moved A'),
  },
  {
    name: 'archiving',
    prepare: family,
    run: (s, { a }) => s.editor.patch(`${TREE}/${a}`, moveTo('_archive')),
    told: [...both('archived A'), ...both('archived Below')],
  },
  {
    name: 'restoring',
    prepare: archivedFamily,
    run: (s, { a }) => s.editor.patch(`${TREE}/${a}`, moveTo('_home')),
    told: [...both('restored A'), ...both('restored Below')],
  },
  {
    name: 'publish of a slug',
    prepare: async (s) => {
      const ids = await family(s)
      await s.editor.patch(`${TREE}/${ids.a}:en:draft`, { slug: `/b-${ids.a}` })
      return ids
    },
    run: (s, { a }) => s.editor.post(`${TREE}/${a}/publish`),
    told: ['published A en published', 'carried Below en published'],
  },
  {
    name: 'unpublish',
    prepare: async (s) => ({ a: await made(s, 'A') }),
    run: (s, { a }) => s.editor.post(`${TREE}/${a}/unpublish`),
    told: ['unpublished A en draft'],
  },
  {
    name: 'revert of a slug',
    prepare: async (s) => {
      const ids = await family(s)
      await s.editor.patch(`${TREE}/${ids.a}:en:draft`, { slug: `/b-${ids.a}` })
      return ids
    },
    run: (s, { a }) => s.editor.post(`${TREE}/${a}/revert-draft-to-published`),
    told: ['reverted A en draft', 'carried Below en draft'],
  },
  {
    name: 'localize',
    prepare: family,
    run: (s, { a }) => s.editor.post(`${TREE}/${a}/localize`, { toLocale: 'fr' }),
    told: ['localized A fr draft'],
  },
  {
    name: 'localize over a draft that has another slug',
    prepare: async (s) => {
      const ids = await family(s)
      for (const one of [ids.a, ids.below]) await s.editor.post(`${TREE}/${one}/localize`, { toLocale: 'fr' })
      await s.editor.patch(`${TREE}/${ids.a}:fr:draft`, { slug: `/c-${ids.a}` })
      return ids
    },
    run: (s, { a }) => s.editor.post(`${TREE}/${a}/localize`, { toLocale: 'fr', update: true }),
    told: ['localized A fr draft', 'carried Below fr draft'],
  },
  {
    name: 'DELETE',
    prepare: async (s) => ({ a: await made(s, 'A') }),
    run: (s, { a }) => s.editor.delete(`${TREE}/${a}`),
    told: ['removed draft,published'],
  },
]

describe.each(sampledDatabases('hooks'))('§6 hooks on $name', { timeout: 60_000 }, (databases) => {
  let service: Service
  const atStart: string[] = []
  beforeAll(async () => {
    heard.splice(0)
    service = await startService(databases, { site })
    atStart.push(...heard)
  })
  beforeEach(() => {
    heard.splice(0)
    service.logged.splice(0)
    refused = null
    failing = false
  })
  afterAll(() => service.stop())

  const stored = () =>
    rowsOf(service.databaseUrl, [
      `select doc_id, locale, mode, type, slug, archived, revision, content from documents order by doc_id, locale, mode`,
      `select locale, doc_id, path, rank from places order by locale, doc_id`,
    ])
  /** The listeners of each event; the removal of a document is told to features alone. */
  const listenersOf = (told: string) => (told.startsWith('removed') ? ['feature'] : ['type', 'feature'])
  /** What is told afterwards is the copy as it was stored in the end: one that is moved and saved has its new title. */
  const expected = ({ told }: Operation) =>
    told.flatMap((event) => {
      const inTheEnd = told.includes(event.replace('moved A', 'saved B')) ? event.replace('moved A', 'moved B') : event
      return listenersOf(event).flatMap((name) => [`before ${name}: ${event}`, `after ${name}: ${inTheEnd}`])
    })
  const heardOf = (when: 'before' | 'after') => heard.filter((one) => one.startsWith(when)).length
  /** Prepares an operation, and waits until all is told of that. */
  const prepared = async (operation: Operation) => {
    heard.splice(0)
    const ids = await operation.prepare(service)
    await expect.poll(() => heardOf('after'), { interval: 5 }).toBe(heardOf('before'))
    heard.splice(0)
    return ids
  }

  test('§2.2 built-in pages and singletons are announced when they are made', () => {
    const made = atStart.filter((one) => one.startsWith('after feature: inserted'))
    for (const title of ['Home', 'Archive']) {
      expect(made.filter((one) => one.includes(` ${title} `))).toHaveLength(4)
    }
  })

  for (const [familyName, operations] of [['pieces', PIECES] as const, ['pages', PAGES] as const]) {
    test.each(operations)(`§6 ${familyName}: $name is told to beforeSave and afterSave`, async (operation) => {
      const ids = await prepared(operation)
      expect(await operation.run(service, ids)).toMatchObject({ status: 200 })
      await expect.poll(() => heard.toSorted()).toEqual(expected(operation).toSorted())
      const firstAfter = heard.findIndex((one) => one.startsWith('after'))
      expect(heard.slice(firstAfter).filter((one) => one.startsWith('before'))).toEqual([])
    })

    test.each(sample(operations, 6))(
      `§6 ${familyName}: $name is refused whole by whoever refuses`,
      async (operation) => {
        for (const event of operation.told) {
          for (const name of listenersOf(event)) {
            const ids = await prepared(operation)
            const state = await stored()
            refused = `${name}: ${event}`
            const { status, body } = await operation.run(service, ids)
            refused = null
            const failure = body.results ? body.results[0].error : body
            expect({ event, name, status: body.results ? 400 : status, message: failure.message }).toEqual({
              event,
              name,
              status: 400,
              message: 'The hook refuses this.',
            })
            expect(await stored()).toEqual(state)
          }
        }
      },
    )

    test.each(sample(operations, 6))(
      `§6 ${familyName}: $name is not refused by afterSave; its failure is counted`,
      async (operation) => {
        const ids = await prepared(operation)
        const failures = service.app.hookFailures()
        failing = true
        expect(await operation.run(service, ids)).toMatchObject({ status: 200 })
        const calls = operation.told.flatMap(listenersOf).length
        await expect.poll(() => service.app.hookFailures()).toBe(failures + calls)
        failing = false
        expect(service.logged.filter(({ level }) => level === 'error')).toHaveLength(calls)
      },
    )
  }
})

describe.each(testDatabases)('§6.3 hooks that take their time on $name', (databases) => {
  test('§6 an answer waits for those that say so, and for no others; a stop waits for all that run', async () => {
    const done: string[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Feature = {
      name: 'slow',
      hooks: {
        afterSave: async ({ fields }) => {
          if (fields.title !== 'A') return
          await released
          done.push('feature')
        },
        afterRemove: {
          wait: true,
          run: async () => {
            await pause(20)
            done.push('removed')
          },
        },
      },
    }
    const waiting = {
      wait: true,
      run: async () => {
        await pause(20)
        done.push('type')
      },
    } as const
    const types = [piece('thing', { hooks: { afterSave: waiting } })]
    const service = await startService(databases, { site: defineSite({ types, features: [slow] }) })
    const { body } = await service.editor.post('thing', { title: 'A' }, 'aposMode=draft')
    expect(done).toEqual(['type'])
    expect((await service.editor.delete(`thing/${body._id}`)).status).toBe(200)
    expect(done).toEqual(['type', 'removed'])
    const stopped = service.stop()
    await pause(50)
    release()
    await stopped
    expect(done).toEqual(['type', 'removed', 'feature'])
  })

  test.each([true, false])(
    '§6.3 afterSave that saves its own document without end is ended, and the log tells; wait: %s',
    async (wait) => {
      const run = async ({ type, id, fields }: SaveEvent, ctx: Context) => {
        if (id.mode === 'draft') return
        const count = Number(fields.count) + 1
        await ctx.as({ role: 'editor', name: 'Counter' }).patch(type.name, id.docId, { count })
      }
      const fields = { add: { count: { type: 'integer', def: 0 } } } as const
      const counting: Feature = { name: 'counting', hooks: { afterSave: wait ? { wait, run } : run } }
      const types = [piece('thing', { autopublish: true, fields })]
      const site = defineSite({ types, features: [counting] })
      const service = await startService(databases, { site })
      const { body } = await service.editor.post('thing', { title: 'A' })
      await vi.waitFor(async () => expect((await service.editor.get(`thing/${body._id}`)).body.count).toBe(50), 5000)
      await service.stop()
      const failures = service.logged.filter(({ level }) => level === 'error')
      expect(failures).toHaveLength(1)
      expect(inspect(failures, { depth: 5 })).toContain('afterSave for the type "thing": hooks saved')
    },
  )

  test('§6 what they hear is what was saved, of each copy by itself, whatever has become of the answer since', async () => {
    const heard: string[] = []
    let release = () => {}
    const answered = new Promise<void>((resolve) => {
      release = resolve
    })
    const late: Feature = {
      name: 'late',
      hooks: {
        afterSave: async ({ type, id, fields }) => {
          if (type.name !== 'thing') return
          await answered
          // `as`: the field of the type below.
          const list = fields.list as { _id: string; word: string }[]
          heard.push(`${fields.title} ${id.mode} ${list.map(({ _id, ...item }) => JSON.stringify(item))}`)
          fields.title = 'Changed by the hook'
        },
      },
    }
    const list = { type: 'array', fields: { add: { word: { type: 'string' } } } } as const
    const types = [piece('thing', { fields: { add: { list } } })]
    const service = await startService(databases, { site: defineSite({ types, features: [late] }) })
    const { body } = await service.editor.post('thing', { title: 'A', list: [{ word: 'one' }] })
    expect(body.list).toMatchObject([{ _edit: true, _docId: body._id }])
    const patched = await service.editor.patch(`thing/${body._id}`, { title: 'B', $push: { list: { word: 'two' } } })
    expect(patched).toMatchObject({ status: 200, body: { title: 'B' } })
    release()
    await service.stop()
    const item = (word: string) => JSON.stringify({ metaType: 'arrayItem', word })
    expect(heard.toSorted()).toEqual(
      ['draft', 'published']
        .flatMap((mode) => [`A ${mode} ${item('one')}`, `B ${mode} ${item('one')},${item('two')}`])
        .sort(),
    )
  })
})

describe.each(sampledDatabases('hooks and states'))('§6.2 hooks that go too far, on $name', (databases) => {
  let wants: 'archive' | 'restore' | 'begin' | 'remove' | 'insert' | null = null
  /** What the hook does next, once. */
  let next: ((content: Content, docId: string) => Promise<unknown>) | null = null
  const meddling: Feature = {
    name: 'meddling',
    hooks: {
      beforeSave: async ({ type, id, fields }, ctx) => {
        const now = next
        next = null
        await now?.(ctx.as({ role: 'editor', name: 'Changer' }), id.docId)
        if (wants === 'archive' && id.mode === 'draft') fields.archived = true
        if (wants === 'restore') fields.archived = false
        if (wants === 'begin')
          await ctx.as({ role: 'editor', name: 'Loop' }).patch(type.name, id.docId, { title: `${fields.title}+` })
        if (wants === 'remove' && id.mode === 'draft')
          await ctx.as({ role: 'editor', name: 'Remover' }).remove(type.name, id.docId)
      },
      beforeRemove: async ({ removed }, ctx) => {
        const [first] = removed
        if (wants !== 'insert' || first === undefined) return
        const below = { title: 'Below', _targetId: first.id.docId, _position: 'lastChild' }
        await ctx.as({ role: 'editor', name: 'Inserter' }).insert('leaf', below)
      },
    },
  }
  const types = [piece('thing'), page('leaf')]
  const locales = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } }
  let service: Service
  beforeAll(async () => {
    service = await startService(databases, { site: defineSite({ locales, types, features: [meddling] }) })
  })
  beforeEach(() => {
    wants = null
    next = null
  })
  afterAll(async () => {
    expect(await inconsistencies(service.databaseUrl, service.app.site)).toEqual([])
    await service.stop()
  })

  test('§3.5 beforeSave neither archives nor restores: both copies share that, and pages have it by their position', async () => {
    const { editor } = service
    const home = { _targetId: '_home', _position: 'lastChild' }
    const archive = { ...home, _targetId: '_archive' }
    const thing = (await editor.post('thing', { title: 'A' })).body
    const leaf = (await editor.post('@cms/page', { type: 'leaf', title: 'A', ...home })).body
    wants = 'archive'
    expect((await editor.patch(`thing/${thing._id}`, { title: 'B' })).body).toMatchObject({
      title: 'B',
      archived: false,
    })
    expect((await editor.patch(`@cms/page/${leaf._id}`, { title: 'B' })).body).toMatchObject({ archived: false })
    expect((await editor.post('thing', { title: 'C' })).body).toMatchObject({ archived: false })
    wants = 'restore'
    expect((await editor.post(`thing/${thing._id}/archive`)).body).toMatchObject({ archived: true })
    expect((await editor.patch(`@cms/page/${leaf._id}`, archive)).body).toMatchObject({ archived: true })
    expect((await editor.patch(`@cms/page/${leaf._id}`, { title: 'D' }, 'archived=any')).body).toMatchObject({
      title: 'D',
      archived: true,
    })
    expect((await editor.post('@cms/page', { type: 'leaf', title: 'E', ...archive })).body).toMatchObject({
      archived: true,
    })
  })

  test('§6.2 a hook that begins itself without end is ended, and nothing of it is stored', async () => {
    const thing = (await service.editor.post('thing', { title: 'A' })).body
    wants = 'begin'
    expect((await service.editor.patch(`thing/${thing._id}`, { title: 'B' })).status).toBe(500)
    const [{ data } = { data: {} }] = service.logged.filter(({ level }) => level === 'error')
    expect(JSON.stringify(data)).toContain('must know when to stop')
    wants = null
    expect((await service.editor.get(`thing/${thing._id}`)).body.title).toBe('A')
  })

  test('§6.2 a hook that changes the document that it saves by another operation fails, and nothing is stored', async () => {
    const { editor } = service
    const thing = (await editor.post('thing', { title: 'A' })).body
    const other = (await editor.post('thing', { title: 'Other' })).body
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const leaf = (await editor.post('@cms/page', { title: 'A', ...place })).body
    const ways: (typeof next)[] = [
      (content, id) => content.patch('thing', id, { title: 'C' }),
      (content, id) => content.patch('thing', `${id}:en:draft`, { title: 'C' }),
      (content, id) => content.publish('thing', id),
      (content, id) => content.archive('thing', id),
      async (content, id) => {
        // The hook of the other one changes this one.
        next = (inner) => inner.patch('thing', id, { title: 'C' })
        await content.patch('thing', other._id, { title: 'Other 2' })
      },
    ]
    const cases = [
      ...ways.map((way) => [`thing/${thing.aposDocId}`, way] as const),
      [`@cms/page/${leaf.aposDocId}`, (content, id) => content.patch('leaf', id, { title: 'C' })] as const,
      [
        `@cms/page/${leaf.aposDocId}`,
        (content, id) => content.patch('leaf', id, { _targetId: '_home', _position: 'firstChild' }),
      ] as const,
    ] satisfies (readonly [string, typeof next])[]
    for (const [path, way] of cases) {
      for (const mode of ['published', 'draft']) {
        service.logged.splice(0)
        next = way
        expect((await editor.patch(`${path}:en:${mode}`, { title: 'B' })).status).toBe(500)
        expect(inspect(service.logged, { depth: 5 })).toContain('has changed the document that is being saved')
        for (const copy of ['draft', 'published'])
          expect((await editor.get(`${path}:en:${copy}`)).body).toMatchObject({ title: 'A', archived: false })
      }
    }
    // Another one, and a page that moves, may be changed.
    next = (content) => content.patch('thing', other._id, { title: 'Other 3' })
    expect((await editor.patch(`thing/${thing._id}`, { title: 'B' })).status).toBe(200)
    expect((await editor.get(`thing/${other._id}`)).body.title).toBe('Other 3')
    await editor.post('@cms/page', { title: 'Sibling', ...place })
    next = (content, id) => content.patch('leaf', id, { title: 'Moved' })
    expect((await editor.patch(`@cms/page/${leaf._id}`, place)).status).toBe(200)
    expect((await editor.get(`@cms/page/${leaf._id}`)).body.title).toBe('Moved')
  })

  test('§6.2 a hook that changes the tree while a page is moved or deleted fails, and its change of the page itself is kept', async () => {
    const { editor, databaseUrl, app } = service
    const place = { _targetId: '_home', _position: 'lastChild' }
    const made = async (title: string) => (await editor.post('@cms/page', { type: 'leaf', title, ...place })).body
    const [leaf, other] = [await made('Moving'), await made('Standing')]
    const before = await readTrees(databaseUrl)
    const path = `@cms/page/${leaf._id}`
    const treeWays: (typeof next)[] = [
      (content, id) => content.patch('leaf', id, { slug: '/hooked' }),
      (content, id) => content.patch('leaf', id, { _targetId: other._id, _position: 'firstChild' }),
      (content, id) => content.archive('leaf', id),
      (content) => content.patch('leaf', other._id, { _targetId: leaf._id, _position: 'firstChild' }),
      (content) => content.remove('leaf', other._id),
      (content) => content.insert('leaf', { title: 'Between', _targetId: '_home', _position: 0 }),
      (content) => content.localize('leaf', other._id, { toLocale: 'fr' }),
    ]
    const patchesIt: typeof next = (content, id) => content.patch('leaf', id, { visibility: 'loginRequired' })
    const cases = [...treeWays.flatMap((way) => [[{}, way] as const, [{ visibility: 'loginRequired' }, way] as const])]
    for (const [more, way] of cases) {
      next = way
      const { status } = await editor.patch(path, { _targetId: '_home', _position: 0, ...more })
      expect([more, status]).toEqual([more, 500])
      expect(await readTrees(databaseUrl)).toEqual(before)
    }
    // A page that is moved may be changed, as long as it stays where it is.
    for (const [more, slug] of [
      [{}, '/standing/moving'],
      [{ title: 'Moved', slug: '/own' }, '/own'],
    ] as const) {
      await editor.patch(path, { visibility: 'public' })
      next = patchesIt
      const { status, body } = await editor.patch(path, { _targetId: other._id, _position: 0, ...more })
      expect([status, body.visibility, body.slug]).toEqual([200, 'loginRequired', slug])
      expect((await editor.get(path)).body).toMatchObject({ visibility: 'loginRequired', slug, ...more })
      await editor.patch(path, { _targetId: '_home', _position: 0 })
    }
    wants = 'insert'
    expect((await editor.delete(path)).status).toBe(500)
    wants = null
    expect((await editor.delete(path)).status).toBe(200)
    for (const tree of (await readTrees(databaseUrl)).values()) expect(unsound(tree, archiveId)).toEqual([])
    expect(await inconsistencies(databaseUrl, app.site)).toEqual([])
  })

  test('§6.2 a hook that moves or archives the page above the one that is added fails, and others may be changed', async () => {
    const { editor, databaseUrl, app } = service
    const place = { _targetId: '_home', _position: 'lastChild' }
    const made = async (title: string) => (await editor.post('@cms/page', { type: 'leaf', title, ...place })).body
    const [parent, other] = [await made('Above'), await made('Aside')]
    const add = async (way: NonNullable<typeof next>) => {
      next = way
      const body = { type: 'leaf', title: 'Added', _targetId: parent._id, _position: 'lastChild' }
      return (await editor.post('@cms/page', body)).status
    }
    const before = await readTrees(databaseUrl)
    expect(await add((content) => content.archive('leaf', parent._id))).toBe(500)
    const below = { _targetId: other._id, _position: 'firstChild' } as const
    expect(await add((content) => content.patch('leaf', parent._id, below))).toBe(500)
    expect(await readTrees(databaseUrl)).toEqual(before)
    expect(await add((content) => content.archive('leaf', other._id))).toBe(200)
    for (const tree of (await readTrees(databaseUrl)).values()) expect(unsound(tree, archiveId)).toEqual([])
    expect(await inconsistencies(databaseUrl, app.site)).toEqual([])
  })

  test('§6.2 a hook that removes the document that it saves fails, and both stay as they were', async () => {
    const { editor } = service
    const thing = (await editor.post('thing', { title: 'A' })).body
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const leaf = (await editor.post('@cms/page', { title: 'A', ...place })).body
    for (const path of [`thing/${thing.aposDocId}`, `@cms/page/${leaf.aposDocId}`]) {
      for (const mode of ['published', 'draft']) {
        wants = 'remove'
        service.logged.splice(0)
        const { status } = await editor.patch(`${path}:en:${mode}`, { title: 'B' })
        wants = null
        expect([path, mode, status]).toEqual([path, mode, 500])
        expect(inspect(service.logged, { depth: 5 })).toContain('has removed the document that it saves')
        for (const copy of ['draft', 'published'])
          expect((await editor.get(`${path}:en:${copy}`)).body).toMatchObject({ title: 'A' })
      }
    }
    const leafPath = `@cms/page/${leaf.aposDocId}`
    const moves = [{ _targetId: '_archive' }, { _targetId: '_home', _position: 'firstChild' }]
    await editor.post('@cms/page', { title: 'B', ...place, _position: 'firstChild' })
    for (const move of moves) {
      wants = 'remove'
      const { status } = await editor.patch(leafPath, { _position: 'lastChild', ...move })
      wants = null
      expect([move, status]).toEqual([move, 500])
      for (const copy of ['draft', 'published'])
        expect((await editor.get(`${leafPath}:en:${copy}`)).body).toMatchObject({ title: 'A', archived: false })
    }
  })
})
