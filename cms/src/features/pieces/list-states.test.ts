import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { makeUser, tokenOf } from '../../../test/people.ts'
import { type Answer, type Caller, callerOf, describeService } from '../../../test/service.ts'

const site = defineSite({
  types: [
    piece('note', { publicApiProjection: ['title', 'slug'] }),
    piece('open', { publicApiProjection: ['title', 'lastPublishedAt'] }),
    piece('place', { publicApiProjection: ['title'], fields: { add: { state: { type: 'string' } } } }),
    piece('stamp', { localized: false }),
  ],
})

interface Listed {
  readonly title: string
  readonly aposMode: string
}

describeService('§4.1 lists by state', { site }, (service) => {
  let erin: { readonly id: string; readonly caller: Caller }

  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const made = async (title: string, query = '', type = 'note'): Promise<string> =>
    done(await service.editor.post(type, { title }, query)).aposDocId
  const act = async (id: string, verb: string) => done(await service.editor.post(`note/${id}/${verb}`, {}))
  const list = async (query: string, caller: Caller = service.contributor, type = 'note') =>
    done(await caller.get(type, query))
  const titles = async (query: string, caller?: Caller, type?: string) => {
    const { results } = (await list(query, caller, type)) as { results: Listed[] }
    return results.map(({ title }) => title)
  }

  beforeAll(async () => {
    const id = await makeUser(service.app, 'erin')
    erin = {
      id,
      caller: callerOf(service.address, null, null, {
        authorization: `Bearer ${await tokenOf(service.address, 'erin')}`,
      }),
    }
    await made('Never', 'aposMode=draft')
    await made('Published')
    const [changed, withdrawn, gone] = [await made('Before'), await made('Withdrawn'), await made('Gone')]
    done(await erin.caller.patch(`note/${changed}:en:draft`, { title: 'Changed' }))
    await act(withdrawn, 'unpublish')
    await act(gone, 'archive')
    await made('Shown', '', 'open')
    await made('Stamped', '', 'stamp')
    done(await service.editor.post('place', { title: 'Sacramento', state: 'CA' }))
  })

  test.each([
    ['state=draft', ['Never', 'Withdrawn']],
    ['state=modified', ['Changed']],
    ['state=published', ['Published']],
    ['state=archived', ['Gone']],
    ['state=modified,published', ['Changed', 'Published']],
    ['state[]=draft&state[]=archived', ['Gone', 'Never', 'Withdrawn']],
    ['state=archived&archived=false', []],
    ['state=draft&archived=true', []],
  ])('%s', async (query, expected) => {
    expect(await titles(`${query}&sort=title`)).toEqual(expected)
    expect(await titles(`${query}&sort=title&aposMode=draft`)).toEqual(expected)
  })

  test('a list by state is of drafts', async () => {
    const { results } = (await list('state=published,modified')) as { results: Listed[] }
    expect(results.map(({ aposMode }) => aposMode)).toEqual(['draft', 'draft'])
    expect(await service.contributor.get('note', 'state=published&aposMode=published')).toMatchObject({ status: 400 })
    expect(await service.contributor.get('note', 'state=new')).toMatchObject({ status: 400 })
  })

  test('follows what is saved and published', async () => {
    const id = await made('Moving', 'aposMode=draft')
    const found = async () => {
      const lists = await Promise.all(
        ['draft', 'modified', 'published', 'archived'].map((one) => titles(`state=${one}`)),
      )
      return lists.flatMap((names, at) => (names.includes('Moving') ? [at] : []))
    }
    expect(await found()).toEqual([0])
    await act(id, 'publish')
    expect(await found()).toEqual([2])
    done(await service.editor.patch(`note/${id}:en:draft`, { visibility: 'loginRequired' }))
    expect(await found()).toEqual([1])
    await act(id, 'archive')
    expect(await found()).toEqual([3])
    done(await service.editor.delete(`note/${id}`))
    expect(await found()).toEqual([])
  })

  test('counts=state counts each, whatever state is asked for', async () => {
    const counts = (states: readonly number[]) =>
      ['draft', 'modified', 'published', 'archived'].flatMap((value, at) => {
        const count = states[at]
        return count === 0 ? [] : [{ value, count }]
      })
    expect((await list('counts=state')).counts.state).toEqual(counts([2, 1, 1, 1]))
    expect((await list('counts=state&state=draft&perPage=1')).counts.state).toEqual(counts([2, 1, 1, 1]))
    expect((await list('counts=state&archived=false')).counts.state).toEqual(counts([2, 1, 1, 0]))
    expect((await list('counts=state&search=changed')).counts.state).toEqual(counts([0, 1, 0, 0]))
    expect((await list('choices=state')).choices.state).toEqual(counts([2, 1, 1, 1]).map(({ value }) => ({ value })))
    expect((await list('counts=state', service.editor, 'stamp')).counts.state).toEqual([
      { value: 'published', count: 1 },
    ])
  })

  test('updatedBy finds what a user saved last', async () => {
    expect(await titles(`updatedBy=${erin.id}&aposMode=draft`)).toEqual(['Changed'])
    expect(await titles(`updatedBy=${erin.id}`)).toEqual([])
    expect(await titles(`updatedBy[]=none&updatedBy[]=${erin.id}&state=modified`)).toEqual(['Changed'])
    expect(await titles('updatedBy=none&aposMode=draft')).toEqual([])
  })

  test('sorts by the last publication: what is not published comes last', async () => {
    const newest = await titles('aposMode=draft&sort=-lastPublishedAt')
    expect(newest.slice(0, 2)).toEqual(['Changed', 'Published'])
    expect(newest.slice(2).toSorted()).toEqual(['Never', 'Withdrawn'])
    expect((await titles('aposMode=draft&sort=lastPublishedAt')).slice(0, 2)).toEqual(['Published', 'Changed'])
    expect(await titles('state=published,modified&sort[lastPublishedAt]=1')).toEqual(['Published', 'Changed'])
  })

  test('§5.2 refuses who may not read drafts', async () => {
    for (const query of ['state=published', `updatedBy=${erin.id}`, 'counts=state', 'choices=state']) {
      expect(await service.anonymous.get('note', query)).toMatchObject({ status: 401 })
      expect(await service.guest.get('note', query)).toMatchObject({ status: 403 })
    }
    expect(await service.anonymous.get('note', 'sort=lastPublishedAt')).toMatchObject({ status: 400 })
    expect(await titles('sort=-lastPublishedAt', service.anonymous, 'open')).toEqual(['Shown'])
  })

  test('a field of that name wins', async () => {
    expect(await titles('state=CA', service.contributor, 'place')).toEqual(['Sacramento'])
    expect(await titles('state=draft', service.contributor, 'place')).toEqual([])
    expect((await list('counts=state', service.contributor, 'place')).counts.state).toMatchObject([{ value: 'CA' }])
  })
})
