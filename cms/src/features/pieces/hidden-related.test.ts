import { beforeAll, expect, it } from 'vitest'
import { type Caller, describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const person = piece('person', {
  publicApiProjection: ['bio'],
  fields: { add: { bio: { type: 'string' } } },
})
const place = piece('place', { publicApiProjection: ['title'], fields: { add: {} } })
const vault = piece('vault', {
  viewRole: 'admin',
  fields: { add: { _events: { type: 'relationshipReverse', withType: 'event', reverseOf: '_vaults' } } },
})
const event = piece('event', {
  publicApiProjection: ['title', '_people', '_places', '_vaults', 'stops'],
  guestApiAccess: true,
  fields: {
    add: {
      _people: { type: 'relationship', withType: 'person', withRelationships: true },
      _places: { type: 'relationship', withType: 'place' },
      _vaults: { type: 'relationship', withType: 'vault' },
      stops: { type: 'array', fields: { add: { _vaults: { type: 'relationship', withType: 'vault' } } } },
    },
  },
})
const tour = piece('tour', {
  guestApiAccess: true,
  fields: { add: { _events: { type: 'relationship', withType: 'event' } } },
})
const site = defineSite({ name: 'Hidden', types: [person, place, vault, event, tour] })

describeService('§5.8 related documents that are hidden', { isLong: true, site }, (service) => {
  const id: Record<string, string> = {}

  beforeAll(async () => {
    const make = async (type: string, name: string, body: object = {}) => {
      const answer = await service.admin.post(type, { title: `Title ${name}`, slug: `slug-${name}`, ...body })
      id[name] = answer.body.aposDocId
      return answer.body
    }
    // The order of the hidden titles is not that of the ids.
    const people = [await make('person', 'zoe'), await make('person', 'ann')]
    const places = [await make('place', 'rome')]
    const vaults = [await make('vault', 'gold')]
    const stops = [{ _vaults: vaults }]
    const fair = await make('event', 'fair', { _people: people, _places: places, _vaults: vaults, stops })
    await make('event', 'party')
    const held = await make('event', 'held', { visibility: 'loginRequired' })
    await service.admin.post('event', { title: 'draft', slug: 'slug-draft' }, 'aposMode=draft')
    await make('tour', 'tour', { _events: [fair, held] })
  })

  const total = async (query: string, as: Caller = service.anonymous) => (await as.get('event', query)).body.total

  it.each(['people=slug-ann', 'people[]=slug-ann&people[]=slug-zoe', 'peopleAnd=slug-ann', 'places=slug-rome'])(
    'cannot be filtered by slugs that the caller does not see: %s',
    async (query) => {
      expect(await total(query)).toBe(0)
      expect(await total(query, service.contributor)).toBe(1)
    },
  )

  it.each(['_people=<ann>', 'people=<ann>', 'peopleAnd[]=<ann>&peopleAnd[]=<zoe>', '_places=<rome>', 'places=<rome>'])(
    'are found by their ids: %s',
    async (query) => {
      expect(await total(query.replaceAll(/<(\w+)>/g, (_, name: string) => id[name] ?? ''))).toBe(1)
    },
  )

  it('are choices without labels where neither title nor slug is seen, in no telling order', async () => {
    const { body } = await service.anonymous.get('event', 'choices=people,_people&counts=places')
    expect(body.choices.people).toEqual(body.choices._people)
    expect(body.choices.people).toEqual(expect.arrayContaining([{ value: id.ann }, { value: id.zoe }]))
    expect(body.choices.people).toHaveLength(2)
    expect(body.counts.places).toEqual([{ value: id.rome, label: 'Title rome', count: 1 }])
    expect(JSON.stringify(body)).not.toMatch(/slug-|Title (ann|zoe)/)
    const known = await service.contributor.get('event', 'choices=people')
    expect(known.body.choices.people[0]).toEqual({ value: 'slug-ann', label: 'Title ann' })
  })

  it('are not named, not even by id, to callers who may not know of them', async () => {
    const seen = async (as: Caller) => {
      const answers = [
        await as.get(`event/${id.fair}`),
        await as.get('event'),
        await as.get('event', 'choices=vaults,_vaults'),
      ]
      return answers.map(({ body }) => JSON.stringify(body)).join('\n')
    }
    for (const as of [service.anonymous, service.guest, service.contributor]) {
      expect(await seen(as)).toContain(id.fair)
      expect(await seen(as)).not.toContain(id.gold)
      expect(await total(`_vaults=${id.gold}`, as)).toBe(0)
      expect(await total('vaults=slug-gold', as)).toBe(0)
    }
    expect(await seen(service.admin)).toContain(id.gold)
    const { body } = await service.contributor.get(`event/${id.fair}`)
    expect(body).toMatchObject({
      vaultsIds: [],
      vaultsFields: {},
      _vaults: [],
      stops: [{ vaultsIds: [], _vaults: [] }],
    })
  })

  it('are named to guests only where those are shown them', async () => {
    const { body } = await service.guest.get(`tour/${id.tour}`)
    expect(body.eventsIds).toEqual([id.fair, id.held])
    await service.admin.post(`event/${id.held}/archive`)
    expect((await service.guest.get(`tour/${id.tour}`)).body.eventsIds).toEqual([id.fair])
    expect((await service.contributor.get(`tour/${id.tour}`)).body.eventsIds).toEqual([id.fair, id.held])
    await service.admin.post(`event/${id.held}/restore`)
  })

  it('§2.15 ids of hidden documents in a body are treated as unknown ones, unless they are stored there already', async () => {
    const bodyOf = (name: string) => ({ title: 'Probe', vaultsIds: [name], stops: [{ vaultsIds: [name] }] })
    const stored = async (docId: string) => {
      const { body } = await service.admin.get(`event/${docId}`)
      return [body.vaultsIds, body.stops[0].vaultsIds]
    }
    for (const name of [id.gold ?? '', 'nosuch']) {
      const made = await service.editor.post('event', bodyOf(name))
      expect(made.status).toBe(200)
      expect(await stored(made.body.aposDocId)).toEqual([[], []])
      const patched = await service.editor.patch(`event/${made.body.aposDocId}`, { vaultsIds: [name] })
      expect(patched.status).toBe(200)
      expect(await stored(made.body.aposDocId)).toEqual([[], []])
      const named = await service.editor.patch(`event/${made.body.aposDocId}`, { _vaults: [{ _id: name }] })
      expect([named.status, named.body.data.errors]).toMatchObject([400, [{ path: '_vaults', name: 'invalid' }]])
    }
    const known = await service.admin.post('event', bodyOf(id.gold ?? ''))
    const docId = known.body.aposDocId
    expect((await service.editor.patch(`event/${docId}`, { vaultsIds: [id.gold, 'nosuch'] })).status).toBe(200)
    expect(await stored(docId)).toEqual([[id.gold], [id.gold]])
  })
})
