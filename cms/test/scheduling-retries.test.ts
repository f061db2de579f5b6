import { defineSite, piece } from 'quire-cms'
import { beforeEach, expect, it } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { describeService } from './service.ts'

const HOUR = 3_600_000
/** The reasons of saves that fail, as when something outside is away. */
const failing = new Set<string>()

const site = defineSite({
  types: [
    piece('news', {
      scheduling: true,
      hooks: {
        beforeSave: (_fields, { reason }) => {
          if (failing.has(reason)) throw new Error('The service outside is away.')
        },
      },
    }),
  ],
})

describeService('§3.9 what fails without being refused', { site, timeout: 60_000 }, (service) => {
  beforeEach(() => failing.clear())

  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const passes = (ms: number) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(now + ms) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  const make = async (body: object): Promise<string> =>
    (await service.editor.post('news', { title: 'News', ...body }, 'aposMode=draft')).body.aposDocId
  const draft = async (id: string) => (await service.editor.get(`news/${id}:en:draft`, 'archived=any')).body
  const patch = (id: string, body: object) => service.editor.patch(`news/${id}:en:draft`, body)
  /** When the next attempt is; null where there is none. */
  const next = async (id: string) => {
    const { publishAt, archiveAt } = await draft(id)
    const times = [publishAt, archiveAt].filter((time) => time !== null).map((time) => Date.parse(time) - now)
    return times.length === 0 ? null : Math.min(...times)
  }

  it('is given up after six hours, each time by itself', async () => {
    failing.add('published').add('archived')
    const id = await make({ publishAt: at(HOUR), archiveAt: at(HOUR + 60_000) })
    let attempts = 0
    for (let ms = await next(id); ms !== null && attempts < 60; ms = await next(id)) {
      expect(ms).toBeLessThan(7.1 * HOUR)
      await passes(ms)
      attempts += 1
    }
    expect(attempts).toBeGreaterThan(15)
    expect(attempts).toBeLessThan(40)
    expect(await draft(id)).toMatchObject({
      publishAt: null,
      archiveAt: null,
      scheduleError: { action: 'archive', at: at(HOUR + 60_000), message: 'This failed. The log says why.' },
    })
  })

  it('is tried again soon, also where its time was long ago, and for the last time after six hours', async () => {
    failing.add('published')
    const id = await make({ publishAt: at(HOUR) })
    await passes(4 * HOUR)
    expect(await next(id)).toBe(4 * HOUR + 10_000)
    await passes(8 * HOUR)
    expect(await next(id)).toBe(10 * HOUR)
    failing.clear()
    await passes(10 * HOUR)
    expect(await draft(id)).toMatchObject({ publishAt: null, scheduleError: null })
    expect((await service.editor.get(`news/${id}`)).status).toBe(200)
  })

  it('goes on being tried while the other time is changed, and not when its own is', async () => {
    failing.add('published')
    const id = await make({ publishAt: at(HOUR), archiveAt: at(20 * HOUR) })
    await passes(HOUR + 1000)
    const failed = await draft(id)
    expect(failed.scheduleError).toMatchObject({ action: 'publish', at: at(HOUR) })
    const { body: same } = await patch(id, { publishAt: failed.publishAt, archiveAt: at(21 * HOUR) })
    expect(same).toMatchObject({ publishAt: failed.publishAt, scheduleError: failed.scheduleError })
    expect((await patch(id, { publishAt: null })).body).toMatchObject({ publishAt: null, scheduleError: null })
    failing.clear()
    await passes(12 * HOUR)
    expect((await service.editor.get(`news/${id}:en:published`)).status).toBe(404)
  })

  it('is not published after it was archived', async () => {
    failing.add('published')
    const id = await make({ publishAt: at(HOUR), archiveAt: at(2 * HOUR) })
    await passes(2 * HOUR)
    expect(await draft(id)).toMatchObject({ archived: true, publishAt: null, scheduleError: { action: 'publish' } })
    failing.clear()
    await passes(9 * HOUR)
    await service.editor.post(`news/${id}:en:draft/restore`, {})
    expect((await service.editor.get(`news/${id}:en:published`)).status).toBe(404)
  })
})
