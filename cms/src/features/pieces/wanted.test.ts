import { beforeAll, describe, expect, it } from 'vitest'
import { Dice } from '../../../test/dice.ts'
import { describeService, type Service } from '../../../test/service.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { defineSite, html, page, piece, widget } from '../../index.ts'

const speakers = { type: 'relationship', withType: 'speaker' } as const
const text = { type: 'string' } as const
const note = { note: text, _speakers: speakers } as const
const talk = {
  size: { type: 'integer' },
  address: { type: 'object', fields: { add: { city: text, zip: text, _guide: speakers } } },
  rows: { type: 'array', fields: { add: note } },
  body: { type: 'area', widgets: { quote: {}, plain: {}, '@cms/rich-text': {} } },
  _speakers: { ...speakers, fields: { add: { role: text, _mentor: speakers } } },
  _secrets: { type: 'relationship', withType: 'secret' },
  _hidden: { ...speakers, viewPermission: 'admin' },
} as const
const site = defineSite({
  widgets: [
    widget('quote', {
      fields: { add: note },
      render: ({ note, _speakers }) => html`<q>${note}, ${_speakers[0]?.title}</q>`,
    }),
    widget('plain', { fields: { add: { text } } }),
  ],
  types: [
    piece('secret', { viewRole: 'admin', fields: { add: { _cities: { type: 'relationship', withType: 'city' } } } }),
    piece('city', {
      publicApiProjection: ['title', '_twin'],
      fields: { add: { _twin: { type: 'relationship', withType: 'city' } } },
    }),
    piece('speaker', {
      publicApiProjection: ['title', 'bio', '_city', '_talks'],
      fields: {
        add: {
          bio: text,
          phone: text,
          address: { type: 'object', fields: { add: { city: text, zip: text } } },
          _city: { type: 'relationship', withType: 'city' },
          _talks: { type: 'relationshipReverse', withType: 'talk', reverseOf: '_speakers' },
        },
      },
    }),
    piece('talk', {
      publicApiProjection: ['title', 'address', 'body', '_speakers', '_secrets', '_hidden'],
      fields: { add: talk },
    }),
    page('talk-page', { fields: { add: talk } }),
  ],
})

const PEOPLE = ['Ann', 'Bob', 'Cid']

async function fill({ admin }: Service, talks: number): Promise<JsonObject> {
  const make = async (type: string, body: object) => (await admin.post(type, body)).body
  const rome = await make('city', { title: 'Rome' })
  const city = await make('city', { title: 'Bonn', _twin: [rome] })
  const made: JsonObject[] = []
  for (const title of PEOPLE) {
    const address = { city: 'c', zip: 'z' }
    made.push(await make('speaker', { title, bio: 'b', phone: '1', address, _city: [city] }))
  }
  const [ann, bob, cid] = made
  const secret = await make('secret', { title: 'Secret' })
  const values = {
    size: 1,
    address: { city: 'c', zip: 'z', _guide: [bob] },
    rows: [
      { note: 'n', _speakers: [ann] },
      { note: 'm', _speakers: [bob, cid] },
    ],
    body: {
      items: [
        { type: 'quote', note: 'q', _speakers: [cid] },
        { type: 'plain', text: 't' },
        { type: '@cms/rich-text', content: '<p>Text</p>' },
      ],
    },
    _speakers: [{ _id: ann?._id, _fields: { role: 'chair', _mentor: [bob] } }, { _id: bob?._id }],
    _secrets: [secret],
    _hidden: [ann],
  }
  for (let index = 0; index < talks; index += 1) await make('talk', { title: `Talk ${index}`, ...values })
  return make('@cms/page', { type: 'talk-page', title: 'Page', ...values, _targetId: '_home', _position: 'lastChild' })
}

const META = /^(_id|aposDocId|aposLocale|aposMode|type|metaType|_edit|_create|_publish|_delete|_docId)$/
const IN_TREE = /^(parked(Id)?|level|rank|path|_ancestors|_children|historicUrls)$/
type Kind = 'only' | 'except'
type Paths = readonly (readonly string[])[]

