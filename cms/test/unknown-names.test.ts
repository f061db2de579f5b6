import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Route, writes } from '../src/http/requests/route.ts'
import { defineSite, type Feature, findPieces, page, piece, route, widget } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { type Answer, describeService, type Service } from './service.ts'

const note = widget('note', { fields: { add: { remark: { type: 'string' } } } })
const company = piece('company', {
  publicApiProjection: ['title'],
  fields: { add: { secret: { type: 'string', viewPermission: 'admin' } } },
})
const talk = piece('talk', {
  publicApiProjection: ['title', 'slug', 'level', '_company'],
  scheduling: true,
  queries: {},
  fields: {
    add: {
      level: { type: 'integer' },
      salary: { type: 'integer', viewPermission: 'admin' },
      address: {
        type: 'object',
        fields: { add: { city: { type: 'string' }, safe: { type: 'string', viewPermission: 'admin' } } },
      },
      links: {
        type: 'array',
        fields: {
          add: { label: { type: 'string' }, items: { type: 'array', fields: { add: { word: { type: 'string' } } } } },
        },
      },
      main: { type: 'area', widgets: { note: {}, '@cms/rich-text': {} } },
      _company: { type: 'relationship', withType: 'company', fields: { add: { since: { type: 'integer' } } } },
    },
  },
})
const text = page('text', { publicApiProjection: ['title', 'slug'], fields: { add: { intro: { type: 'string' } } } })
const wide = page('wide', { fields: { add: { width: { type: 'integer' } } } })
const options = {
  types: [company, talk, text, wide],
  widgets: [note],
  pages: { publicApiProjection: ['title'] },
  webhooks: {},
} as const
const tolerant = defineSite(options)
const strict = defineSite({ ...options, strict: true })

const on = sampledDatabases('unknown names')
const ignored = ({ headers }: Answer) => headers.get('quire-ignored')
const messages = ({ status, body }: Answer) => [
  status,
  body.data?.errors?.map((one: { message: string }) => one.message),
]

async function versionsOf({ admin }: Service, docId: string) {
  const { results } = (await admin.get('@cms/document-versions', `docId=${docId}`)).body
  return [(await admin.get(`@cms/document-versions/${results.at(-1)._id}`)).body]
}

/** The routes of the interface that read names; all piece types have those of `talk`. */
function routesOf({ app }: Service): readonly Route[] {
  const isLikeTalk = (tag: string) => tag !== 'talk' && app.site.types.get(tag)?.family === 'piece'
  const isRead = ({ path, page, isRefused, ignoresQuery }: Route) =>
    path.startsWith('/api/v1/') && !page && !isRefused && !ignoresQuery && !path.includes('/url')
  return app.routes.filter((route) => isRead(route) && !isLikeTalk(route.tag))
}

const named = ({ method, path }: Route) => `${method} ${path}`
const hasNames = ({ documents, body }: Route) => documents !== undefined || body?.properties !== undefined

function send(
  service: Service,
  who: 'admin' | 'anonymous',
  { method, path }: Route,
  { query = '', body = {} }: { query?: string; body?: object },
): Promise<Answer> {
  const address = path.slice('/api/v1/'.length).replaceAll(/:\w+/g, (step) => STEPS[step] ?? 'none')
  const caller = service[who]
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return verb === 'get' || verb === 'delete' ? caller[verb](address, query) : caller[verb](address, body, query)
}

const STEPS: Readonly<Record<string, string>> = {
  ':locale': 'en',
  ':mode': 'published',
  ':toLocale': 'en',
  ':versionId': '0'.repeat(26),
}

