import { beforeAll, expect, test } from 'vitest'
import { defineSite, findPieces, page, piece, widget } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { type Answer, describeService } from './service.ts'

const hidden = { type: 'string', viewPermission: 'admin' } as const
const options = {
  types: [
    piece('company', {
      publicApiProjection: ['title', 'city'],
      fields: { add: { city: { type: 'string' }, secret: hidden } },
    }),
    piece('vault', { viewRole: 'admin', fields: { add: { combination: { type: 'string' } } } }),
    piece('plan', { publicApiProjection: ['title'], fields: { add: { project: { type: 'string' } } } }),
    piece('talk', {
      publicApiProjection: ['title', 'slug', 'level', 'address', '_company'],
      scheduling: true,
      fields: {
        add: {
          level: { type: 'integer' },
          salary: { type: 'integer', viewPermission: 'admin' },
          room: { type: 'string' },
          size: { type: 'box' },
          address: { type: 'object', fields: { add: { city: { type: 'string' }, safe: hidden } } },
          links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
          main: { type: 'area', widgets: { note: {}, '@cms/rich-text': {} } },
          _company: { type: 'relationship', withType: 'company', fields: { add: { since: { type: 'integer' } } } },
          _vaults: { type: 'relationship', withType: 'vault' },
        },
      },
    }),
    page('text', { fields: { add: { intro: { type: 'string' }, secretIntro: hidden } } }),
    page('wide', { fields: { add: { width: { type: 'integer' } } } }),
  ],
  widgets: [widget('note', { fields: { add: { remark: { type: 'string' } } } })],
  pages: { publicApiProjection: ['title'] },
} as const
const on = sampledDatabases('unknown field names')

const ignored = ({ headers }: Answer) => headers.get('quire-ignored')
const refused = ({ status, body }: Answer) => [status, body.message]

/** Names that are known to an admin, in all forms. */
const KNOWN = [
  'project[title]=1&project[level]=1&project[salary]=1',
  'project[_id]=1&project[_url]=1&project[updatedAt]=1&project[publishAt]=1&project[aposDocId]=1&project[_edit]=1',
  'project[address.city]=1&project[address.safe]=1&project[links.label]=1&project[links._id]=1',
  'project[main.note.remark]=1&project[main.note]=1&project[main.@cms/rich-text.content]=1&project[main.items]=1',
  'project[_company.title]=1&project[_company._url]=1&project[_company._fields.since]=1&project[companyIds]=1',
  'project[_vaults.combination]=1&project[size.top]=1',
  'project[main]=0',
]

describeService('§0.4 names of fields in values that nothing reads', { site: defineSite(options), on }, (service) => {
  let id = ''
  beforeAll(async () => {
    id = (await service.admin.post('talk', { title: 'Talk', level: 3 })).body._id
  })

  test('are told, and ignored as ever', async () => {
    const { admin } = service
    const listed = await admin.get('talk', 'project[titel]=1&choices=leval,level&counts=rooom')
    expect(ignored(listed)).toBe('project.titel (title?), choices.leval (level?), counts.rooom (room?)')
    expect(listed.status).toBe(200)
    expect(Object.keys(listed.body.choices)).toEqual(['level'])
    expect(listed.body.results[0].title).toBeUndefined()
    const read = await admin.get(`talk/${id}`, 'project[address.cty]=1&project[main.nota.remark]=1&project[links.0]=1')
    expect(ignored(read)).toBe('project.address.cty (city?), project.main.nota (note?), project.links.0')
    const related = 'project[_company.citty]=1&project[_company._fields.sinse]=1&project[_companie.title]=1'
    expect(ignored(await admin.get(`talk/${id}`, related))).toBe(
      'project._company.citty (city?), project._company._fields.sinse (since?), project._companie (_company?)',
    )
    expect(ignored(await service.anonymous.get('talk', 'project[titel]=1'))).toBeNull()
  })

  test('are told of writes, pages and their children, too', async () => {
    const { admin } = service
    expect(ignored(await admin.patch(`talk/${id}`, { level: 4 }, 'project[leval]=1'))).toBe('project.leval (level?)')
    expect(ignored(await admin.post('talk', { title: 'Other' }, 'project[leval]=1'))).toBe('project.leval (level?)')
    for (const path of ['@cms/page', '@cms/page/_home', '@cms/page/_home/children']) {
      expect([path, ignored(await admin.get(path, 'project[intra]=1&project[width]=1&project[_children]=1'))]).toEqual([
        path,
        'project.intra (intro?)',
      ])
    }
  })

  test('are none where they are known, or where the parameter is a field', async () => {
    for (const query of [...KNOWN, 'choices=level,_company,company&counts=state,room']) {
      expect([query, ignored(await service.admin.get('talk', query))]).toEqual([query, null])
    }
    expect(ignored(await service.admin.get('plan', 'project=x'))).toBeNull()
  })
})

