import { expect, it } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { site } from './schedule-site.ts'
import { type Caller, describeService } from './service.ts'

const HOUR = 3_600_000
/** So late that nothing is due by the clock of the service. */
const NOW = Date.now() + 100 * HOUR
const at = (ms: number) => new Date(NOW + ms).toISOString()

/** The times that a document has, in hours; those until the first hour are due. */
const TIMES = {
  'none due': { publishAt: 2, archiveAt: 3 },
  'published in the past': { publishAt: -1, archiveAt: null },
  published: { publishAt: 1, archiveAt: null },
  archived: { publishAt: null, archiveAt: 1 },
  'published, archived later': { publishAt: 1, archiveAt: 2 },
  'published and archived': { publishAt: 0.5, archiveAt: 1 },
} as const

type Times = (typeof TIMES)[keyof typeof TIMES]

/** Whether a document was published and archived before its times came. */
const STATES = {
  draft: { isPublished: false, isArchived: false },
  'published, with a changed draft': { isPublished: true, isArchived: false },
  unpublished: { isPublished: false, isArchived: false },
  'archived draft': { isPublished: false, isArchived: true },
  'archived, published before': { isPublished: true, isArchived: true },
  restored: { isPublished: true, isArchived: false },
} as const

type State = keyof typeof STATES

describeService('§3.9 schedules in every state', { site, timeout: 120_000 }, (service) => {
  const passes = (hours: number) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(NOW + hours * HOUR) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  const ok = async (answer: ReturnType<Caller['get']>) => {
    const { status, body } = await answer
    expect([status, body.message]).toEqual([200, undefined])
    return body
  }
  const routeOf = (family: Family) => (family === 'piece' ? 'news' : '@cms/page')
  const archive = (family: Family, id: string, target = '_archive') =>
    ok(
      family === 'page'
        ? service.editor.patch(
            `@cms/page/${id}:en:draft`,
            { _targetId: target, _position: 'lastChild' },
            'archived=any',
          )
        : service.editor.post(`news/${id}:en:draft/${target === '_archive' ? 'archive' : 'restore'}`, {}),
    )

  /** Makes a document with these times, and brings it into a state. */
  const make = async (family: Family, state: State, times: Times): Promise<string> => {
    const place = family === 'page' ? { type: 'landing', _targetId: '_home', _position: 'lastChild' } : { text: 'x' }
    const values = { title: state, ...place, ...hoursIn(times) }
    const { aposDocId: id } = await ok(service.editor.post(routeOf(family), values, 'aposMode=draft'))
    const url = `${routeOf(family)}/${id}:en:draft`
    if (!['draft', 'archived draft'].includes(state)) await ok(service.editor.post(`${url}/publish`, {}))
    if (state === 'unpublished') await ok(service.editor.post(`${routeOf(family)}/${id}:en:published/unpublish`, {}))
    if (state === 'published, with a changed draft') await ok(service.editor.patch(url, { title: 'Changed' }))
    if (STATES[state].isArchived || state === 'restored') await archive(family, id)
    if (state === 'restored') await archive(family, id, '_home')
    return id
  }

  const stateOf = async (family: Family, id: string) => {
    const { publishAt, archiveAt, archived, title, scheduleError } = await ok(
      service.editor.get(`${routeOf(family)}/${id}:en:draft`, 'archived=any'),
    )
    const published = await service.editor.get(`${routeOf(family)}/${id}:en:published`, 'archived=any')
    const isCurrent = published.status === 200 && published.body.title === title
    return { publishAt, archiveAt, archived, isCurrent, isPublished: published.status === 200, scheduleError }
  }

  it.each(['piece', 'page'] as const)(
    'do to a %s what its state allows, and keep their times where it is archived',
    async (family) => {
      const made: { readonly id: string; readonly state: State; readonly times: Times }[] = []
      for (const state of Object.keys(STATES) as State[]) {
        for (const times of Object.values(TIMES)) made.push({ id: await make(family, state, times), state, times })
      }
      await passes(1)
      for (const { id, state, times } of made) {
        expect({ state, times, ...(await stateOf(family, id)) }).toEqual({ state, times, ...expected(state, times) })
      }
      // Nothing is done twice.
      await passes(1)
      for (const { id, state, times } of made) {
        expect({ state, times, ...(await stateOf(family, id)) }).toEqual({ state, times, ...expected(state, times) })
      }
    },
  )

  it('are carried out once a document is restored', async () => {
    const [one, other] = [
      await make('piece', 'archived draft', TIMES.published),
      await make('piece', 'archived draft', TIMES.archived),
    ]
    await passes(1)
    for (const id of [one, other]) await archive('piece', id, '_home')
    await passes(1)
    expect(await stateOf('piece', one)).toMatchObject({ publishAt: null, isPublished: true, archived: false })
    expect(await stateOf('piece', other)).toMatchObject({ archiveAt: null, isPublished: false, archived: true })
  })

  it('of many archived documents keep none of the others waiting', async () => {
    const ids: string[] = []
    for (let made = 0; made < 55; made += 1) ids.push(await make('piece', 'draft', TIMES['published in the past']))
    const { results } = await ok(service.editor.post('news/archive', { _ids: ids }))
    expect(results.every((one: { ok: boolean }) => one.ok)).toBe(true)
    const last = await make('piece', 'draft', TIMES.published)
    await passes(1)
    expect(await stateOf('piece', last)).toMatchObject({ publishAt: null, isPublished: true })
  })
})

type Family = 'piece' | 'page'

function hoursIn({ publishAt, archiveAt }: Times) {
  const timeOf = (hours: number | null) => (hours === null ? null : at(hours * HOUR))
  return { publishAt: timeOf(publishAt), archiveAt: timeOf(archiveAt) }
}

/** What became of a document in the first hour. */
function expected(state: State, times: Times) {
  const { isPublished, isArchived } = STATES[state]
  const isDone = (hours: number | null) => !isArchived && hours !== null && hours <= 1
  const given = hoursIn(times)
  const published = isDone(times.publishAt)
  return {
    publishAt: published ? null : given.publishAt,
    archiveAt: isDone(times.archiveAt) ? null : given.archiveAt,
    archived: isArchived || isDone(times.archiveAt),
    isPublished: isPublished || published,
    isCurrent: published || (isPublished && state !== 'published, with a changed draft'),
    scheduleError: null,
  }
}
