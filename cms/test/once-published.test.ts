import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineSite, page, piece } from 'quire-cms'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import { exportContent } from '../src/cli/content/export-content.ts'
import { createKey } from '../src/engine/access/keys.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { rowsOf } from './consistency.ts'
import { importFile } from './imported.ts'
import { type Answer, type Caller, callerOf, describeService } from './service.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [piece('thing', { scheduling: true }), piece('note', { autopublish: true }), page('leaf')],
})

const TREE = '@cms/page'
const DRAFT = 'aposMode=draft'
const PLACE = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
const INSERT = { thing: { title: 'Thing' }, note: { title: 'Note' }, [TREE]: { title: 'Leaf', ...PLACE } }

describeService('§5.2 DELETE of drafts', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const made = async (path: keyof typeof INSERT, query = DRAFT): Promise<string> =>
    done(await service.editor.post(path, INSERT[path], query)).aposDocId
  const act = async (path: string, id: string, verb: string, body: object = {}) =>
    done(await service.editor.post(`${path}/${id}/${verb}`, body))
  const unpublished = async (path: keyof typeof INSERT) => {
    const id = await made(path, '')
    await act(path, id, 'unpublish')
    return id
  }
  const idOf = (id: string) => `${id}:en:draft`
  const isHinted = async (caller: Caller, path: string, id: string) =>
    done(await caller.get(`${path}/${idOf(id)}`, 'archived=any'))._delete === true
  const expectRefused = async (caller: Caller, path: string, id: string, editor = service.editor) => {
    expect(await isHinted(caller, path, id)).toBe(false)
    const answer = await caller.delete(`${path}/${idOf(id)}`)
    expect(answer).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    expect(done(await editor.get(`${path}/${idOf(id)}`, 'archived=any')).aposDocId).toBe(id)
  }
  const expectDeleted = async (caller: Caller, path: string, id: string, editor = service.editor) => {
    expect(await isHinted(caller, path, id)).toBe(true)
    done(await caller.delete(`${path}/${idOf(id)}`))
    expect((await editor.get(`${path}/${idOf(id)}`)).status).toBe(404)
  }
  const aiKey = async () => {
    const operator = service.app.context({ kind: 'operator' })
    const { key } = await createKey(operator, { name: 'machine', role: 'admin', ai: true })
    return callerOf(service.address, key, null)
  }

  test.each(['thing', TREE] as const)('a contributor deletes a draft of %s that was never published', async (path) => {
    const id = await made(path)
    done(await service.contributor.patch(`${path}/${idOf(id)}`, { title: 'Changed' }))
    await expectDeleted(service.contributor, path, id)
    await expectDeleted(await aiKey(), path, await made(path))
  })

  const WAYS: { readonly [way: string]: (ids: { thing: string; leaf: string }) => Promise<unknown> } = {
    publish: async ({ thing, leaf }) => [await act('thing', thing, 'publish'), await act(TREE, leaf, 'publish')],
    'publish of many': async ({ thing, leaf }) => [
      done(await service.editor.post('thing/publish', { _ids: [thing] })),
      await act(TREE, leaf, 'publish'),
    ],
    'PATCH of what is published': async ({ thing, leaf }) => {
      for (const [path, id] of [['thing', thing] as const, [TREE, leaf] as const]) {
        await act(path, id, 'publish')
        done(await service.editor.patch(`${path}/${id}:en:published`, { title: 'Patched' }))
      }
    },
    'content in the process': async ({ thing, leaf }) => {
      await service.app
        .context({ kind: 'anonymous' })
        .as<typeof site>({ role: 'editor', name: 'Job' })
        .publish('thing', thing)
      await act(TREE, leaf, 'publish')
    },
    'a schedule': async ({ thing, leaf }) => {
      done(
        await service.editor.patch(`thing/${idOf(thing)}`, { publishAt: new Date(Date.now() + 60_000).toISOString() }),
      )
      const ctx = { ...service.app.context({ kind: 'operator' }), now: () => new Date(Date.now() + 120_000) }
      await carryOutDue(ctx, new AbortController().signal)
      await act(TREE, leaf, 'publish')
    },
    'archive and restore': async ({ thing, leaf }) => {
      await act('thing', thing, 'publish')
      await act('thing', thing, 'archive')
      await act('thing', thing, 'restore')
      await act(TREE, leaf, 'publish')
    },
  }
  test.each(Object.keys(WAYS))('nobody below an editor deletes what is unpublished after %s', async (way) => {
    const ids = { thing: await made('thing'), leaf: await made(TREE) }
    await WAYS[way]?.(ids)
    const machine = await aiKey()
    for (const [path, id] of [['thing', ids.thing] as const, [TREE, ids.leaf] as const]) {
      await expectRefused(service.contributor, path, id)
      await expectRefused(machine, path, id)
      expect((await service.editor.delete(`${path}/${idOf(id)}`)).body.name).toBe('invalid')
      await act(path, id, 'unpublish')
      await expectRefused(service.contributor, path, id)
      done(await service.contributor.patch(`${path}/${idOf(id)}`, { title: 'Saved later' }))
      await expectRefused(service.contributor, path, id)
      await expectRefused(machine, path, id)
      expect(done(await service.editor.get(`${path}/${idOf(id)}`)).lastPublishedAt).toBe(null)
      await expectDeleted(service.editor, path, id)
    }
  })

  test.each(['thing', 'note', TREE] as const)(
    'a new %s that is published at once is remembered as published',
    async (path) => {
      const id = await unpublished(path)
      await expectRefused(service.contributor, path, id)
    },
  )

  test('a page that was published is refused before it is told to have children', async () => {
    const id = await unpublished(TREE)
    done(await service.editor.post(TREE, { ...PLACE, title: 'Child', _targetId: id }, DRAFT))
    await expectRefused(service.contributor, TREE, id)
    expect((await service.editor.delete(`${TREE}/${idOf(id)}`)).status).toBe(400)
  })

  test('each locale remembers for itself', async () => {
    const id = await unpublished('thing')
    await act('thing', id, 'localize', { toLocale: 'fr' })
    done(await service.contributor.delete(`thing/${id}:fr:draft`))
    await act('thing', id, 'localize', { toLocale: 'fr' })
    await act('thing', `${id}:fr:draft`, 'publish')
    await act('thing', `${id}:fr:draft`, 'unpublish')
    await act('thing', `${id}:en:draft`, 'localize', { toLocale: 'fr', update: true })
    expect((await service.contributor.delete(`thing/${id}:fr:draft`)).status).toBe(403)
  })

  test('lists say the same as DELETE', async () => {
    const [never, former, present] = [await made('thing'), await unpublished('thing'), await made('thing', '')]
    const list = `${DRAFT}&${[never, former, present].map((id) => `_ids=${id}`).join('&')}`
    const rights = async (caller: Caller) => {
      const { results } = done(await caller.get('thing', list)) as {
        results: { aposDocId: string; _delete?: boolean }[]
      }
      return Object.fromEntries(results.map((one) => [one.aposDocId, one._delete === true]))
    }
    expect(await rights(service.contributor)).toEqual({ [never]: true, [former]: false, [present]: false })
    expect(await rights(service.editor)).toEqual({ [never]: true, [former]: true, [present]: true })
  })

  test('a draft that is published and unpublished meanwhile is not deleted', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await made('thing')
      const publishing = act('thing', id, 'publish').then(
        () => act('thing', id, 'unpublish'),
        () => null,
      )
      const { status } = await service.contributor.delete(`thing/${idOf(id)}`)
      const draft = await publishing.catch(() => null)
      expect([status === 200, [200, 400, 403].includes(status)]).toEqual([draft === null, true])
    }
  })

  test('what is exported is remembered where it is imported', async () => {
    const [never, former] = [await made('thing'), await unpublished('thing')]
    const folder = await mkdtemp(join(tmpdir(), 'quire-once-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const ctx = service.app.context({ kind: 'operator' })
    const file = join(folder, 'content')
    await exportContent(ctx, file, { types: new Set(['thing']), locales: null }, () => {})
    for (const id of [never, former]) done(await service.editor.delete(`thing/${idOf(id)}`))
    await importFile(ctx, file, folder)
    await expectRefused(service.contributor, 'thing', former)
    await expectDeleted(service.contributor, 'thing', never)
  })

  test('§10.1 a database of the version before tells drafts by their versions', async () => {
    const never = { thing: await made('thing'), [TREE]: await made(TREE) }
    const former = { thing: await unpublished('thing'), [TREE]: await unpublished(TREE) }
    const present = { thing: await made('thing', ''), [TREE]: await made(TREE, '') }
    await rowsOf(service.databaseUrl, [
      'alter table documents drop column was_published',
      'drop table secrets',
      'drop table spellings',
      'alter table documents drop column title_changes',
      'drop index documents_by_publication',
      'drop index documents_by_editor',
      'alter table documents drop column updated_by_id',
      'drop table proposals',
      'alter table versions drop column proposal',
      'drop table agent_calls',
      'drop table agent_minutes',
      'drop table upload_links',
      'drop table purges',
      'drop table if exists quire_tables_22',
      'drop table if exists quire_tables_23',
      'drop table if exists quire_tables_24',
      'drop table if exists quire_tables_25',
      'drop table if exists quire_tables_26',
      'drop table if exists quire_tables_27',
      'drop table if exists quire_tables_28',
      `update meta set value = '19' where name = 'version'`,
    ])
    const keys = (['contributor', 'editor'] as const).map((role) => ({ role, key: `key-${role}`, name: role }))
    const app = await createApp(site, { database: service.databaseUrl, uploads: service.uploads, keys, log: quietLog })
    try {
      // The service before it may have seen the older version, and refuses everything then.
      const address = await app.listen(0, '127.0.0.1')
      const [contributor, editor] = [callerOf(address, 'key-contributor', null), callerOf(address, 'key-editor', null)]
      for (const path of ['thing', TREE] as const) {
        await expectRefused(contributor, path, former[path], editor)
        expect(await isHinted(contributor, path, present[path])).toBe(false)
        expect((await contributor.delete(`${path}/${present[path]}`)).status).toBe(403)
        await expectDeleted(contributor, path, never[path], editor)
      }
    } finally {
      await app.close()
    }
  })
})