/** What a projection leaves of a whole answer, as its reader would cut it. */
function cut(holder: JsonObject, kind: Kind, paths: Paths): JsonObject {
  const kept: JsonObject = {}
  for (const [name, value] of Object.entries(holder)) {
    const isFields = name.endsWith('Fields')
    const own = name.replace(/^(.*)(Ids|Fields)$/, '_$1')
    const matching = name === '_fields' ? [] : paths.filter(([first]) => first === own)
    const isWhole = matching.some((path) => path.length === 1)
    const rest = isWhole && kind === 'only' ? [] : matching.map((path) => path.slice(1))
    if (META.test(name)) kept[name] = value
    else if (name === '_fields') kept[name] = cutFields(value, kind, paths)
    else if (kind === 'only' ? matching.length === 0 : isWhole) continue
    else if (rest.length === 0 || name.endsWith('Ids')) kept[name] = value
    else kept[name] = isFields ? mapped(value, (one) => cutFields(one, kind, rest)) : cutValue(value, kind, rest)
  }
  return kept
}

function cutFields(value: Json, kind: Kind, paths: Paths): Json {
  const inner = paths.filter(([first]) => first === '_fields').map((path) => path.slice(1))
  const isWhole = inner.length === 0 || (kind === 'only' && inner.some((path) => path.length === 0))
  return isWhole ? value : cut(value as JsonObject, kind, inner)
}

function cutValue(value: Json, kind: Kind, paths: Paths): Json {
  if (Array.isArray(value)) return value.map((one) => cut(one as JsonObject, kind, paths))
  if (typeof value !== 'object' || value === null) return value
  if (value.metaType !== 'area') return cut(value, kind, paths)
  return { ...value, items: (value.items as JsonObject[]).map((one) => cutWidget(one, kind, paths)) }
}

function cutWidget(widget: JsonObject, kind: Kind, paths: Paths): JsonObject {
  const matching = paths.filter(([first]) => first === widget.type)
  const isWhole = matching.some((path) => path.length === 1)
  if (kind === 'only' && isWhole) return widget
  return cut(widget, kind === 'except' && isWhole ? 'only' : kind, isWhole ? [] : matching.map((path) => path.slice(1)))
}

function mapped(value: Json, each: (one: Json) => Json): Json {
  return Object.fromEntries(Object.entries(value as JsonObject).map(([id, one]) => [id, each(one)]))
}

/** The paths that lead to filled relationships in an answer. */
function filled(value: Json, path: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => filled(one, path))
  if (typeof value !== 'object' || value === null) return []
  const widget = value.metaType === 'area' ? [] : value.metaType === 'widget' ? [String(value.type)] : []
  return Object.entries(value).flatMap(([name, one]) => {
    if (/Ids$|Fields$/.test(name) || IN_TREE.test(name)) return []
    const to = value.metaType === 'area' ? path : [...path, ...widget, name]
    const isRelationship = /^_[a-z]+s?$/.test(name) && Array.isArray(one)
    return [...(isRelationship ? [to.join('.')] : []), ...filled(one, to)]
  })
}

const PROJECTED = [
  ...['title', 'size', 'updatedAt', 'nothing', 'address', 'address.city', 'address.zip', 'address.none'],
  ...['address._guide', 'address._guide.title', 'address._guide.address.zip', 'rows', 'rows.note', 'rows._speakers'],
  ...['rows._speakers.bio', 'body', 'body.quote', 'body.quote.note', 'body.quote._speakers.title', 'body.plain'],
  ...['body.plain.text', 'body.none.text', '_speakers', '_speakers.title', '_speakers.bio', '_speakers.address.city'],
  ...['_speakers._city', '_speakers._city.title', '_speakers._talks.title', '_speakers._fields.role', '_secrets'],
  ...['_speakers._fields._mentor.title', '_secrets.title', '_hidden.title', 'constructor', '__x.y'],
]

const OPENED = [
  [],
  ['_speakers'],
  ['_speakers._city'],
  ['_speakers._city._twin', '_secrets'],
  ['_speakers._talks._speakers'],
  ['_speakers._fields._mentor', '_speakers._city'],
  ['address._guide', 'rows._speakers._city', 'body.quote._speakers'],
  ['body.quote._speakers._city._twin', '_speakers._talks.address._guide'],
]

/** A path, and all on its way that lead to relationships. */
const ways = (path: string) => {
  const steps = path.split('.')
  const all = steps.map((_, index) => steps.slice(0, index + 1))
  return all.filter((some) => /^_(?!fields)/.test(some.at(-1) ?? '')).map((some) => some.join('.'))
}

