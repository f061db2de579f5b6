import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const titles = ({ body }: Answer) => body.results.map((one: { title: string }) => one.title).join(' ')

describeService('§4.1 GET list', {}, (service) => {
  const id: Record<string, string> = {}
  const bare = (name: string) => (id[name] ?? '').split(':')[0] ?? ''

  beforeAll(async () => {
    for (let index = 1; index <= 12; index += 1) {
      const title = `t${String(index).padStart(2, '0')}`
      const body = { title, sku: title, price: index, color: 'red', ...(index > 9 ? { qty: 13 - index } : {}) }
      id[title] = (await service.editor.post('product', body)).body._id
    }
    const other = { sku: 'x', price: 99, color: 'blue' }
    id.hidden = (
      await service.editor.post('product', { ...other, title: 'hidden', visibility: 'loginRequired' })
    ).body._id
    id.draft = (await service.editor.post('product', { ...other, title: 'draft' }, 'aposMode=draft')).body._id
    id.archived = (await service.editor.post('product', { ...other, title: 'archived' })).body._id
    expect((await service.editor.post(`product/${id.archived}/archive`)).body.message).toBe(undefined)
    id.french = (await service.editor.post('product', { ...other, title: 'french' }, 'aposLocale=fr')).body._id
    id.italian = (await service.editor.post('product', { ...other, title: 'italian' }, 'aposLocale=it')).body._id
    await service.editor.patch(`product/${bare('t01')}`, { title: 't01-draft', price: 500 }, 'aposMode=draft')
  })

  describe('§4.1 pages', () => {
    it.each([
      ['', { pages: 2, currentPage: 1, total: 12 }, 't01 t02 t03 t04 t05 t06 t07 t08 t09 t10'],
      ['page=2', { pages: 2, currentPage: 2, total: 12 }, 't11 t12'],
      ['page=3', { pages: 2, currentPage: 3, total: 12 }, ''],
      ['page=999999999', { pages: 2, currentPage: 999999999, total: 12 }, ''],
      ['perPage=5&page=3', { pages: 3, currentPage: 3, total: 12 }, 't11 t12'],
      ['perPage=6&page=2', { pages: 2, currentPage: 2, total: 12 }, 't07 t08 t09 t10 t11 t12'],
      ['perPage=500', { pages: 1, currentPage: 1, total: 12 }, 't01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12'],
      ['sku=none', { pages: 0, currentPage: 1, total: 0 }, ''],
      ['sku=none&page=4', { pages: 0, currentPage: 4, total: 0 }, ''],
      ['perPage=1&page=12', { pages: 12, currentPage: 12, total: 12 }, 't12'],
      ['skip=3&limit=1', { pages: 2, currentPage: 1, total: 12 }, 't01 t02 t03 t04 t05 t06 t07 t08 t09 t10'],
    ])('§4.1 "%s"', async (query, expected, expectedTitles) => {
      const answer = await service.anonymous.get('product', query)
      expect(answer.status).toBe(200)
      const { pages, currentPage, total } = answer.body
      expect({ pages, currentPage, total }).toEqual(expected)
      expect(titles(answer)).toBe(expectedTitles)
    })

    it.each([
      ...['0', '-1', '1.5', 'x', '', '1e3', '٣', '9007199254740993000', 'NaN'].map((value) => `page=${value}`),
      ...['0', '-1', '501', '2.5', 'all', 'Infinity'].map((value) => `perPage=${value}`),
      'page=1&page=2',
      'page[]=1',
      'page[a]=1',
      'perPage[]=1',
      'search[]=a',
      'search[a]=b',
      'autocomplete[]=a',
      'choices[]=sku',
      'counts[a]=sku',
      'project=title',
      'project[]=title',
      'project[title]=maybe',
      '_ids[a]=b',
      '_ids[][a]=b',
      'aposLocale=xx',
      'aposLocale=en:xx',
      'aposLocale=en:draft:x',
      'aposLocale[]=en',
      'aposMode=live',
      'aposMode[]=draft',
      'sort=nonsense',
      'sort=-nonsense',
      'sort[title]=2',
      'sort[title]=asc',
      'sort[title]=',
      'sort[title][]=1',
      'sort[]=title',
      'sort=secretNote',
      'sort[qty]=1',
      'sort=updatedAt',
      'sort=_topics',
      'sort=topics',
      'sort=archived',
      'sort=constructor',
      'sort[__proto__]=1',
      'sort[][__proto__]=1',
      '%zz=1',
    ])('§0.4 %s is malformed, so it is refused', async (query) => {
      const { status, body } = await service.anonymous.get('product', query)
      expect({ status, name: body.name }).toEqual({ status: 400, name: 'invalid' })
    })

    it('§4.1 a hidden field and an unknown one cannot be sorted by in the same words', async () => {
      const hidden = await service.anonymous.get('product', 'sort=secretNote')
      const unknown = await service.anonymous.get('product', 'sort=secretnote')
      expect(hidden.body.message.replace('secretNote', 'secretnote')).toBe(unknown.body.message)
    })

    it('§4.1 a misspelled field is told with one that the caller may sort by', async () => {
      const messageFor = async (caller: Caller, sort: string) =>
        (await caller.get('product', `sort=${sort}`)).body.message
      expect(await messageFor(service.anonymous, 'titel')).toMatch(/by "titel"; did you mean "title"\?$/)
      expect(await messageFor(service.admin, '-secretNot')).toMatch(/did you mean "secretNote"\?$/)
      expect(await messageFor(service.anonymous, 'secretNot')).not.toContain('secretNote')
    })
  })

  describe('§4.1 _ids[]', () => {
    const list = async (ids: readonly string[], query = '', as: Caller = service.anonymous) => {
      const answer = await as.get('product', `${ids.map((one) => `_ids[]=${one}`).join('&')}${query}`)
      expect(answer.status).toBe(200)
      return answer
    }

    it('come back in the order given, each once', async () => {
      const answer = await list(['t05', 't02', 't09', 't02'].map((name) => id[name] ?? ''))
      expect(titles(answer)).toBe('t05 t02 t09')
      expect(answer.body).toMatchObject({ pages: 1, currentPage: 1, total: 3 })
    })

    it('§2.10 bare ids and full ones of both modes and other locales', async () => {
      expect(titles(await list([bare('t03'), id.t01 ?? '']))).toBe('t03 t01')
      expect(titles(await list([`${bare('t01')}:en:draft`], '', service.editor))).toBe('t01-draft')
      expect(titles(await list([`${bare('t01')}:en:draft`, bare('t02')], '', service.editor))).toBe('t01-draft t02')
      expect(titles(await list([`${bare('t01')}:en:draft`], '&aposMode=published', service.editor))).toBe('t01')
      expect(titles(await list([`${bare('t01')}:fr:draft`], '&aposMode=published&aposLocale=en'))).toBe('t01')
      expect(titles(await list([id.french ?? '']))).toBe('french')
      expect(titles(await list([bare('french')]))).toBe('')
      expect(titles(await list([bare('french')], '&aposLocale=fr'))).toBe('french')
      expect(titles(await list([id.t01 ?? '', id.french ?? '']))).toBe('t01')
    })

    it('unknown, hidden, archived and foreign ids are left out', async () => {
      const unseen = ['hidden', 'archived', 'italian'].map((name) => id[name] ?? '')
      const odd = ['no-such', 'a:b', 'a:b:c:d', '', '%00', '../x', bare('draft')]
      const answer = await list([...odd, ...unseen, id.t04 ?? '', ...odd])
      expect(titles(answer)).toBe('t04')
      expect(answer.body).toMatchObject({ pages: 1, total: 1 })
      expect((await list(['no-such'])).body).toMatchObject({ pages: 0, total: 0, results: [] })
      expect(titles(await list([id.hidden ?? '', id.t01 ?? ''], '', service.guest))).toBe('hidden t01')
    })

    it('§4.5 a full id of a private locale opens nothing to anonymous callers', async () => {
      expect((await list([id.italian ?? ''])).body).toMatchObject({ results: [], total: 0 })
      expect(titles(await list([id.italian ?? ''], '', service.guest))).toBe('italian')
    })

    it('§5.3 a full id of a draft is a draft: 401 for anonymous callers, 403 for guests', async () => {
      const query = `_ids[]=${bare('t01')}:en:draft`
      expect((await service.anonymous.get('product', query)).status).toBe(401)
      expect((await service.guest.get('product', query)).status).toBe(403)
    })

    it('go with pages, filters, sorting and searching', async () => {
      const ids = ['t05', 't02', 't09'].map((name) => id[name] ?? '')
      expect(titles(await list(ids, '&perPage=2'))).toBe('t05 t02')
      expect(titles(await list(ids, '&perPage=2&page=2'))).toBe('t09')
      expect(titles(await list(ids, '&price[min]=5'))).toBe('t05 t09')
      expect(titles(await list(ids, '&sort=-price'))).toBe('t05 t02 t09')
      expect(titles(await list(ids, '&sort=-price&search=t02'))).toBe('t02')
      expect((await service.anonymous.get('product', `_ids[]=${ids[0]}&sort=nonsense`)).body.name).toBe('invalid')
      expect((await list(ids, '&price[min]=5')).body.total).toBe(2)
      expect(titles(await list(ids, '&autocomplete=t'))).toBe('t05 t02 t09')
      expect(titles(await list(ids, '&search=t02'))).toBe('t02')
    })

    it('§0.5 500 are taken, 501 are not', async () => {
      const many = Array.from({ length: 499 }, (_, index) => `x${index}`)
      expect(titles(await list([...many, bare('t01')]))).toBe('t01')
      const more = [...many, 'y', 'z'].map((one) => `_ids[]=${one}`).join('&')
      expect((await service.anonymous.get('product', more)).body.name).toBe('invalid')
    })
  })

  describe('§4.1 sort', () => {
    const all = 't01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12'
    const down = all.split(' ').toReversed().join(' ')
    it.each([
      ['', all],
      ['sort=', all],
      ['sort[price]=-1', down],
      ['sort=-price', down],
      ['sort=price', all],
      ['sort[price]=1', all],
      ['sort=-title', down],
      ['sort[slug]=-1', down],
      ['sort[color]=1&sort[title]=-1', down],
      ['sort[color]=-1&sort[price]=1', all],
      ['sort=-price&price[max]=3', 't03 t02 t01'],
    ])('§4.1 "%s"', async (query, expected) => {
      expect(titles(await service.anonymous.get('product', `${query}&perPage=50`))).toBe(expected)
    })

    it('documents without a value come last in both directions', async () => {
      const sorted = async (query: string) =>
        titles(await service.editor.get('product', `${query}&color=red&perPage=50`))
      expect(await sorted('sort=qty')).toMatch(/^t12 t11 t10 t0\d( t0\d){8}$/)
      expect(await sorted('sort=-qty')).toMatch(/^t10 t11 t12 t0\d( t0\d){8}$/)
      expect(await sorted('sort[qty]=1&sort[price]=-1')).toBe('t12 t11 t10 t09 t08 t07 t06 t05 t04 t03 t02 t01')
      expect(await sorted('sort[qty]=-1&sort[price]=1')).toBe('t10 t11 t12 t01 t02 t03 t04 t05 t06 t07 t08 t09')
      const pages = await Promise.all(
        [1, 2, 3].map((page) => service.editor.get('product', `sort=qty&color=red&perPage=4&page=${page}`)),
      )
      expect(new Set(pages.flatMap((page) => titles(page).split(' '))).size).toBe(12)
    })

    it('sorts by createdAt and updatedAt for callers who see them', async () => {
      expect(titles(await service.editor.get('product', 'sort=createdAt&color=red&perPage=3'))).toBe('t01 t02 t03')
      expect(titles(await service.editor.get('product', 'sort=-updatedAt&color=red&perPage=3'))).toBe('t12 t11 t10')
    })
  })

  describe('§4.1 modes and locales', () => {
    it.each([
      ['aposMode=draft', 401, 403],
      ['aposLocale=en:draft', 401, 403],
      ['aposLocale=it', 404, 200],
      ['aposLocale=it:published', 404, 200],
      ['aposLocale=fr:published', 200, 200],
      ['aposMode=published', 200, 200],
    ])('§5.3 %s: %i for anonymous callers, %i for guests, 200 for contributors', async (query, anonymous, guest) => {
      expect((await service.anonymous.get('product', query)).status).toBe(anonymous)
      expect((await service.guest.get('product', query)).status).toBe(guest)
      expect((await service.contributor.get('product', query)).status).toBe(200)
    })

    it('§5.3 drafts are refused before anything is looked up, of types that are not public too', async () => {
      expect((await service.anonymous.get('article', 'aposMode=draft')).status).toBe(401)
      expect((await service.guest.get('article', 'aposMode=draft')).status).toBe(403)
      expect((await service.anonymous.get('article')).status).toBe(404)
    })

    it('drafts are listed with their own values', async () => {
      const drafts = await service.contributor.get('product', 'aposMode=draft&price[min]=98&sort=title')
      expect(titles(drafts)).toBe('draft hidden t01-draft')
      expect(drafts.body.results[0]).toMatchObject({ aposMode: 'draft', aposLocale: 'en:draft', modified: true })
      expect(titles(await service.contributor.get('product', 'price[min]=98&sort=title'))).toBe('hidden')
    })

    it('§4.5 the locale comes from the path, and the query outweighs it', async () => {
      // biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
      const at = async (path: string): Promise<any> => (await fetch(`${service.address}${path}`)).json()
      expect((await at('/fr/api/v1/product')).results[0].aposLocale).toBe('fr:published')
      expect((await at('/fr/api/v1/product?aposLocale=en')).total).toBe(12)
      expect((await at('/api/v1/product?aposLocale=fr:published')).results[0].title).toBe('french')
      expect((await at('/it/api/v1/product')).name).toBe('notfound')
      expect((await at('/de/api/v1/product')).total).toBe(0)
      const draft = await service.editor.get('product', 'aposLocale=fr:draft')
      expect(draft.body.results[0]._id).toBe(`${bare('french')}:fr:draft`)
    })

    it('§3 archived ones are found by those who may edit, for all others the parameter does not exist', async () => {
      const listed = async (as: Caller, query: string) =>
        titles(await as.get('product', `${query}&color=blue&sort=title`))
      expect(await listed(service.editor, 'archived=true')).toBe('archived')
      expect(await listed(service.contributor, 'archived=1')).toBe('archived')
      expect(await listed(service.editor, 'archived=any')).toBe('archived hidden')
      expect(await listed(service.editor, 'archived=false')).toBe('hidden')
      expect(await listed(service.guest, 'archived=true')).toBe('hidden')
      expect(await listed(service.anonymous, 'archived=true')).toBe('')
      expect((await service.anonymous.get('product', 'archived=any')).body.total).toBe(12)
      expect((await service.anonymous.get('product', 'archived=nonsense')).body.total).toBe(12)
    })
  })

  describe('§4.1 project', () => {
    const ALWAYS = ['_id', 'aposDocId', 'aposLocale', 'aposMode', 'metaType', 'type']
    const names = async (as: Caller, query: string) => {
      const { body } = await as.get('product', `${query}&perPage=1`)
      return Object.keys(body.results[0]).filter(
        (name) => !ALWAYS.includes(name) && !/^_(edit|create|publish|delete)$/.test(name),
      )
    }

    it('narrows, and only narrows', async () => {
      expect(await names(service.anonymous, 'project[title]=1&project[price]=1')).toEqual(['title', 'price'])
      expect(await names(service.anonymous, 'project[qty]=1&project[sku]=true')).toEqual(['sku'])
      expect(await names(service.anonymous, 'project[secretNote]=1')).toEqual([])
      expect(await names(service.anonymous, 'project[updatedAt]=1&project[updatedBy]=1')).toEqual([])
      expect(await names(service.contributor, 'project[secretNote]=1&project[qty]=1')).toEqual(['qty'])
      expect(await names(service.editor, 'project[secretNote]=1&project[updatedAt]=1')).toEqual([
        'secretNote',
        'updatedAt',
      ])
      expect(await names(service.anonymous, 'project[nonsense]=1&project[constructor]=1')).toEqual([])
      // A name with dots is that of the field it begins with.
      expect(await names(service.anonymous, 'project[title.x]=1&project[price.amount.deep]=1')).toEqual([
        'title',
        'price',
      ])
      expect(await names(service.anonymous, 'project[secretNote.x]=1&project[.title]=1')).toEqual([])
      expect((await names(service.anonymous, 'project[_topics]=1')).toSorted()).toEqual([
        '_topics',
        'topicsFields',
        'topicsIds',
      ])
    })

    it('leaves out fields with 0', async () => {
      const whole = await names(service.anonymous, '')
      expect(await names(service.anonymous, 'project[title]=0')).toEqual(whole.filter((name) => name !== 'title'))
      expect(await names(service.anonymous, 'project[_topics]=0')).toEqual(whole.filter((name) => !/topics/.test(name)))
    })
  })
})