describeService('§0.4 names that nothing reads', { site: tolerant, development: true, on }, (service) => {
  test('each route tells of them', async () => {
    const routes = routesOf(service)
    expect(routes.length).toBeGreaterThan(60)
    for (const route of routes) {
      service.logged.length = 0
      const told = hasNames(route) ? 'qwxzj, jzxwq' : 'qwxzj'
      const answer = await send(service, 'admin', route, { query: 'qwxzj=1', body: { jzxwq: 1 } })
      const log = service.logged.flatMap(({ data }) => ('ignored' in data ? data.ignored : []))
      expect([named(route), log]).toEqual([named(route), [told]])
      expect([named(route), ignored(answer)]).toEqual([named(route), answer.status < 400 ? told : null])
      if (route.method !== 'GET') continue
      expect(ignored(await send(service, 'anonymous', route, { query: 'qwxzj=1' }))).toBeNull()
    }
  })

  test('with a suggestion, and at most ten', async () => {
    const { admin } = service
    expect(ignored(await admin.get('talk', 'leval=1&pageSize=3&title=x&_companie=a'))).toBe(
      'leval (level?), pageSize, _companie (_company?)',
    )
    const many = Array.from({ length: 20 }, (_, index) => `name${index}zzzzzz=1`).join('&')
    expect(ignored(await admin.get('talk', many))?.split(', ')).toHaveLength(10)
    const hostile = encodeURIComponent(`${'é'.repeat(70)}\r\n(,)`)
    expect(ignored(await admin.get('talk', `${hostile}=1`))).toMatch(/^(%C3%A9)+$/)
    expect(ignored(await admin.get('talk', 'a%0D%0AX-Evil:1=1&(b)=2'))).toBe('a%0D%0AX-Evil%3A1, %28b%29')
  })

  test('every form of a known name is known', async () => {
    const known = [
      'page=1&perPage=2&search=a&sort=title&project[title]=1&choices=level&counts=level&render-areas=1&archived=any',
      'aposLocale=en&aposMode=draft&apikey=key-admin&autocomplete=a&_ids[]=x',
      '_company=x&company=x&_companyAnd=x&companyAnd=x&level[$gte]=1&level[min]=1&createdAt[min]=2020-01-01&_company.title=a',
      'where={"level":1}',
      'utm_source=a&fbclid=b&gclid=c&_=1&headless=true&published=1&aposRefresh=1',
    ]
    for (const query of known) expect([query, ignored(await service.admin.get('talk', query))]).toEqual([query, null])
    expect(ignored(await service.admin.get('@cms/page', 'all=1&flat=1&published=1'))).toBeNull()
    const posted = await service.admin.post('talk', { __aposGetWithQuery: { leval: 1, level: 2 } })
    expect(ignored(posted)).toBe('leval (level?)')
  })

  test('at any depth of a body', async () => {
    const acme = (await service.admin.post('company', { title: 'Acme' })).body.aposDocId
    const body = {
      title: 'Deep',
      speaker: 'x',
      address: { city: 'Ulm', cty: 'Ulm' },
      links: [{ label: 'a', lable: 'b', items: [{ wrod: 'x' }] }],
      main: { itms: [], items: [{ type: 'note', remark: 'x', remrk: 'y' }] },
      _company: [{ _id: acme, title: 'x', whatever: 1, _fields: { sinc: 1 } }],
    }
    const answer = await service.admin.post('talk', body)
    expect(answer.body).toMatchObject({ title: 'Deep' })
    const told = ignored(answer)?.replace(acme, 'ID')
    expect(told).toBe(
      'speaker, address.cty (city?), links.0.lable (label?), links.0.items.0.wrod (word?), main.itms (items?), main.0.remrk (remark?), _company.ID.sinc (since?)',
    )
  })

  test('in a patch, with paths and operators', async () => {
    const { admin } = service
    const made = (
      await admin.post('talk', {
        title: 'Patched',
        links: [{ _id: 'one', label: 'a' }],
        main: '',
        address: { city: 'x' },
      })
    ).body
    const patched = async (body: object) => ignored(await admin.patch(`talk/${made._id}`, body))
    expect(
      await patched({ 'address.cty': 'Bonn', 'links.0.lable': 'b', '@one.label': 'c', 'links.@one.items': [] }),
    ).toBe('address.cty (city?), links.0.lable (label?)')
    expect(await patched({ '@one.lable': 'c' })).toBe('@one.lable (label?)')
    expect(await patched({ $push: { links: { label: 'd', lable: 'e' } }, leval: 2 })).toBe(
      'links.0.lable (label?), leval (level?)',
    )
    expect(await patched({ $push: { links: { $each: [{ lable: 'f' }], $position: 0 } } })).toBe(
      'links.0.lable (label?)',
    )
    expect(await patched({ $push: { 'links.@one.items': { word: 'd' } }, level: 3, _autosave: true })).toBeNull()
    expect(await patched({ _patches: [{ titel: 'x' }], $pullAllById: { links: ['one'] } })).toBe('titel (title?)')
    expect(await patched({ companyIds: [], companyFields: {}, 'main.items': [{ type: 'note', remrk: 1 }] })).toBe(
      'main.items.0.remrk (remark?)',
    )
  })

  test('documents are sent back as they were read', async () => {
    const { admin } = service
    const related = (await admin.post('company', { title: 'Acme' })).body
    const whole = {
      title: 'Whole',
      level: 1,
      address: { city: 'a' },
      links: [{ label: 'b' }],
      main: {
        items: [
          { type: 'note', remark: 'x' },
          { type: '@cms/rich-text', content: '<p>x</p>' },
        ],
      },
    }
    const piece = (await admin.post('talk', { ...whole, _company: [{ ...related, _fields: { since: 1 } }] })).body
    for (const query of ['', 'render-areas=1', 'aposMode=draft']) {
      const read = (await admin.get(`talk/${piece._id}`, query)).body
      const saved = await admin.put(`talk/${piece._id}`, read)
      expect([saved.status, ignored(saved)]).toEqual([200, null])
      expect(ignored(await admin.patch(`talk/${piece._id}`, saved.body))).toBeNull()
    }
    const made = await admin.post('@cms/page', {
      type: 'text',
      title: 'P',
      intro: 'x',
      _targetId: '_home',
      _position: 'lastChild',
    })
    expect(ignored(made)).toBeNull()
    expect(
      ignored(await admin.put(`@cms/page/${made.body._id}`, (await admin.get(`@cms/page/${made.body._id}`)).body)),
    ).toBeNull()
    const [{ _id, doc }] = await versionsOf(service, piece.aposDocId)
    expect(ignored(await admin.put(`talk/${piece._id}`, { ...doc, _restoreVersion: _id }, 'aposMode=draft'))).toBeNull()
    const globals = (await admin.get('@cms/global')).body.results[0]
    expect(ignored(await admin.put(`@cms/global/${globals._id}`, globals))).toBeNull()
  })

  test('a page is compared with its type, or with all where it names none', async () => {
    const { admin } = service
    const place = { title: 'P', _targetId: '_home', _position: 'lastChild' }
    const made = await admin.post('@cms/page', { ...place, type: 'text', width: 3, _targetID: 'x' })
    expect(ignored(made)).toBe('width, _targetID (_targetId?)')
    expect(ignored(await admin.patch(`@cms/page/${made.body._id}`, { width: 3, wdth: 3 }))).toBe('wdth (width?)')
  })

  test('what the caller may not see is told like what there is not', async () => {
    const { editor, admin } = service
    const query = 'salary=1&_company.secret=1'
    const told = (name: string) => ({ salary: name, address: { city: 'x', safe: name }, links: [] })
    expect(ignored(await admin.get('talk', 'salary=1'))).toBeNull()
    expect(ignored(await editor.get('talk', 'salary=1&salry=1&zalaryx=1'))).toBe('salary, salry, zalaryx')
    expect((await editor.get('talk', query)).status).toBe(
      (await editor.get('talk', query.replace('secret', 'sikret'))).status,
    )
    expect(ignored(await admin.post('talk', { title: 'a', ...told('x'), salary: 1 }))).toBeNull()
    expect(ignored(await editor.post('talk', { title: 'b', ...told('x') }))).toBe('salary, address.safe')
    expect(ignored(await editor.post('talk', { title: 'c', salry: 1, address: { saef: 1 } }))).toBe(
      'salry, address.saef',
    )
  })

  test('in process, by the log', async () => {
    const content = service.app.context({ kind: 'anonymous' }).as({ role: 'admin', name: 'Test' })
    service.logged.length = 0
    await content.find('talk', { leval: 1 })
    await content.insertMany('talk', [{ title: 'x', leval: 1 } as never])
    await findPieces(service.app.context({ kind: 'anonymous' }), 'talk', { leval: 1 })
    expect(service.logged.filter(({ data }) => 'ignored' in data).map(({ data }) => data)).toEqual(
      Array(3).fill({ ignored: 'leval (level?)' }),
    )
  })
})

