import { beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { site } from './schedule-site.ts'
import { type Caller, describeService } from './service.ts'

const HOUR = 3_600_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()

describeService('§3.9 schedules that failed', { site }, (service) => {
  const passes = (ms: number) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(Date.now() + ms) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  /** A draft that cannot be published at its time: its text is missing. */
  const made = async (title: string, query = '') => {
    const body = { title, text: '', _incomplete: true, publishAt: at(HOUR) }
    return (await service.editor.post('news', body, `aposMode=draft&${query}`)).body.aposDocId as string
  }
  const list = (query: string, caller: Caller = service.contributor) => caller.get('@cms/documents', query)
  const titles = async (query: string, caller?: Caller) =>
    (await list(query, caller)).body.results.map(({ title }: { title: string }) => title).toSorted()

  let one: string
  let archived: string
  beforeAll(async () => {
    one = await made('One')
    await made('Two')
    archived = await made('Gone')
    await made('Deux', 'aposLocale=fr')
    await service.editor.post('news', { title: 'Fine', text: 'x', publishAt: at(HOUR) }, 'aposMode=draft')
    await service.editor.post('news', { title: 'Waits', text: 'x', publishAt: at(9 * HOUR) }, 'aposMode=draft')
    await service.editor.post('plain', { title: 'Plain' })
    await passes(HOUR + 1000)
    await service.editor.post(`news/${archived}/archive`, {})
  })

  test('are listed, in one locale, with the other filters', async () => {
    expect(await titles('scheduleError=true')).toEqual(['One', 'Two'])
    expect(await titles('scheduleError=1&types[]=news&search=two')).toEqual(['Two'])
    expect(await titles('scheduleError=true&types[]=plain')).toEqual([])
    expect(await titles('scheduleError=true&aposLocale=fr')).toEqual(['Deux'])
    expect(await titles('scheduleError=true&archived=any')).toEqual(['Gone', 'One', 'Two'])
    expect(await titles(`scheduleError=true&_ids[]=${one}`)).toEqual(['One'])
    expect((await list('scheduleError=true&counts=type')).body).toMatchObject({
      total: 2,
      counts: { type: [{ value: 'news', count: 2 }] },
    })
  })

  test('leave the list when another time is set', async () => {
    expect(await titles('scheduleError=true')).toEqual(['One', 'Two'])
    await service.editor.patch(`news/${one}:en:draft`, { publishAt: at(9 * HOUR) })
    expect(await titles('scheduleError=true')).toEqual(['Two'])
  })

  test('are told to those who read drafts; other values and published copies are refused', async () => {
    expect((await list('scheduleError=true', service.anonymous)).status).toBe(401)
    expect((await list('scheduleError=any')).status).toBe(400)
    expect((await list('scheduleError=true&aposMode=published')).status).toBe(400)
    expect(await titles('scheduleError=')).toContain('Plain')
  })
})