describeService('§4.1 only what is wanted', { site, isLong: true }, (service) => {
  let leaf: JsonObject = {}
  beforeAll(async () => {
    leaf = await fill(service, 3)
  })

  it('project leaves of an answer what it names, at any depth, or all but that', async () => {
    const dice = new Dice(7)
    const opened =
      'withRelationships=_speakers._city,_speakers._talks,_speakers._fields._mentor,address._guide,rows._speakers,body.quote._speakers'
    for (const who of ['anonymous', 'editor', 'admin'] as const) {
      // Anonymous callers see no rows of talks.
      const deep = who === 'anonymous' ? opened.replace(',rows._speakers', '') : opened
      const whole = (await service[who].get('talk', deep)).body.results
      for (let round = 0; round < 15; round += 1) {
        const names = dice.some(PROJECTED, 4)
        const flag = dice.below(2)
        if (names.length === 0) continue
        const query = `${deep}&${names.map((name) => `project[${name}]=${flag}`).join('&')}`
        const paths = names.map((name) => name.split('.'))
        const cutOf = (one: JsonObject) => cut(one, flag === 1 ? 'only' : 'except', paths)
        const { results } = (await service[who].get('talk', query)).body
        expect({ who, names, flag, results }).toEqual({ who, names, flag, results: whole.map(cutOf) })
        const { body } = await service[who].get(`talk/${whole[0].aposDocId}`, query)
        expect(body).toEqual(results[0])
      }
    }
  })

  it.each(OPENED.map((paths) => [paths.join(), paths] as const))(
    'withRelationships=%s fills in these and no others',
    async (value, paths) => {
      const wanted = [...new Set(paths.flatMap(ways))].toSorted()
      const { body } = await service.admin.get('talk', `withRelationships=${value}`)
      const { body: again } = await service.admin.get('talk', `withRelationships=${value}`)
      const { body: read } = await service.admin.get(
        `@cms/page/${leaf.aposDocId}`,
        paths.map((one) => `withRelationships[]=${one}`).join('&') || 'withRelationships=',
      )
      for (const one of [...body.results, read]) expect([...new Set(filled(one))].toSorted()).toEqual(wanted)
      expect(body.results[0].speakersIds).toHaveLength(2)
      expect(again).toEqual(body)
      const found = await service.app
        .context({ kind: 'anonymous' })
        .as({ role: 'admin', name: 'A test' })
        .find('talk', { withRelationships: paths })
      expect(found.results).toEqual(body.results)
    },
  )

  describe('bad paths', () => {
    const refused = async (who: 'anonymous' | 'editor' | 'admin', query: string, path = 'talk') => {
      const { status, body } = await service[who].get(path, query)
      expect({ query, status }).toEqual({ query, status: 400 })
      return String(body.message)
    }

    it.each(['talk', '@cms/page'])('hidden and unknown ones are refused alike: %s', async (path) => {
      const nothing = (name: string) => `withRelationships: ${name} leads to no relationship`
      for (const name of [
        '_hidden',
        '_nothing',
        '_secrets._cities',
        '_secrets._x',
        '_hidden._city',
        'title',
        'constructor',
        '__proto__',
        '_speakers.',
        'body.plain',
        'body.x._speakers',
        'address',
      ]) {
        expect(await refused('editor', `withRelationships=${name}`, path)).toContain(nothing(name))
      }
      expect((await service.admin.get(path, 'withRelationships=_hidden._city,_secrets._cities')).status).toBe(200)
    })

    it('names what is near, and is bounded', async () => {
      expect(await refused('editor', 'withRelationships=_speaker')).toContain('did you mean "_speakers"?')
      expect(await refused('editor', 'withRelationships=_speakers._talks._speakers._talks')).toContain(
        'at most 3 relationships',
      )
      expect(await refused('editor', 'withRelationships[a]=_speakers')).toContain('withRelationships takes names')
      expect(await refused('editor', `withRelationships=${'_speakers,'.repeat(60)}`)).toContain('at most 50 paths')
      expect(await refused('anonymous', `withRelationships=${'a.'.repeat(600)}`)).toContain('at most 1000 characters')
      expect(await refused('anonymous', `project[${'a.'.repeat(600)}]=1`)).toContain('at most 1000 characters')
      // Anonymous callers see no rows of talks, as if there were none.
      expect(await refused('anonymous', 'withRelationships=rows._speakers')).toContain('leads to no relationship')
    })
  })

  it('project[_id]=1 answers ids, in the order of the list, page by page, and of one document', async () => {
    const ids = ({ _id, aposDocId, aposLocale, aposMode, type, metaType }: JsonObject) => ({
      _id,
      aposDocId,
      aposLocale,
      aposMode,
      type,
      metaType,
    })
    for (const query of [
      '',
      'aposMode=draft',
      'sort=-title',
      'perPage=2&page=2',
      'search=talk',
      '_speakers.title=Ann',
      'size=7',
    ]) {
      const { body: whole } = await service.editor.get('talk', query)
      const { body } = await service.editor.get('talk', `${query}&project[_id]=1`)
      expect(body).toEqual({ ...whole, results: whole.results.map(ids) })
      for (const one of whole.results) {
        expect((await service.editor.get(`talk/${one._id}`, 'project[_id]=1')).body).toEqual(ids(one))
      }
    }
    const { body } = await service.editor.get('talk', 'project[_speakers._id]=1')
    expect(Object.keys(body.results[0]._speakers[0]).toSorted()).toEqual([
      '_fields',
      '_id',
      'aposDocId',
      'aposLocale',
      'aposMode',
      'metaType',
      'type',
    ])
  })

  it('rendered areas show what their templates show, whatever is wanted of widgets', async () => {
    const rendered = async (query: string) => (await service.editor.get('talk', `render-areas=1&${query}`)).body.results
    const [whole] = await rendered('')
    expect(whole.body._rendered).toContain('<q>q, Cid</q>')
    for (const query of [
      'project[body.plain]=1',
      'project[body.quote.note]=0',
      'withRelationships=',
      'project[_speakers.title]=1&project[body]=1',
    ]) {
      expect((await rendered(query))[0].body).toEqual(whole.body)
    }
  })

  it('answers are fresh after a change of any document that they show', async () => {
    const query = 'project[_speakers._city.title]=1&withRelationships=_speakers._city'
    const titles = async () => JSON.stringify((await service.anonymous.get('talk', query)).body.results[0]._speakers)
    expect(await titles()).toContain('"title":"Bonn"')
    const { results } = (await service.admin.get('city')).body
    const { aposDocId } = results.find(({ title }: JsonObject) => title === 'Bonn')
    await service.admin.patch(`city/${aposDocId}`, { title: 'Kiel' })
    expect(await titles()).toContain('"title":"Kiel"')
    await service.admin.post(`city/${aposDocId}/archive`)
    expect(await titles()).not.toContain('Kiel')
  })
})