/** A field wins over a parameter of the same name (§0.4). */
const rivals = defineSite({
  name: 'Rivals',
  locales: { en: { label: 'English' } },
  types: [
    piece('room', {
      publicApiProjection: ['title', 'page', 'perPage', 'search', 'sort', 'project'],
      fields: {
        add: {
          page: { type: 'integer' },
          perPage: { type: 'integer' },
          search: { type: 'string' },
          sort: { type: 'string' },
          project: { type: 'string' },
          choices: { type: 'string' },
        },
      },
    }),
  ],
})

describeService('§0.4 a field wins over a parameter of its name', { site: rivals, isLong: true }, (service) => {
  beforeAll(async () => {
    const { editor } = service
    await editor.post('room', {
      title: 'a',
      page: 7,
      perPage: 900,
      search: 'old',
      sort: 'wide',
      project: 'x',
      choices: 'c',
    })
    await editor.post('room', {
      title: 'b',
      page: 8,
      perPage: 1,
      search: 'new',
      sort: 'deep',
      project: 'y',
      choices: 'd',
    })
  })

  it.each([
    ['page=7', 'a'],
    ['page=-1', ''],
    ['page[min]=8', 'b'],
    ['perPage=900', 'a'],
    ['search=OLD', 'a'],
    ['search=a', ''],
    ['sort=deep', 'b'],
    ['project=y', 'b'],
  ])('§0.4 %s finds "%s"', async (query, expected) => {
    const answer = await service.anonymous.get('room', query)
    expect(titles(answer)).toBe(expected)
    expect(answer.body.currentPage).toBe(1)
  })

  it('a hidden field does not shadow the built-in parameter of its name', async () => {
    const anonymous = await service.anonymous.get('room', 'choices=page')
    expect(anonymous.body.choices.page.map((one: { value: number }) => one.value)).toEqual([7, 8])
    expect(titles(await service.editor.get('room', 'choices=c'))).toBe('a')
    const [one] = (await service.editor.get('room')).body.results
    expect((await service.anonymous.get(`room/${one._id}`, 'project=y')).status).toBe(200)
  })
})

