import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { html } from '../src/base/html.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece, widget } from '../src/model/declared/content-type.ts'
import { documented } from './caller.ts'
import { testDatabases } from './databases.ts'
import { type Caller, callerOf, startService } from './service.ts'
import { FRONT_KEY, visit } from './visits.ts'

type Served = Awaited<ReturnType<typeof createApp>>

const GONE = 'vanished'
const KEYS = [{ key: 'key-editor', role: 'editor', name: 'Editor' }] as const

/** A site in which a choice is gone and numbers and texts have tighter limits, or not yet. */
function siteWith(isLater: boolean) {
  const choices = isLater ? ['here'] : ['here', GONE]
  const max = isLater ? 3 : 99
  const mood = { type: 'select', choices } as const
  const all = { mood, tone: { type: 'radio', choices }, marks: { type: 'checkboxes', choices } } as const
  const limited = {
    count: { type: 'integer', max },
    words: { type: 'string', max, ...(isLater && { pattern: '^z' }) },
    space: { type: 'box', max },
    share: { type: 'range', min: 0, max },
  } as const
  const body = { type: 'area', widgets: { card: {} } } as const
  const fields = {
    add: {
      ...{ ...all, ...limited, body },
      inside: { type: 'object', fields: { add: all } },
      items: { type: 'array', max, fields: { add: { ...all, body } } },
      _notes: { type: 'relationship', withType: 'note', fields: { add: { mood } } },
    },
  } as const
  const styles = { add: { look: { ...mood, class: true, selector: 'b' } } } as const
  // `as`: what differs between both sites is not known to the compiler here.
  return defineSite({
    widgets: [
      widget('card', { fields: { add: all }, styles, render: (values) => html`<b>${JSON.stringify(values)}</b>` }),
    ],
    types: [
      piece('note', {
        fields,
        publicApiProjection: ['title', 'mood', 'tone', 'marks', 'body', 'count', 'words', '_notes'],
      }),
      page('@cms/home-page', {
        fields,
        render: ({ page, global }, scene) =>
          html`${JSON.stringify([page.mood, page.marks, global])}${scene.area(page.body)}`,
      }),
      page('notes', { piecesType: 'note', piecesFilters: ['mood', 'marks'] }),
    ] as never,
    styles,
    global: { fields: fields as never },
  })
}

/** The values of all fields, each of them with the choice that goes. */
function values(related: readonly string[]) {
  const all = { mood: GONE, tone: GONE, marks: [GONE, 'here'] }
  const body = { items: [{ type: 'card', ...all, look: GONE }] }
  return {
    ...{ ...all, body, inside: all, items: [{ ...all, body }, all, all, all] },
    ...{ count: 50, words: 'abcdefgh', space: { top: 50, right: 1, bottom: 1, left: 1 }, share: 50 },
    _notes: related.map((_id) => ({ _id, _fields: { mood: GONE } })),
  }
}

const BLANK = { mood: null, tone: null, marks: [] }
const SHOWN = {
  ...{ ...BLANK, inside: BLANK, items: [BLANK, BLANK, BLANK, BLANK], body: { items: [{ ...BLANK, look: null }] } },
  ...{ count: 50, words: 'abcdefgh', share: 50, space: { top: 50 } },
}