describeService('§0.4 a strict site', { site: strict, on }, (service) => {
  test('each route refuses unknown names, for everybody whom it does not refuse anyway', async () => {
    let refusedToAll = 0
    for (const route of routesOf(service)) {
      const told = hasNames(route) ? ['Nothing reads "qwxzj".', 'Nothing reads "jzxwq".'] : ['Nothing reads "qwxzj".']
      const answer = await send(service, 'admin', route, { query: 'qwxzj=1', body: { jzxwq: 1 } })
      expect([named(route), messages(answer)]).toEqual([named(route), [400, told]])
      const { status, body } = await send(service, 'anonymous', route, { query: 'qwxzj=1' })
      expect([named(route), [400, 401, 403, 404].includes(status)]).toEqual([named(route), true])
      if (status === 400 && body.data.errors?.[0]?.name === 'unknown') refusedToAll += 1
    }
    expect(refusedToAll).toBeGreaterThan(10)
    expect(routesOf(service).filter((route) => writes(route) && hasNames(route)).length).toBeGreaterThan(15)
  })

  test('with suggestions, and writes nothing', async () => {
    const { admin, anonymous } = service
    const answer = await admin.post('talk', { title: 'Strict', speaker: 1, address: { cty: 'x' } })
    expect(answer.body).toMatchObject({
      name: 'invalid',
      message: 'Nothing reads "speaker". address.cty: Nothing reads "cty"; did you mean "city"?',
      data: {
        errors: [
          { path: 'speaker', name: 'unknown' },
          { path: 'address.cty', name: 'unknown' },
        ],
      },
    })
    expect((await admin.get('talk')).body.total).toBe(0)
    expect(messages(await anonymous.get('talk', 'leval=1'))).toEqual([
      400,
      ['Nothing reads "leval"; did you mean "level"?'],
    ])
    expect((await anonymous.get('talk', 'utm_campaign=1&fbclid=1&level=1&_=2')).status).toBe(200)
    expect(messages(await anonymous.get('talk', 'salry=1'))).toEqual([400, ['Nothing reads "salry".']])
  })

  test('hides types as before, and lets visitors append to the addresses of pages', async () => {
    const { anonymous } = service
    expect((await anonymous.get('@cms/user', 'qwxzj=1')).body).toEqual((await anonymous.get('@cms/user')).body)
    const home = await fetch(`${service.address}/?qwxzj=1`)
    expect(home.status).not.toBe(400)
  })

  test('code throws', async () => {
    const content = service.app.context({ kind: 'anonymous' }).as({ role: 'admin', name: 'Test' })
    await expect(content.find('talk', { leval: 1 })).rejects.toThrow('did you mean "level"?')
    await expect(content.insert('talk', { title: 'x', leval: 1 } as never)).rejects.toThrow('did you mean "level"?')
    await expect(content.insertMany('talk', [{ title: 'x', leval: 1 } as never])).rejects.toThrow('did you mean')
    await expect(findPieces(service.app.context({ kind: 'anonymous' }), 'talk', { leval: 1 })).rejects.toThrow(
      '"level"',
    )
    expect(await content.count('talk')).toBe(0)
  })
})