const levels = defineSite({
  name: 'Levels',
  locales: { en: { label: 'English' } },
  types: [
    piece('city', {}),
    piece('writer', { fields: { add: { _city: { type: 'relationship', withType: 'city' } } } }),
    piece('book', { fields: { add: { _writers: { type: 'relationship', withType: 'writer' } } } }),
    piece('shelf', {
      fields: { add: { _writers: { type: 'relationship', withType: 'writer', withRelationships: ['_city'] } } },
    }),
  ],
})

describeService('§4.1 what a list costs', { site: levels, cacheBytes: 0 }, (service) => {
  beforeAll(async () => {
    for (let index = 0; index < 100; index += 1) {
      const city = (await service.editor.post('city', { title: `c${index}` })).body
      const writer = (await service.editor.post('writer', { title: `w${index}`, _city: [city] })).body
      await service.editor.post('book', { title: `b${index}`, _writers: [writer] })
      await service.editor.post('shelf', { title: `s${index}`, _writers: [writer] })
    }
  })

  it.each([
    ['book', 4],
    ['shelf', 5],
  ])('§4.1 a list of %s takes at most %i statements, for 10 and for 100', async (type, most) => {
    await service.quiet()
    // Another filter each time: totals are cached.
    const counted = async (perPage: number) => {
      const before = service.statements.length
      const answer = await service.editor.get(type, `perPage=${perPage}&createdAt[min]=${1900 + perPage}-01-01`)
      expect(answer.body.results).toHaveLength(perPage)
      expect(answer.body.results[perPage - 1]._writers).toHaveLength(1)
      return service.statements.length - before
    }
    const [ten, hundred] = [await counted(10), await counted(100)]
    expect(ten).toBeLessThanOrEqual(most)
    expect(hundred).toBe(ten)
  })
})
