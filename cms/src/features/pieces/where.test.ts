import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rowsOf } from '../../../test/consistency.ts'
import { type Answer, describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site.ts'
import { piece, query, widget } from '../../model/declared/content-type.ts'

const city = { type: 'string', filterable: true } as const

const site = defineSite({
  widgets: [widget('quote', { fields: { add: { author: city, words: { type: 'string' } } } })],
  types: [
    piece('town', {
      publicApiProjection: ['title', 'country', 'createdAt'],
      fields: { add: { country: { type: 'string' } } },
    }),
    piece('vault', { viewRole: 'admin', editRole: 'admin', fields: { add: { code: { type: 'string' } } } }),
    piece('person', {
      publicApiProjection: ['title', 'slug', 'company', '_town', '_talks', 'createdAt'],
      fields: {
        add: {
          company: { type: 'string' },
          salary: { type: 'integer', viewPermission: 'admin' },
          _town: { type: 'relationship', withType: 'town' },
          _vaults: { type: 'relationship', withType: 'vault' },
          _talks: { type: 'relationshipReverse', withType: 'talk', reverseOf: '_speakers' },
        },
      },
    }),
    piece('talk', {
      publicApiProjection: [
        'title',
        'slug',
        'minutes',
        'level',
        'tags',
        'day',
        'address',
        'body',
        'rows',
        '_speakers',
        'createdAt',
      ],
      fields: {
        add: {
          minutes: { type: 'integer' },
          level: { type: 'select', choices: ['low', 'high'].map((value) => ({ value, label: value })) },
          tags: { type: 'checkboxes', choices: ['a', 'b', 'c'].map((value) => ({ value, label: value })) },
          day: { type: 'date' },
          note: { type: 'string' },
          address: { type: 'object', fields: { add: { city, secret: { ...city, viewPermission: 'admin' } } } },
          rows: { type: 'array', fields: { add: { place: { type: 'object', fields: { add: { city } } } } } },
          body: { type: 'area', widgets: { quote: {}, '@cms/rich-text': {} } },
          _speakers: { type: 'relationship', withType: 'person' },
        },
      },
      queries: {
        long: query({
          input: z.string(),
          where: () => ({ $or: [{ minutes: { $gte: 60 } }, { '_speakers.salary': 9 }] }),
        }),
      },
    }),
  ],
})

const quote = (author: string) => ({ metaType: 'widget', type: 'quote', author, words: 'w' })

describeService('§4.1 conditions of lists', { site }, (service, databases) => {
  beforeAll(async () => {
    const ids: Record<string, string> = {}
    const make = async (type: string, body: { readonly title: string }) => {
      const { status, body: made } = await service.admin.post(type, body)
      expect(status).toBe(200)
      ids[body.title] = made._id
    }
    await make('town', { title: 'Rome', country: 'Italy' } as never)
    await make('town', { title: 'Bern', country: 'Switzerland' } as never)
    await make('vault', { title: 'Vault', code: 'c' } as never)
    const person = (title: string, company: string, town: string, rest: object = {}) =>
      make('person', { title, company, townIds: [ids[town]], ...rest } as never)
    await person('Ada', 'Acme', 'Rome', { salary: 9, vaultsIds: [ids.Vault] })
    await person('Bob', 'Bolt', 'Bern', { salary: 5 })
    await person('Hid', 'Acme', 'Bern', { visibility: 'loginRequired' })
    const talk = (title: string, speakers: readonly string[], rest: object) =>
      make('talk', { title, speakersIds: speakers.map((name) => ids[name]), ...rest } as never)
    const [rome, bern] = ['Rome', 'Bern'].map((city) => ({ city, secret: `${city} secret` }))
    await talk('One', ['Ada'], {
      minutes: 30,
      level: 'low',
      tags: ['a'],
      day: '2026-01-10',
      note: 'Größe zählt',
      address: rome,
    })
    await talk('Two', ['Ada', 'Bob'], {
      minutes: 45,
      level: 'high',
      tags: ['a', 'b'],
      day: '2026-02-20',
      note: '100 % sure_',
    })
    await talk('Three', ['Hid'], {
      minutes: 90,
      tags: ['c'],
      address: bern,
      body: { items: [quote('Ann'), quote('Bea')] },
    })
    await talk('Four', [], { note: 'plain', rows: [{ place: { city: 'Oslo' } }, { place: { city: 'Rome' } }] })
  })

  const titles = ({ body }: Answer) => body.results.map(({ title }: { title: string }) => title).join(' ')
  const found = async (query: string, as: 'anonymous' | 'editor' | 'admin' = 'editor', type = 'talk') => {
    const answer = await service[as].get(type, `${query}&sort=createdAt`)
    expect([query, answer.status, answer.body.message]).toEqual([query, 200, undefined])
    expect(answer.body.total).toBe(answer.body.results.length)
    return titles(answer)
  }
  const where = (condition: unknown) => `where=${encodeURIComponent(JSON.stringify(condition))}`

  it.each([
    ['minutes[$eq]=30', 'One'],
    ['minutes[$in][]=30&minutes[$in][]=90', 'One Three'],
    ['minutes[$nin][]=30&minutes[$nin][]=90', 'Two Four'],
    ['minutes[$ne]=30', 'Two Three Four'],
    ['minutes[$not]=30', 'Two Three Four'],
    ['minutes[$not][$gte]=45', 'One Four'],
    ['minutes[$gte]=45', 'Two Three'],
    ['minutes[$gt]=45', 'Three'],
    ['minutes[$lt]=45', 'One'],
    ['minutes[$lte]=45&minutes[$gt]=30', 'Two'],
    ['minutes[$between][]=30&minutes[$between][]=45', 'One Two'],
    ['minutes[$gt]=30.5&minutes[max]=45', 'Two'],
    ['minutes[$gte]=many', ''],
    ['minutes[$exists]=true', 'One Two Three'],
    ['minutes[$exists]=0', 'Four'],
    ['day[$lt]=2026-02-20', 'One'],
    ['day[$exists]=false', 'Three Four'],
    ['createdAt[$gt]=2020-01-01', 'One Two Three Four'],
    ['createdAt[$between][]=2020-01-01&createdAt[$between][]=2021-01-01', ''],
    ['title[$startsWith]=t', 'Two Three'],
    ['title[$contains]=O', 'One Two Four'],
    ['title[$exists]=true', 'One Two Three Four'],
    ['title[$ne]=ONE', 'Two Three Four'],
    ['slug[$startsWith]=th', 'Three'],
    ['slug[$contains]=re', 'Three'],
    ['note[$startsWith]=GRÖSSE', ''],
    ['note[$startsWith]=größe', 'One'],
    ['note[$contains]=%25', 'Two'],
    ['note[$contains]=_', 'Two'],
    ['note[$contains]=\\', ''],
    ['note[$contains]=zählt', 'One'],
    ['note[$not][$contains]=a', 'One Two Three'],
    ['level[$ne]=low', 'Two Three Four'],
    ['level[$in][]=low&level[$in][]=nonsense', 'One'],
    ['tags[$in]=a', 'One Two'],
    ['tags[$nin]=a', 'Three Four'],
    ['tags[$exists]=false', 'Four'],
    ['visibility[$ne]=public', ''],
    ['_speakers[$exists]=true', 'One Two Three'],
    ['_speakers[$exists]=false', 'Four'],
    ['speakers[$nin]=ada', 'Three Four'],
    // Inside of objects, arrays and widgets.
    ['address.city=rome', 'One'],
    ['address.city[$startsWith]=b', 'Three'],
    ['rows.place.city=Rome', 'Four'],
    ['rows.place.city[$exists]=false', 'One Two Three'],
    ['body.quote.author[$in][]=bea&body.quote.author[$in][]=x', 'Three'],
    // Related documents.
    ['_speakers.company=ACME', 'One Two Three'],
    ['_speakers.company[$ne]=acme', 'Two'],
    ['_speakers.title[$startsWith]=b', 'Two'],
    ['_speakers._town.country=italy', 'One Two'],
    ['_speakers._town[$exists]=true', 'One Two Three'],
    ['long=1', 'One Two Three'],
    [where({}), 'One Two Three Four'],
    [where({ minutes: 30 }), 'One'],
    [where({ minutes: { $gt: 30, $lt: 90 }, tags: 'b' }), 'Two'],
    [where({ $or: [{ minutes: 30 }, { title: 'four' }] }), 'One Four'],
    [where({ $or: [] }), ''],
    [where({ $and: [] }), 'One Two Three Four'],
    [where({ $not: { $or: [{ minutes: 30 }, { title: 'four' }] } }), 'Two Three'],
    [
      where({ $or: [{ '_speakers.company': 'Bolt' }, { $and: [{ tags: ['c'] }, { minutes: { $gte: 90 } }] }] }),
      'Two Three',
    ],
    ['where[$or][0][minutes]=30&where[$or][1][title]=four&where[$or][1][note][$contains]=pl', 'One Four'],
    ['where[title][$in][]=one&where[minutes][$exists]=1', 'One'],
  ])('%s finds "%s"', async (query, expected) => {
    expect(await found(query)).toBe(expected)
  })

  it('looks for parts in what was written, at the beginning of long texts', async () => {
    const long = `${'l'.repeat(285)}m${'n'.repeat(100)}`
    const { body } = await service.admin.post('talk', { title: `x${long}`, slug: long.slice(0, 200), note: long })
    for (const name of ['title', 'slug', 'note']) {
      expect(await found(`${name}[$contains]=%23`)).toBe('')
      expect(await found(`${name}[$contains]=${'l'.repeat(150)}`)).toBe(body.title)
      expect(await found(`${name}[$not][$contains]=${'l'.repeat(150)}`)).toBe('One Two Three Four')
    }
    expect(await found('note[$contains]=lm')).toBe(body.title)
    expect(await found(`note[$startsWith]=${long.slice(0, 286)}`)).toBe(body.title)
    expect(await found('note[$contains]=mn')).toBe('')
    await service.admin.delete(`talk/${body._id}`)
  })

  it('follows reverse relationships, and what the caller does not see leads nowhere', async () => {
    expect(await found('_talks.minutes[$gte]=90', 'editor', 'person')).toBe('Hid')
    expect(await found('_talks.level=high', 'anonymous', 'person')).toBe('Ada Bob')
    expect(await found('_talks._speakers.title=bob', 'anonymous', 'person')).toBe('Ada Bob')
    expect(await found('_speakers.company=acme', 'anonymous')).toBe('One Two')
    expect(await found('_speakers[$exists]=false', 'anonymous')).toBe('Three Four')
    expect(await found(where({ $not: { '_speakers.company': 'Acme' } }), 'anonymous')).toBe('Three Four')
    expect(await found('_speakers.salary=9', 'admin')).toBe('One Two')
    expect(await found('_speakers._vaults.code=c', 'admin')).toBe('One Two')
    expect(await found('address.secret=rome secret', 'admin')).toBe('One')
  })

  it.runIf(databases.name === 'SQLite')('finds what is behind a second relationship once', async () => {
    for (const name of ['_speakers._town.country', '_speakers._talks.note', '_speakers._town.title[$contains]']) {
      const before = service.statements.length
      await service.editor.get('talk', `search=one&${name}=x`)
      const texts = service.statements.slice(before).filter((text) => text.includes('entries "y0"'))
      expect(texts).not.toEqual([])
      const plans = await rowsOf(
        service.databaseUrl,
        texts.map((text) => `explain query plan ${text}`),
      )
      for (const plan of plans) {
        expect(plan.filter(({ detail }) => String(detail).startsWith('CORRELATED'))).toHaveLength(1)
      }
    }
  })

  it('is the same in POST-as-GET and in code, however deeply nested', async () => {
    const deep = { $or: [{ $and: [{ $or: [{ $and: [{ minutes: { $in: [30, 45] } }] }] }] }] }
    const posted = await service.editor.post('talk', { __aposGetWithQuery: { where: deep, sort: 'createdAt' } })
    expect(titles(posted)).toBe('One Two')
    const content = service.app.context({ kind: 'anonymous' }).as({ role: 'editor', name: 'Import' })
    const { results } = await content.find('talk', { where: deep, minutes: { $lt: 45 } })
    expect(results.map((one) => one.title)).toEqual(['One'])
  })

  describe('conditions that are not allowed are refused, with those that are', () => {
    const nested = (levels: number): object => (levels === 0 ? { minutes: 1 } : { $or: [nested(levels - 1)] })
    const negations = (levels: number): unknown => (levels === 0 ? 1 : { $not: negations(levels - 1) })
    it.each([
      ['minutes[$foo]=1', 'minutes takes a value, several, or one of $eq'],
      ['minutes[constructor]=1', 'not [constructor]'],
      ['minutes[$contains]=1', 'not [$contains]'],
      ['level[$gte]=low', 'not [$gte]'],
      ['note[$gt]=a', 'not [$gt]'],
      ['note[$contains]=', 'one character or more'],
      ['minutes[$between]=1', 'two bounds'],
      ['minutes[$exists]=perhaps', 'true or false'],
      ['minutes[$in][$gt]=1', 'one value'],
      ['address.street=x', 'filterable'],
      ['body.quote.words=x', 'filterable'],
      ['address.secret=x', 'filterable'],
      ['_speakers.salary=9', '_speakers.<field>'],
      ['_speakers.nothing=9', '_speakers.<field>'],
      ['_speakers._talks._speakers.title=x', 'at most 2 relationships'],
      ['where=', 'not valid JSON'],
      ['where=[1]', 'takes an object'],
      ['where={"$or":{}}', 'where.$or takes a list'],
      ['where={"$or":[1]}', 'where.$or.0 takes an object'],
      ['where={"minuets":1}', 'did you mean "minutes"'],
      ['where={"_speakers.salary":1}', 'where._speakers.salary'],
      ['where={"__proto__":{"x":1}}', 'where.__proto__'],
      ['where={"constructor":1}', 'where.constructor'],
      ['where[__proto__][x]=1', '__proto__'],
      [where(nested(5)), 'at most 4 groups'],
      [where({ $and: Array.from({ length: 51 }, () => ({ minutes: 1 })) }), 'at most 50 conditions'],
      [where({ minutes: { $in: Array.from({ length: 101 }, (_, one) => one) } }), 'at most 100 values'],
      [where({ note: 'x'.repeat(1001) }), 'at most 1000 characters'],
      [`where=${'x'.repeat(20_001)}`, 'at most 20000 characters'],
      [where({ $or: Array.from({ length: 500 }, () => ({})) }), 'where.$or.399 makes this list compare more than 400'],
      [where({ minutes: negations(1000) }), 'where.minutes makes this list compare more than 400'],
      [where({ note: { $startsWith: {} } }), 'where.note[$startsWith] takes one value'],
      [where({ note: null }), 'one value'],
      [
        `counts=level,tags,day,minutes,note&${where({ $and: Array.from({ length: 41 }, () => ({ minutes: 1 })) })}`,
        'again for each name',
      ],
    ])('%.60s', async (query, message) => {
      const { status, body } = await service.editor.get('talk', query)
      expect([status, body.name]).toEqual([400, 'invalid'])
      expect(body.message).toContain(message)
    })

    it('a field that the caller does not see is refused like one that does not exist', async () => {
      for (const name of ['note', '_speakers.salary', '_speakers._vaults.code', 'address.secret']) {
        const hidden = await service.anonymous.get('talk', where({ [name]: 'x' }))
        const unknown = await service.anonymous.get('talk', where({ nothing: 'x' }))
        expect(hidden.body.message.replace(name, '')).toBe(unknown.body.message.replace('nothing', ''))
      }
    })
  })
})
