import { defineSite, page, piece } from 'quire-cms'
import { expect, it } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { describeService } from './service.ts'

const HOUR = 3_600_000
const options = {
  scheduling: true,
  fields: { add: { lead: { type: 'string', required: true }, rest: { type: 'string' } } },
} as const
const site = defineSite({ types: [piece('news', options), page('leaf', options)] })

/** A kind of document: its route, and what a body of one has. */
const KINDS = [
  ['news', {}],
  ['@cms/page', { type: 'leaf', _targetId: '_home', _position: 'lastChild' }],
] as const

describeService('§3.9 a draft that is incomplete when its time comes', { site }, (service) => {
  const now = Date.now()
  const passes = (ms: number) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(now + ms) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  const publishAt = new Date(now + HOUR).toISOString()

  it.each(KINDS)(
    '%s: is not published, told why, and not tried again until it is scheduled anew',
    async (route, base) => {
      const body = { ...base, title: 'Draft', publishAt, _incomplete: true }
      const id = (await service.editor.post(route, body, 'aposMode=draft')).body.aposDocId
      const draft = async () => (await service.editor.get(`${route}/${id}:en:draft`)).body
      const patch = (fields: object) => service.editor.patch(`${route}/${id}:en:draft`, fields)
      await passes(HOUR)
      const scheduleError = {
        action: 'publish',
        at: publishAt,
        message: 'Some fields need your attention: lead.',
      }
      expect(await draft()).toMatchObject({ publishAt: null, lastPublishedAt: null, scheduleError })
      expect((await service.editor.get(`${route}/${id}`)).status).toBe(404)
      await patch({ lead: 'There', _incomplete: true })
      await passes(3 * HOUR)
      expect(await draft()).toMatchObject({ publishAt: null, lastPublishedAt: null, scheduleError })
      expect((await patch({ publishAt })).status).toBe(200)
      await passes(4 * HOUR)
      expect((await service.editor.get(`${route}/${id}`)).body).toMatchObject({ lead: 'There', title: 'Draft' })
      expect(await draft()).toMatchObject({ publishAt: null, scheduleError: null })
    },
  )

  it.each(KINDS)('%s: what is published stays whole', async (route, base) => {
    const id = (await service.editor.post(route, { ...base, title: 'Live', lead: 'Lead' })).body.aposDocId
    const changed = { title: 'Changed', lead: '', rest: 'Changed', publishAt, _incomplete: true }
    expect((await service.editor.patch(`${route}/${id}:en:draft`, changed)).status).toBe(200)
    await passes(HOUR)
    const live = (await service.editor.get(`${route}/${id}`)).body
    expect(live).toMatchObject({ title: 'Live', lead: 'Lead' })
    expect(live.rest).not.toBe('Changed')
    expect((await service.editor.get(`${route}/${id}:en:draft`)).body).toMatchObject({
      title: 'Changed',
      modified: true,
      publishAt: null,
      scheduleError: { action: 'publish' },
    })
  })
})
