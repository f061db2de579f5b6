import { fileURLToPath } from 'node:url'
import { defineSite, piece } from 'quire-cms'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { runJob } from '../src/engine/run-jobs.ts'
import { carryOutDue, SCHEDULING } from '../src/features/scheduling/feature.ts'
import { TIMEOUTS } from '../src/http/load/sockets.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { ConfigurationError } from '../src/model/terms/configuration-error.ts'
import { sampledDatabases } from './databases.ts'
import { makeUser, tokenOf } from './people.ts'
import { shaky, site } from './schedule-site.ts'
import { describeService } from './service.ts'
import { SERVING_KEYS, serve } from './serving.ts'

const SITE = fileURLToPath(new URL('./schedule-site.ts', import.meta.url))
const HOUR = 3_600_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()

describeService('§3.9 scheduling', { site, timeout: 60_000 }, (service) => {
  /** What is due at a time from now, as the job does it. */
  const passes = (ms: number) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(Date.now() + ms) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  const make = async (body: object = {}, type = 'news') =>
    (await service.editor.post(type, { title: 'News', text: 'x', ...body }, 'aposMode=draft')).body
  const draft = async (id: string, type = 'news') =>
    (await service.editor.get(`${type}/${id}:en:draft`, 'archived=any')).body
  const isPublished = async (id: string, type = 'news') =>
    (await service.editor.get(`${type}/${id}:en:published`)).status === 200

  it('publishes and archives drafts at their times, in the name of the user who scheduled it, with a version', async () => {
    const made = await make({ publishAt: at(HOUR), archiveAt: at(2 * HOUR) })
    const id = made.aposDocId
    expect([Date.parse(made.publishAt) > Date.now(), made.archiveAt > made.publishAt, made.scheduleError]).toEqual([
      true,
      true,
      null,
    ])
    await passes(HOUR / 2)
    expect(await isPublished(id)).toBe(false)
    await passes(HOUR + 1000)
    expect(await isPublished(id)).toBe(true)
    expect((await service.editor.get(`news/${id}`)).body).not.toHaveProperty('publishAt')
    expect(await draft(id)).toMatchObject({
      publishAt: null,
      archiveAt: made.archiveAt,
      scheduleError: null,
      archived: false,
    })
    const { results } = (await service.editor.get('@cms/document-versions', `docId=${id}`)).body
    expect(results[0]).toMatchObject({ mode: 'published', author: 'editor key' })
    await passes(2 * HOUR + 1000)
    expect(await draft(id)).toMatchObject({ archiveAt: null, archived: true })
  })

  it('does it within ten seconds while the service runs; what is in the past at once', async () => {
    // After the first start of a database: the wait of the service, a tenth of the interval, and the interval.
    const interval = SCHEDULING.schedule.kind === 'interval' ? SCHEDULING.schedule.ms : Number.NaN
    expect(TIMEOUTS.background + 1.1 * interval).toBeLessThan(10_000)
    const past = await make({ publishAt: '2020-01-01T00:00:00Z' })
    const soon = await make({ publishAt: at(2000) })
    for (const { aposDocId } of [past, soon]) {
      await expect.poll(() => isPublished(aposDocId), { timeout: 20_000, interval: 500 }).toBe(true)
    }
  })

  it('is taken over in time where the process that does it dies', async () => {
    const ctx = service.app.context({ kind: 'operator' })
    const name = 'scheduling of a process that dies'
    const state = { startedAt: 0, until: Number.NaN }
    const run = async () => void Object.assign(state, await ctx.store.jobs.get(name))
    await runJob(ctx, { ...SCHEDULING, name, run }, { signal: new AbortController().signal, isForced: true })
    const interval = SCHEDULING.schedule.kind === 'interval' ? SCHEDULING.schedule.ms : Number.NaN
    expect(interval + state.until - state.startedAt).toBeLessThan(10_000)
  })

  it('is cancelled by null, and changed by another time', async () => {
    const { aposDocId: id } = await make({ publishAt: at(HOUR) })
    expect(
      (await service.editor.patch(`news/${id}:en:draft`, { publishAt: at(3 * HOUR), title: 'Later' })).body.title,
    ).toBe('Later')
    await passes(2 * HOUR)
    expect(await isPublished(id)).toBe(false)
    const cancelled = await service.editor.patch(`news/${id}:en:draft`, {
      _patches: [{ publishAt: null }, { text: 'y' }],
    })
    expect(cancelled.body).toMatchObject({ publishAt: null, text: 'y' })
    await passes(4 * HOUR)
    expect(await isPublished(id)).toBe(false)
    const emptied = await make({ publishAt: at(HOUR), archiveAt: at(2 * HOUR) })
    const { body } = await service.editor.patch(`news/${emptied._id}`, { publishAt: '' })
    expect(body).toMatchObject({ publishAt: null, archiveAt: emptied.archiveAt })
  })

  it('is for those who may do what it does; others change drafts all the same', async () => {
    const { aposDocId: id } = await make({ publishAt: at(HOUR) })
    const patch = (body: object) => service.contributor.patch(`news/${id}:en:draft`, body)
    expect((await patch({ publishAt: at(2 * HOUR) })).status).toBe(403)
    expect((await patch({ publishAt: null })).status).toBe(403)
    expect((await patch({ _patches: [{ publishAt: null }] })).status).toBe(403)
    const read = (await service.contributor.get(`news/${id}:en:draft`)).body
    expect((await service.contributor.put(`news/${id}:en:draft`, { ...read, title: 'Put' })).body).toMatchObject({
      title: 'Put',
      publishAt: read.publishAt,
    })
    expect(
      (await service.contributor.post('news', { title: 'x', text: 'x', publishAt: at(HOUR) }, 'aposMode=draft')).status,
    ).toBe(403)
    expect((await service.editor.post('guarded', { title: 'x', publishAt: at(HOUR) }, 'aposMode=draft')).status).toBe(
      403,
    )
    expect((await service.ai.patch(`news/${id}:en:draft`, { publishAt: null })).status).toBe(403)
  })

  it('stays as it is when a version is restored, whatever the body says of it', async () => {
    const { aposDocId: id, publishAt } = await make({ publishAt: at(HOUR) })
    await service.editor.patch(`news/${id}:en:draft`, { title: 'Second' })
    const { results } = (await service.editor.get('@cms/document-versions', `docId=${id}`)).body
    const { _id: version } = results[1]
    const { doc } = (await service.editor.get(`@cms/document-versions/${version}`)).body
    for (const caller of [service.editor, service.contributor]) {
      const body = { ...doc, publishAt: at(2 * HOUR), archiveAt: at(3 * HOUR), _restoreVersion: version }
      const restored = await caller.put(`news/${id}:en:draft`, body, 'aposMode=draft')
      expect(restored).toMatchObject({ status: 200, body: { title: 'News', publishAt, archiveAt: null } })
    }
  })

  it('happens in the name of whoever has set that time, whoever has set the other', async () => {
    const ann = await makeUser(service.app, 'ann')
    const headers = { authorization: `Bearer ${await tokenOf(service.address, 'ann')}` }
    const { aposDocId: id } = await make({ archiveAt: at(2 * HOUR) })
    const url = `${service.address}/api/v1/news/${id}:en:draft`
    const body = JSON.stringify({ publishAt: at(HOUR) })
    const patched = await fetch(url, {
      method: 'PATCH',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect(patched.status).toBe(200)
    expect((await service.admin.patch(`@cms/user/${ann}`, { disabled: true })).status).toBe(200)
    await passes(HOUR + 1000)
    expect(await isPublished(id)).toBe(false)
    const failed = (await draft(id)).scheduleError
    expect(failed).toMatchObject({ action: 'publish', message: 'The user who scheduled this can no longer sign in.' })
    await passes(2 * HOUR + 1000)
    expect(await draft(id)).toMatchObject({ archived: true, archiveAt: null })
  })

  it('shows in the next read of the draft, also to callers who ask with the ETag from before', async () => {
    const { aposDocId: id } = await make()
    const before = await service.editor.get(`news/${id}:en:draft`)
    const publishAt = at(HOUR)
    expect((await service.editor.patch(`news/${id}:en:draft`, { publishAt })).status).toBe(200)
    const conditional = { 'if-none-match': before.headers.get('etag') ?? '' }
    expect(conditional['if-none-match']).not.toBe('')
    const after = await service.editor.get(`news/${id}:en:draft`, '', conditional)
    expect([after.status, after.body.publishAt]).toEqual([200, publishAt])
  })

  it('that fails without being refused is tried again after rising delays, and given up after hours', async () => {
    const made = await make({ publishAt: at(HOUR) }, 'shaky')
    const { aposDocId: id } = made
    shaky.failures = 3
    const times: number[] = []
    for (let ms = HOUR + 1000; times.length < 3; ms = (times.at(-1) ?? 0) + 1000) {
      await passes(ms)
      const { publishAt, scheduleError } = await draft(id, 'shaky')
      expect(scheduleError).toMatchObject({ action: 'publish', at: made.publishAt })
      times.push(Date.parse(publishAt) - Date.now())
      expect(times.at(-1)).toBeGreaterThan(ms + 9_000)
    }
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan((times[1] ?? 0) - (times[0] ?? 0))
    await passes((times.at(-1) ?? 0) + 1000)
    expect(await isPublished(id, 'shaky')).toBe(true)
    expect(await draft(id, 'shaky')).toMatchObject({ publishAt: null, scheduleError: null })
    const { aposDocId: other } = await make({ publishAt: at(HOUR) }, 'shaky')
    shaky.failures = 2
    await passes(HOUR + 1000)
    await passes(8 * HOUR)
    expect(await draft(other, 'shaky')).toMatchObject({ publishAt: null, scheduleError: { action: 'publish' } })
  })

  it('that fails is still tried, and shows its failure, when the other time is changed, and not when its own is', async () => {
    const { aposDocId: id } = await make({ publishAt: at(HOUR), archiveAt: at(20 * HOUR) }, 'shaky')
    const failsOnce = async (ms: number) => {
      shaky.failures = 1
      await passes(ms)
      expect(await draft(id, 'shaky')).toMatchObject({ scheduleError: { action: 'publish' } })
    }
    await failsOnce(HOUR + 1000)
    await service.editor.patch(`shaky/${id}:en:draft`, { archiveAt: at(30 * HOUR) })
    expect(await draft(id, 'shaky')).toMatchObject({ scheduleError: { action: 'publish' } })
    await service.editor.patch(`shaky/${id}:en:draft`, { publishAt: at(2 * HOUR) })
    expect(await draft(id, 'shaky')).toMatchObject({ scheduleError: null })
    await failsOnce(2 * HOUR + 1000)
  })

  it('refuses what is no time with a zone, and an end before the beginning', async () => {
    const { aposDocId: id } = await make()
    for (const publishAt of ['2030-01-01', '2030-01-01T10:00', '2030-02-30T10:00:00Z', 'tomorrow', 7, false, {}]) {
      const { status, body } = await service.editor.patch(`news/${id}:en:draft`, { publishAt })
      expect([status, body.data?.errors?.[0]?.path]).toEqual([400, 'publishAt'])
    }
    const upside = await service.editor.patch(`news/${id}:en:draft`, { publishAt: at(2 * HOUR), archiveAt: at(HOUR) })
    expect([upside.status, upside.body.data.errors[0].path]).toEqual([400, 'archiveAt'])
    const soon = at(HOUR)
    const together = await service.editor.patch(`news/${id}:en:draft`, { publishAt: soon, archiveAt: soon })
    expect([together.status, together.body.data.errors[0].path]).toEqual([400, 'archiveAt'])
    await service.editor.patch(`news/${id}:en:draft`, { publishAt: at(2 * HOUR) })
    const before = await service.editor.patch(`news/${id}:en:draft`, { archiveAt: soon })
    expect([before.status, before.body.data.errors[0].path]).toEqual([400, 'archiveAt'])
    const zoned = await service.editor.patch(`news/${id}:en:draft`, { publishAt: '2030-01-01T10:00:00+02:00' })
    expect(zoned.body.publishAt).toBe('2030-01-01T08:00:00.000Z')
    expect((await service.editor.post('plain', { title: 'x', publishAt: at(HOUR) })).body).not.toHaveProperty(
      'publishAt',
    )
  })

  it('that fails stays to be seen on the draft, and is not tried again until it is changed', async () => {
    const id = await makeUser(service.app, 'paula', { role: 'editor' })
    const headers = {
      authorization: `Bearer ${await tokenOf(service.address, 'paula')}`,
      'content-type': 'application/json',
    }
    const { aposDocId } = await make()
    const scheduled = await fetch(`${service.address}/api/v1/news/${aposDocId}:en:draft`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ publishAt: at(HOUR) }),
    })
    expect(scheduled.status).toBe(200)
    await service.admin.patch(`@cms/user/${id}`, { role: 'contributor' })
    await passes(HOUR + 1000)
    expect(await isPublished(aposDocId)).toBe(false)
    expect(await draft(aposDocId)).toMatchObject({
      publishAt: null,
      scheduleError: { action: 'publish', at: expect.any(String), message: 'Your role does not allow this.' },
    })
    await service.admin.patch(`@cms/user/${id}`, { disabled: true })
    await service.editor.patch(`news/${aposDocId}:en:draft`, { publishAt: at(HOUR) })
    expect(await draft(aposDocId)).toMatchObject({ scheduleError: null })
    await passes(HOUR + 1000)
    expect(await isPublished(aposDocId)).toBe(true)
  })

  it('publishes pages, unless the page above is not published', async () => {
    const page = async (title: string, target: string) => {
      const body = { type: 'landing', title, _targetId: target, _position: 'lastChild', publishAt: at(HOUR) }
      return (await service.editor.post('@cms/page', body, 'aposMode=draft')).body
    }
    const parent = await page('Parent', '_home')
    const child = await page('Child', parent._id)
    await service.editor.patch(`@cms/page/${parent._id}`, { publishAt: null })
    await passes(HOUR + 1000)
    const read = async (id: string) => (await service.editor.get(`@cms/page/${id}`)).body
    expect(await read(child._id)).toMatchObject({ publishAt: null, scheduleError: { action: 'publish' } })
    await service.editor.patch(`@cms/page/${parent._id}`, { publishAt: at(HOUR) })
    await service.editor.patch(`@cms/page/${child._id}`, { publishAt: at(HOUR + 1) })
    await passes(2 * HOUR)
    expect((await service.editor.get(`@cms/page/${child.aposDocId}:en:published`)).status).toBe(200)
  })

  it('is no content: no copy, locale, version or published document has it, and it goes with its document', async () => {
    const { aposDocId: id, _id } = await make({ publishAt: at(HOUR) })
    expect((await make({ _copyingId: _id })).publishAt).toBeNull()
    const french = await service.editor.post(`news/${_id}/localize`, { toLocale: 'fr' })
    expect(french.body.publishAt).toBeNull()
    const { results } = (await service.editor.get('@cms/document-versions', `docId=${id}`)).body
    const version = (await service.editor.get(`@cms/document-versions/${results[0]._id}`)).body
    expect(JSON.stringify(version)).not.toContain('publishAt')
    await service.editor.delete(`news/${id}:en:draft`)
    expect(await service.app.store.schedules.of([id], 'en')).toEqual([])
    const { statements } = service
    for (const perPage of [1, 10]) {
      statements.length = 0
      const list = (await service.editor.get('news', `aposMode=draft&perPage=${perPage}`)).body.results
      expect(list.every((one: object) => 'publishAt' in one)).toBe(true)
      expect(statements.filter((text) => text.includes('from schedules where')).length).toBe(1)
    }
  })
})

