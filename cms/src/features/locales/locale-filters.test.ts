import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'

const site = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    it: { label: 'Italian', prefix: '/it', private: true },
  },
  types: [
    piece('note', { publicApiProjection: ['title'] }),
    // A contributor reads its drafts, and finds nothing archived.
    piece('rule', { editRole: 'editor' }),
    piece('stamp', { localized: false }),
  ],
})

describeService('§4.5 lists by what another locale has', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const titles = async (query: string, caller: Caller = service.contributor, type = 'note') =>
    done(await caller.get(type, `sort=title&${query}`)).results.map(({ title }: { title: string }) => title)
  const make = async (type: string, title: string): Promise<string> =>
    done(await service.admin.post(type, { title })).aposDocId

  let old: string
  beforeAll(async () => {
    const { editor } = service
    await make('note', 'Alone')
    const fresh = await make('note', 'Fresh')
    old = await make('note', 'Was old')
    const changed = await make('note', 'Draft changed')
    for (const id of [fresh, old, changed]) done(await editor.post(`note/${id}/localize`, { toLocale: 'fr' }))
    done(await editor.patch(`note/${old}`, { title: 'Old' }))
    done(await editor.patch(`note/${changed}:en:draft`, { title: 'Draft changed again' }))
  })

  test('tell what is missing and what is outdated, as …/locales tells of each', async () => {
    expect(await titles('missingIn=fr')).toEqual(['Alone'])
    expect(await titles('missingIn=it')).toEqual(['Alone', 'Draft changed', 'Fresh', 'Old'])
    expect(await titles('missingIn=en')).toEqual([])
    expect(await titles('outdatedIn=fr')).toEqual(['Old'])
    expect(await titles('outdatedIn=it')).toEqual([])
    expect(await titles('outdatedIn=fr&aposMode=draft&state=modified')).toEqual([])
    expect(await titles('missingIn=en&aposLocale=fr&aposMode=draft')).toEqual([])
    const { results } = done(await service.contributor.get(`note/${old}/locales`))
    expect(results.find((one: { aposLocale: string }) => one.aposLocale.startsWith('fr'))).toMatchObject({
      isOutdated: true,
    })
  })

  test('follow what is saved in the other locale', async () => {
    done(await service.editor.patch(`note/${old}:fr:draft`, { title: 'Vieux' }))
    expect(await titles('outdatedIn=fr')).toEqual([])
    done(await service.editor.patch(`note/${old}`, { title: 'Older' }))
    expect(await titles('outdatedIn=fr')).toEqual(['Older'])
    done(await service.editor.delete(`note/${old}:fr:draft`))
    expect(await titles('outdatedIn=fr')).toEqual([])
    expect(await titles('missingIn=fr')).toEqual(['Alone', 'Older'])
  })

  test('§5.8 what is archived in the other locale is missing for those who may not find it', async () => {
    const rule = await make('rule', 'Rule')
    done(await service.editor.post(`rule/${rule}/localize`, { toLocale: 'fr' }))
    expect(await titles('missingIn=fr', service.contributor, 'rule')).toEqual([])
    done(await service.editor.post(`rule/${rule}:fr:draft/archive`))
    expect(await titles('missingIn=fr', service.contributor, 'rule')).toEqual(['Rule'])
    expect(await titles('missingIn=fr', service.editor, 'rule')).toEqual([])
  })

  test('refuse locales that there are not, types without locales, and callers who may not read drafts', async () => {
    const { anonymous, guest, editor } = service
    for (const query of ['missingIn=xx', 'outdatedIn=', 'missingIn[]=fr']) {
      expect(await editor.get('note', query)).toMatchObject({ status: 400, body: { name: 'invalid' } })
    }
    expect(await editor.get('stamp', 'missingIn=fr')).toMatchObject({ status: 400 })
    for (const locale of ['fr', 'it', 'xx']) {
      expect(await anonymous.get('note', `missingIn=${locale}`)).toMatchObject({ status: 401 })
      expect(await guest.get('note', `outdatedIn=${locale}`)).toMatchObject({ status: 403 })
    }
  })
})