describe.each(testDatabases)('§2.14 a choice that is gone, on $name', (databases) => {
  test('§2.14 is blank wherever values are answered, every answer is as documented, and what is stored stays', async () => {
    const service = await startService(databases, { site: siteWith(false) })
    const { editor } = service
    const first = (await editor.post('note', { title: 'First', ...values([]) })).body
    const second = (await editor.post('note', { title: 'Second', ...values([first._id]) })).body
    await editor.patch(`note/${second._id}`, { title: 'Second, changed' })
    const home = (await editor.get('@cms/page/_home')).body
    await editor.patch(`@cms/page/${home._id}`, values([first._id]))
    await editor.post('@cms/page', { type: 'notes', title: 'Notes', _targetId: '_home', _position: 'lastChild' })
    const [global] = (await editor.get('@cms/global')).body.results
    await editor.patch(`@cms/global/${global._id}`, values([first._id]))
    const [styles] = (await editor.get('@cms/styles')).body.results
    await editor.patch(`@cms/styles/${styles._id}`, { look: GONE })

    const serve = async (isLater: boolean, work: (app: Served, address: string) => Promise<void>) => {
      const app = await createApp(siteWith(isLater), { database: service.databaseUrl, keys: KEYS, frontKey: FRONT_KEY })
      try {
        await work(app, await app.listen(0, '127.0.0.1'))
      } finally {
        await app.close()
      }
    }
    await serve(true, async (app, address) => {
      const known = callerOf(address, 'key-editor', documented(address, 'key-editor'))
      const anonymous = callerOf(address, null, documented(address, null))
      const answered = async (caller: Caller, path: string, query?: string) => {
        const { status, body } = await caller.get(path, query)
        expect([path, query, status]).toEqual([path, query, 200])
        expect([path, query, JSON.stringify(body)]).toEqual([path, query, expect.not.stringContaining(GONE)])
        return body
      }
      const one = `note/${second._id}`
      for (const path of [one, `note/${second.aposDocId}:en:draft`, '@cms/page/_home', `@cms/global/${global._id}`]) {
        const body = await answered(known, path)
        expect([path, body]).toMatchObject([path, { ...SHOWN, _notes: [{ mood: null, _fields: {} }] }])
        await answered(known, path, 'render-areas=true')
      }
      expect(await answered(known, `@cms/styles/${styles._id}`)).toMatchObject({ look: null })
      for (const [path, query] of [
        ['note', 'counts=mood,marks'],
        ['note', `mood=${GONE}`],
        ['@cms/page', 'all=1'],
        ['@cms/page', 'flat=1'],
        ['@cms/document-versions', `docId=${second._id}`],
      ] as const) {
        await answered(known, path, query)
      }
      await answered(anonymous, 'note')
      await answered(anonymous, one)
      const { results } = (await known.get('@cms/document-versions', `docId=${second._id}`)).body
      for (const { _id } of results) {
        expect((await answered(known, `@cms/document-versions/${_id}`)).doc).toMatchObject({ mood: null, marks: [] })
        await answered(known, `@cms/document-versions/${_id}`, 'annotate=1')
        await known.get(`@cms/document-versions/${_id}/changes`)
      }
      for (const path of ['/', '/notes', `/notes/${second.slug}`, '/api/v1/@cms/styles/stylesheet']) {
        for (const front of [false, true]) {
          const { text } = await visit({ address }, path, { front })
          expect([path, front, text]).toEqual([path, front, expect.not.stringContaining(GONE)])
        }
      }
      const content = app.as({ role: 'editor', name: 'Code' })
      // `as`: the names of this site's types are not known to the compiler here.
      const inProcess = await content.findOne('note' as never, second.aposDocId as never)
      expect(JSON.stringify(inProcess)).not.toContain(GONE)
      // Saves that do not write the fields keep what is stored; so do those of a caller who sends back what was answered.
      expect((await known.patch(one, { title: 'Later' })).body).toMatchObject(SHOWN)
      const { type: _type, ...whole } = (await known.get(one)).body
      expect((await known.put(one, whole)).body).toMatchObject(SHOWN)
      expect(await known.patch(one, { mood: GONE })).toMatchObject({ status: 400 })
    })
    await serve(false, async (_app, address) => {
      const caller = callerOf(address, 'key-editor', documented(address, 'key-editor'))
      const { _notes, ...all } = values([])
      expect((await caller.get(`note/${second._id}`)).body).toMatchObject({ title: 'Later', ...all })
      expect((await caller.get('@cms/page/_home')).body).toMatchObject(all)
      expect((await caller.get('note', `mood=${GONE}`)).body.total).toBe(2)
      expect((await caller.get(`@cms/styles/${styles._id}`)).body).toMatchObject({ look: GONE })
    })
    await service.stop()
  })
})