describe.each(sampledDatabases('scheduling'))('§3.9 scheduling on $name', (databases) => {
  it('is done after a restart, once, though the process that was told is killed', { timeout: 60_000 }, async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const headers = { authorization: `ApiKey ${SERVING_KEYS.editor}`, 'content-type': 'application/json' }
    const first = await serve(database.url, {}, SITE)
    const body = JSON.stringify({ title: 'Told', text: 'x', publishAt: at(3000) })
    const made = await fetch(`${first.address}/api/v1/news?aposMode=draft`, { method: 'POST', headers, body })
    const { aposDocId } = (await made.json()) as { aposDocId: string }
    await first.end('SIGKILL')
    const others = await Promise.all([serve(database.url, {}, SITE), serve(database.url, {}, SITE)])
    onTestFinished(async () => void (await Promise.all(others.map((one) => one.end('SIGTERM')))))
    const read = async (path: string) => fetch(`${others[0].address}/api/v1/${path}`, { headers })
    await expect
      .poll(async () => (await read(`news/${aposDocId}`)).status, { timeout: 30_000, interval: 500 })
      .toBe(200)
    const { results } = (await (await read(`@cms/document-versions?docId=${aposDocId}`)).json()) as {
      results: { mode: string }[]
    }
    expect(results.filter(({ mode }) => mode === 'published')).toHaveLength(1)
  })
})

describe('§3.9 declaring types', () => {
  it('refuses scheduling where drafts do not wait, and fields of its names', () => {
    const mistakesOf = (options: object) => {
      try {
        compileSite(defineSite({ types: [piece('news', { scheduling: true, ...options })] }))
        return []
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        return error.problems.map(({ path }) => path)
      }
    }
    expect(mistakesOf({})).toEqual([])
    expect(mistakesOf({ autopublish: true })).toEqual(['types.news.scheduling'])
    expect(mistakesOf({ localized: false })).toEqual(['types.news.scheduling'])
    expect(mistakesOf({ fields: { add: { publishAt: { type: 'dateAndTime' } } } })).toEqual([
      'types.news.fields.add.publishAt',
    ])
  })
})