describeService('§0.4 a strict site', { site: defineSite({ ...options, strict: true }), on }, (service) => {
  let id = ''
  beforeAll(async () => {
    id = (await service.admin.post('talk', { title: 'Talk', level: 3 })).body._id
  })

  test('refuses names of fields that nothing reads, with a suggestion', async () => {
    const { admin, anonymous } = service
    expect(refused(await admin.get('talk', 'project[titel]=1'))).toEqual([
      400,
      'project.titel: Nothing reads "titel"; did you mean "title"?',
    ])
    const { body } = await admin.get('talk', 'choices=leval&counts=rooom&project[address.cty]=0')
    expect(body.data.errors).toMatchObject([
      { path: 'project.address.cty', name: 'unknown' },
      { path: 'choices.leval', name: 'unknown' },
      { path: 'counts.rooom', name: 'unknown', message: 'Nothing reads "rooom"; did you mean "room"?' },
    ])
    expect(refused(await anonymous.get('talk', 'choices=leval'))).toEqual([
      400,
      'choices.leval: Nothing reads "leval"; did you mean "level"?',
    ])
    expect(refused(await admin.get('talk', 'sort[leval]=1'))).toEqual([400, expect.stringContaining('"level"')])
    expect(refused(await admin.get('talk', 'withRelationships=_companie'))).toEqual([
      400,
      expect.stringContaining('"_company"'),
    ])
    const where = encodeURIComponent('{"leval":1}')
    expect(refused(await admin.get('talk', `where=${where}`))).toEqual([400, expect.stringContaining('"level"')])
    expect(refused(await admin.get('@cms/documents', 'counts=stat'))).toEqual([400, expect.stringContaining('state')])
    expect(refused(await admin.get('@cms/documents', 'sort=titel'))).toEqual([400, expect.any(String)])
    expect((await admin.get('@cms/page/_home', 'project[intra]=1')).status).toBe(400)
  })

  test('and writes nothing then', async () => {
    const { admin } = service
    expect((await admin.patch(`talk/${id}`, { level: 9 }, 'project[leval]=1')).status).toBe(400)
    expect((await admin.post('talk', { title: 'New' }, 'project[leval]=1')).status).toBe(400)
    expect((await admin.get('talk')).body).toMatchObject({ total: 1, results: [{ level: 3 }] })
  })

  test('takes the known ones', async () => {
    for (const query of KNOWN) {
      expect([query, (await service.admin.get('talk', query)).status]).toEqual([query, 200])
      expect([query, (await service.admin.get(`talk/${id}`, query)).status]).toEqual([query, 200])
    }
    expect((await service.admin.get('talk', 'choices=level,company&counts=state')).status).toBe(200)
    expect(
      (await service.anonymous.get('talk', 'project[level]=1&project[_company.city]=1&choices=level')).status,
    ).toBe(200)
    expect((await service.admin.get('plan', 'project=x')).status).toBe(200)
  })

  test('treats hidden names as unknown ones, and never suggests them', async () => {
    const { editor, anonymous } = service
    const alike = async (caller: typeof editor, path: string, [hidden, close]: readonly [string, string]) => {
      const [one, other] = [await caller.get(path, hidden), await caller.get(path, close)]
      expect([hidden, one.status, other.status]).toEqual([hidden, 400, 400])
      expect(`${one.body.message} ${other.body.message}`).not.toContain('did you mean')
    }
    for (const names of [
      ['project[salary]=1', 'project[salry]=1'],
      ['choices=salary', 'choices=salry'],
      ['counts=salary', 'counts=salry'],
      ['project[address.safe]=1', 'project[address.saffe]=1'],
      ['project[_company.secret]=1', 'project[_company.secrit]=1'],
      ['project[_vaults.combination]=1', 'project[_vaults.combinatio]=1'],
    ] as const) {
      await alike(editor, 'talk', names)
      await alike(anonymous, 'talk', names)
    }
    for (const names of [
      ['project[room]=1', 'project[rooom]=1'],
      ['choices=room', 'choices=rooom'],
    ] as const) {
      await alike(anonymous, 'talk', names)
    }
    await alike(editor, '@cms/page/_home', ['project[secretIntro]=1', 'project[secretIntr]=1'])
    expect((await anonymous.get('vault', 'project[x]=1')).body).toEqual((await anonymous.get('vault')).body)
    expect((await anonymous.get('talk', 'counts=state')).status).toBe(401)
  })

  test('throws in code', async () => {
    const anonymous = service.app.context({ kind: 'anonymous' })
    const content = anonymous.as({ role: 'admin', name: 'Test' })
    const wrong = { project: { titel: 1 } } as never
    await expect(content.find('talk', wrong)).rejects.toThrow('did you mean "title"?')
    await expect(findPieces(anonymous, 'talk', wrong)).rejects.toThrow('did you mean "title"?')
    await expect(findPieces(anonymous, 'talk', { choices: 'leval' } as never)).rejects.toThrow('"level"')
  })
})