describeService('§4.1 what it costs to want only this', { site, cacheBytes: 0, isLong: true }, (service) => {
  beforeAll(async () => {
    await fill(service, 40)
    await service.quiet()
  })

  let year = 1900
  const statements = async (perPage: number, query: string) => {
    const before = service.statements.length
    year += 1
    const answer = await service.editor.get('talk', `perPage=${perPage}&createdAt[min]=${year}-01-01&${query}`)
    expect(answer.body.results).toHaveLength(perPage)
    return service.statements.slice(before)
  }

  it.each([
    ['project[_id]=1', 0],
    ['withRelationships=', 1],
    ['withRelationships=_speakers', 2],
    ['withRelationships=_speakers._city', 3],
    ['withRelationships=_speakers._city,rows._speakers._city,body.quote._speakers', 3],
  ])('%s takes one statement for each type and level, for 2 and for 20', async (query, bodies) => {
    const [few, many] = [await statements(2, query), await statements(20, query)]
    const reading = (all: readonly string[]) => all.filter((sql) => /body/.test(sql)).length
    expect(many.length).toBe(few.length)
    expect([reading(few), reading(many)]).toEqual([bodies, bodies])
  })

  it('an answer has at most 1,000 related documents', async () => {
    const query = 'withRelationships=_speakers._talks'
    const few = await service.editor.get('talk', `${query}&perPage=5`)
    expect(few.status).toBe(200)
    const many = await service.editor.get('talk', `${query}&perPage=40`)
    expect(many).toMatchObject({
      status: 400,
      body: { name: 'invalid', message: expect.stringContaining('at most 1000 related documents') },
    })
    expect((await service.editor.get('talk', 'perPage=40&withRelationships=_speakers')).status).toBe(200)
  })
})
