import { beforeAll, expect, it } from 'vitest'
import { type Answer, describeService } from '../../../test/service.ts'

const ids: Record<string, string> = {}

/** Three articles, each known by its title; what each filter finds is written as their titles. */
const ARTICLES = [
  {
    title: 'Alpha',
    slug: 'first-one',
    subtitle: 'Größe Zählt',
    code: 'X-1',
    count: 3,
    rating: 1.5,
    featured: true,
    eventDate: '2026-01-10',
    eventTime: '09:30',
    at: '2026-01-10T09:30:00+02:00',
    link: 'https://example.org/Path?q=1',
    contact: 'Ann@Example.org',
    level: 'low',
    tags: ['red', 'green'],
    tone: 'soft',
    tint: '#FF0000',
    size: 20,
  },
  {
    title: 'Beta',
    subtitle: 'two words',
    count: 5,
    rating: 3,
    eventDate: '2026-02-20',
    eventTime: '14:00',
    at: '2026-02-20T12:00:00Z',
    link: '/about',
    level: 'high',
    tags: ['green'],
    tone: 'loud',
    size: 60,
  },
  { title: 'Gamma', subtitle: 'two', count: 1000, size: 100, level: null },
] as const

describeService('§4.1 GET list filters', {}, (service) => {
  beforeAll(async () => {
    for (const article of ARTICLES) {
      const { body } = await service.editor.post('article', article)
      ids[article.title] = body._id
    }
    // Archived and draft-only neighbours that no filter may find.
    const archived = await service.editor.post('article', { ...ARTICLES[0], title: 'Alpha', slug: 'gone' })
    await service.editor.post(`article/${archived.body._id}/archive`)
    await service.editor.post('article', { ...ARTICLES[1], title: 'Beta', slug: 'only-draft' }, 'aposMode=draft')
    await service.editor.post('article', { ...ARTICLES[1], title: 'Beta', slug: 'bete' }, 'aposLocale=fr')
  })

  const titles = (answer: Answer) => answer.body.results.map((one: { title: string }) => one.title).join(' ')

  it.each([
    // Texts: the whole value, without regard to case.
    ['title=alpha', 'Alpha'],
    ['title=alph', ''],
    ['title[]=ALPHA&title[]=gamma', 'Alpha Gamma'],
    ['slug=first-one', 'Alpha'],
    ['slug=FIRST-ONE', 'Alpha'],
    ['slug[]=first-one&slug[]=beta', 'Alpha Beta'],
    ['slug=gone', ''],
    ['subtitle=grösse zählt', ''],
    ['subtitle=GRÖßE ZÄHLT', 'Alpha'],
    ['subtitle=two', 'Gamma'],
    ['subtitle=two%', ''],
    ['subtitle= two ', 'Gamma'],
    ['subtitle[]=two&subtitle[]=two words', 'Beta Gamma'],
    ['subtitle=two&subtitle=two words', 'Beta Gamma'],
    ['code=x-1', 'Alpha'],
    ['link=https://example.org/Path?q=1', 'Alpha'],
    ['link=/about', 'Beta'],
    ['link=javascript:alert(1)', ''],
    ['contact=ann@example.org', 'Alpha'],
    ['contact=no address', ''],
    ['tint=#ff0000', 'Alpha'],
    ['tint=reddish', ''],
    ['title=a%00b', ''],
    ['slug=%00', ''],
    ['subtitle=%00', ''],
    ['topics=%00', ''],
    ['_topics=%00', ''],
    ['search=%00', ''],
    // Numbers, exactly; a field's own bounds do not matter.
    ['count=3', 'Alpha'],
    ['count= 3 ', 'Alpha'],
    ['count=3.0', 'Alpha'],
    ['count=3.5', ''],
    ['count=-1', ''],
    ['count=three', ''],
    ['count=', ''],
    ['count[]=3&count[]=5', 'Alpha Beta'],
    ['count[]=3&count[]=nonsense', 'Alpha'],
    ['rating=1.5', 'Alpha'],
    ['rating=9', ''],
    ['size=20', 'Alpha'],
    ['size=21', ''],
    // Ranges, both bounds included.
    ['count[min]=4', 'Beta Gamma'],
    ['count[min]=5&count[max]=5', 'Beta'],
    ['count[max]=3', 'Alpha'],
    ['count[min]=-50', 'Alpha Beta Gamma'],
    ['count[max]=5000', 'Alpha Beta Gamma'],
    ['count[min]=5000', ''],
    ['count[min]=3.5', 'Beta Gamma'],
    ['count[min]=6&count[max]=4', ''],
    ['count[min]=many', ''],
    ['count[min]=', ''],
    ['rating[min]=1.6', 'Beta'],
    ['rating[max]=99', 'Alpha Beta'],
    ['size[min]=55', 'Beta Gamma'],
    ['size[min]=55&size[max]=65', 'Beta'],
    ['eventDate[min]=2026-02-01', 'Beta'],
    ['eventDate[max]=2026-01-10', 'Alpha'],
    ['eventDate[min]=2026-02-31', ''],
    ['eventTime[min]=10:00', 'Beta'],
    ['eventTime[max]=09:30:00', 'Alpha'],
    ['at[min]=2026-01-10T07:30:00Z&at[max]=2026-01-10T07:30:00Z', 'Alpha'],
    ['at[min]=2026-01-10T08:00:00Z', 'Beta'],
    ['at[max]=2026-02-20', 'Alpha'],
    ['createdAt[min]=2020-01-01', 'Alpha Beta Gamma'],
    ['createdAt[max]=2020-01-01', ''],
    ['updatedAt[min]=2020-01-01T00:00:00Z&updatedAt[max]=2100-01-01', 'Alpha Beta Gamma'],
    ['updatedAt[min]=yesterday', ''],
    ['createdAt=2020-01-01', ''],
    // Yes and no: nobody's answer is no.
    ['featured=true', 'Alpha'],
    ['featured=1', 'Alpha'],
    ['featured=false', 'Beta Gamma'],
    ['featured[]=true&featured[]=false', 'Alpha Beta Gamma'],
    ['featured=perhaps', ''],
    // Dates and times in every form that the field takes.
    ['eventDate=2026-01-10', 'Alpha'],
    ['eventDate=10.1.2026', ''],
    ['eventTime=09:30', 'Alpha'],
    ['eventTime=25:00', ''],
    ['at=2026-01-10T09:30:00%2B02:00', 'Alpha'],
    ['at=2026-01-10T07:30:00Z', 'Alpha'],
    // Choices, exactly.
    ['level=low', 'Alpha'],
    ['level=LOW', ''],
    ['level=middle', ''],
    ['level[]=low&level[]=high', 'Alpha Beta'],
    ['tone=loud', 'Beta'],
    ['tags=green', 'Alpha Beta'],
    ['tags=red', 'Alpha'],
    ['tags=blue', ''],
    ['tags[]=red&tags[]=blue', 'Alpha'],
    ['tags=purple', ''],
    ['visibility=public', 'Alpha Beta Gamma'],
    ['visibility=loginRequired', ''],
    ['visibility=nonsense', ''],
    // Several parameters: all of them.
    ['tags=green&level=high', 'Beta'],
    ['tags=green&level=high&featured=1', ''],
    // What is no parameter is no filter.
    ['nonsense=1', 'Alpha Beta Gamma'],
    ['utm_source=news&_=123', 'Alpha Beta Gamma'],
    ['constructor=1&__proto__=1&toString=1', 'Alpha Beta Gamma'],
    ['archived=false', 'Alpha Beta Gamma'],
  ])('§4.1 %s finds "%s"', async (query, expected) => {
    const encoded = query.replaceAll(' ', '%20').replaceAll('#', '%23').replace('two%&', 'two%25&')
    const answer = await service.editor.get('article', `${encoded.replace(/%$/, '%25')}&sort=title`)
    expect(answer.status).toBe(200)
    expect(titles(answer)).toBe(expected)
    expect(answer.body.total).toBe(expected === '' ? 0 : expected.split(' ').length)
  })

  it.each([
    'title[min]=a',
    'title[a]=b',
    'title.a=b',
    'subtitle[min]=a',
    // Whether a field has bounds does not depend on the value.
    'level[min]=low',
    'level[min]=nonsense',
    'tags[max]=nonsense',
    'tone[min]=nonsense',
    'featured[min]=1',
    'tint[min]=nonsense',
    'contact[min]=nonsense',
    'link[max]=javascript:',
    'body=x',
    'address=x',
    'spacing=x',
    'download=x',
    'links=x',
    'topicsIds=x',
    'topicsFields=x',
    'topicsIds[]=x',
    'levelAnd[]=low',
    'levelAnd=low',
    'address.city=Rome',
    'address[city]=Rome',
    'body[min]=1',
    'body[]=a',
    'links[0][label]=a',
    'count.min=1',
    'count[min=1',
    'topics.title=Red',
    'createdAt.min=2026-01-01',
    'count[least]=1',
    'count[min][]=1',
    'count[min][a]=1',
    'count[][a]=1',
    '_topics[a]=b',
    'topics[a]=b',
    'visibility[a]=b',
    'createdAt[before]=2026-01-01',
    'archived=maybe',
    'archived[]=true',
  ])('§0.4 %s is malformed, so it is refused', async (query) => {
    const { status, body } = await service.editor.get('article', query)
    expect({ status, name: body.name }).toEqual({ status: 400, name: 'invalid' })
  })

  it('§4.3 POST-as-GET takes the same filters as JSON, merged with the query', async () => {
    const found = async (content: object, query = 'sort=title') => {
      const answer = await service.editor.post('article', { __aposGetWithQuery: content, title: 'ignored' }, query)
      expect(answer.status).toBe(200)
      return titles(answer)
    }
    expect(await found({ count: 3 })).toBe('Alpha')
    expect(await found({ count: [3, 5] })).toBe('Alpha Beta')
    expect(await found({ count: { min: 4 } })).toBe('Beta Gamma')
    expect(await found({ featured: true })).toBe('Alpha')
    expect(await found({ featured: false })).toBe('Beta Gamma')
    expect(await found({ tags: ['red', 'blue'] })).toBe('Alpha')
    expect(await found({ tags: [] })).toBe('')
    expect(await found({ title: [] })).toBe('')
    expect(await found({ _topics: [] })).toBe('')
    expect(await found({ _topicsAnd: [] })).toBe('')
    expect(await found({ count: null })).toBe('')
    expect(await found({}, 'sort=title&count=3')).toBe('Alpha')
    expect(await found({ count: 5 }, 'sort=title&count=3')).toBe('Beta')
    expect(await found({ count: 5 }, 'aposMode=draft&sort=slug')).toBe('Beta Beta')
    expect(await found({}, 'aposLocale=fr')).toBe('Beta')
    expect(await found({ aposLocale: 'fr' })).toBe('Beta')
    expect(await found({ _ids: [ids.Gamma, ids.Alpha] }, '')).toBe('Gamma Alpha')
    expect(await found({ sort: { title: -1 } }, '')).toBe('Gamma Beta Alpha')
    expect((await service.anonymous.post('article', { __aposGetWithQuery: {} })).status).toBe(404)
    expect((await service.anonymous.post('article', { __aposGetWithQuery: { aposMode: 'draft' } })).status).toBe(401)
    const single = await service.editor.post(`article/${ids.Alpha}`, { __aposGetWithQuery: { project: { title: 1 } } })
    expect(single.body).toMatchObject({ title: 'Alpha' })
    expect(single.body.slug).toBeUndefined()
    const many = Array.from({ length: 400 }, (_, index) => `no-such-id-${index}`)
    expect(await found({ _ids: [...many, ids.Beta] }, '')).toBe('Beta')
  })

  it('§4.1 a text with a pattern is found ignoring case, as any other', async () => {
    await service.editor.post('draftless', { title: 'Coded', code: 'AB12' })
    for (const query of ['code=AB12', 'code=ab12', 'code[]=aB12', 'code[]=x&code[]=ab12']) {
      expect(titles(await service.editor.get('draftless', query))).toBe('Coded')
    }
    expect(titles(await service.editor.get('draftless', 'code=ab1'))).toBe('')
  })

  it('§4.1 bounds are described for those fields that take them', async () => {
    const { body } = await service.editor.get('openapi.json')
    const parameters: { name: string; schema: object }[] = body.paths['/api/v1/article'].get.parameters
    const described = parameters.filter(({ schema }) => JSON.stringify(schema).includes('"At least."'))
    const names = ['rating', 'size', 'count', 'eventDate', 'eventTime', 'at', 'createdAt', 'updatedAt']
    expect(described.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })

  it('§4.1 a range of a site query is read by its own type', async () => {
    for (const [title, price] of [
      ['Cheap', 1],
      ['Fair', 10],
      ['Dear', 100],
    ]) {
      await service.editor.post('product', { title, sku: title, price, color: 'red' })
    }
    expect(titles(await service.anonymous.get('product', 'minPrice=10'))).toBe('Fair Dear')
    expect(titles(await service.anonymous.get('product', 'minPrice=10&price[max]=50'))).toBe('Fair')
    expect(titles(await service.anonymous.get('product', 'minPrice=1000'))).toBe('')
    expect(titles(await service.anonymous.get('product', 'minPrice=-5'))).toBe('Cheap Fair Dear')
    expect((await service.anonymous.get('product', 'minPrice=much')).status).toBe(400)
    expect((await service.anonymous.get('product', 'minPrice[]=1&minPrice[]=2')).status).toBe(400)
    expect((await service.anonymous.get('product', 'minPrice[]=1')).status).toBe(400)
    const posted = { __aposGetWithQuery: { minPrice: [1] } }
    expect((await service.anonymous.post('product', posted)).status).toBe(400)
  })
})

describeService('§4.1 GET list relationship filters', {}, (service) => {
  const id: Record<string, string> = {}
  const bare = (name: string) => (id[name] ?? '').split(':')[0] ?? ''

  beforeAll(async () => {
    const { editor } = service
    for (const title of ['Red', 'Green', 'Blue', 'Hidden', 'Archived', 'French']) {
      const visibility = title === 'Hidden' ? 'loginRequired' : 'public'
      const query = title === 'French' ? 'aposLocale=fr' : ''
      id[title] = (await editor.post('topic', { title, visibility }, query)).body._id
    }
    id.Draft = (await editor.post('topic', { title: 'Draft' }, 'aposMode=draft')).body._id
    const make = async (title: string, ...topics: string[]) => {
      const body = { title, sku: title, price: 1, color: 'red', topicsIds: topics.map((name) => id[name]) }
      id[title] = (await editor.post('product', body)).body._id
    }
    await make('One', 'Red')
    await make('Two', 'Red', 'Green')
    await make('Three', 'Green', 'Hidden', 'Draft')
    await make('Four', 'Hidden', 'Archived')
    await make('Five')
    await make('Six', 'French', 'Archived')
    await editor.post(`topic/${id.Archived}/archive`)
  })

  const found = async (query: string, as: 'anonymous' | 'guest' | 'editor' = 'anonymous') => {
    const filled = query.replaceAll(/<(~?)(\w+)>/g, (_, short: string, name: string) =>
      short ? bare(name) : (id[name] ?? ''),
    )
    const { status, body } = await service[as].get('product', `${filled}&sort=title&perPage=50`)
    expect(status).toBe(200)
    expect(body.total).toBe(body.results.length)
    return body.results.map((one: { title: string }) => one.title).join(' ')
  }

  it.each([
    ['_topics=<Red>', 'One Two'],
    ['_topics=<~Red>', 'One Two'],
    ['_topics=<~Red>:en:draft', 'One Two'],
    ['_topics=<~Red>:fr:published', 'One Two'],
    ['topics=red', 'One Two'],
    ['topics=RED', 'One Two'],
    ['_topics[]=<Red>&_topics[]=<Green>', 'One Three Two'],
    ['topics[]=red&topics[]=green', 'One Three Two'],
    ['topics[]=red&topics[]=no-such', 'One Two'],
    ['_topicsAnd[]=<Red>&_topicsAnd[]=<Green>', 'Two'],
    ['topicsAnd[]=red&topicsAnd[]=green', 'Two'],
    ['topicsAnd[]=red&topicsAnd[]=blue', ''],
    ['topicsAnd=green', 'Three Two'],
    ['topicsAnd[]=red&topicsAnd[]=red', 'One Two'],
    ['topics=red&_topics=<Green>', 'Two'],
    ['topics=blue', ''],
    ['topics=no-such', ''],
    ['topics=', ''],
    ['_topics=no-such', ''],
    ['_topics=a:b:c:d', ''],
    ['_topics=<One>', ''],
    ['_topics=none', 'Five Four Six'],
    ['topics=none', 'Five Four Six'],
    ['topics=none&color=red', 'Five Four Six'],
    ['topics[]=none&topics[]=blue', 'Five Four Six'],
    ['topics[]=red&topics[]=none', 'Five Four One Six Two'],
    ['_topics[]=none&_topics[]=<Red>', 'Five Four One Six Two'],
    ['topicsAnd[]=none&topicsAnd[]=red', ''],
    ['topicsAnd[]=none', 'Five Four Six'],
    // Hidden, draft, archived and foreign targets are not there for anonymous callers.
    ['topics=hidden', ''],
    ['_topics=<Hidden>', ''],
    ['topicsAnd[]=green&topicsAnd[]=hidden', ''],
    ['topics=draft', ''],
    ['_topics=<Draft>', ''],
    ['topics=archived', ''],
    ['_topics=<Archived>', ''],
    ['topics=french', ''],
    ['_topics=<French>', ''],
  ])('§4.1 anonymous callers: %s finds "%s"', async (query, expected) => {
    expect(await found(query)).toBe(expected)
  })

  it.each([
    ['topics=hidden', 'Four Three'],
    ['_topics=<Hidden>', 'Four Three'],
    ['topics=draft', ''],
    ['topics=archived', ''],
    ['topics=none', 'Five Six'],
    ['topics[]=none&topics[]=hidden', 'Five Four Six Three'],
    ['topics=draft&aposMode=draft', 'Three'],
    ['topics=none&aposMode=draft', 'Five Six'],
    ['topics=none&aposLocale=fr', ''],
  ])('§4.1 editors: %s finds "%s"', async (query, expected) => {
    expect(await found(query, 'editor')).toBe(expected)
  })

  it('§5.3 guests find what is loginRequired', async () => {
    expect(await found('topics=hidden', 'guest')).toBe('Four Three')
    expect(await found('topics=none', 'guest')).toBe('Five Six')
  })
})