const ownRoutes = [
  { path: 'closed', query: z.object({ size: z.string().optional() }), body: z.object({ stars: z.int() }) },
  { path: 'open', query: z.looseObject({}), body: z.looseObject({ stars: z.int() }) },
  { path: 'undeclared' },
].map(({ path, ...names }) =>
  route({
    ...names,
    method: 'POST',
    path: `/api/v1/own/${path}`,
    summary: path,
    tag: 'own',
    operationId: `own.${path}`,
    answer: {},
    handle: async () => ({}),
  }),
)
const own: Feature = {
  name: 'own',
  routes: () => ownRoutes,
  hooks: {
    present: (document) => {
      document._made = 1
    },
  },
}

describeService(
  '§0.4 a site with code of its own',
  { site: defineSite({ ...options, features: [own] }), on },
  (service) => {
    test('its routes are told of as they are declared', async () => {
      const sent = async (path: string) =>
        ignored(await service.editor.post(`own/${path}`, { stars: 1, star: 2 }, 'syze=1'))
      expect(await sent('closed')).toBe('syze (size?), star (stars?)')
      expect([await sent('open'), await sent('undeclared')]).toEqual([null, null])
    })

    test('what its hooks add to documents can be sent back', async () => {
      const { body } = await service.editor.post('talk', { title: 'Made' })
      expect(body._made).toBe(1)
      expect(ignored(await service.editor.put(`talk/${body._id}`, { ...body, qwxzj: 1 }))).toBe('qwxzj')
    })

    test('tell known callers of the names of their own query', async () => {
      const { editor, anonymous } = service
      for (const _ of [1, 2, 3]) {
        expect(ignored(await editor.get('talk', 'leval=1'))).toBe('leval (level?)')
        expect(ignored(await anonymous.get('talk', 'leval=1'))).toBeNull()
        expect(ignored(await editor.get('talk', 'level=1'))).toBeNull()
      }
      expect(service.logged.filter(({ data }) => 'ignored' in data)).toEqual([])
    })

    test('the OpenAPI document describes the header for those who get it', async () => {
      for (const [who, has] of [
        ['editor', true],
        ['anonymous', false],
      ] as const) {
        const { paths, components } = (await service[who].get('openapi.json')).body
        expect(paths['/api/v1/talk'].get.responses[200].headers?.['Quire-Ignored'] !== undefined).toBe(has)
        expect(components.headers?.Ignored !== undefined).toBe(has)
      }
    })
  },
)
