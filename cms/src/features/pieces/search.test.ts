import { beforeAll, expect, it } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { type Answer, type Caller, callerOf, describeService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { defineSite, piece } from '../../index.ts'

const titles = ({ body }: Answer) => body.results.map((one: { title: string }) => one.title).join(' | ')

const paragraph = (content: string) => ({ items: [{ type: '@cms/rich-text', content: `<p>${content}</p>` }] })

describeService('§4.1 search and autocomplete', {}, (service, databases) => {
  beforeAll(async () => {
    const articles = [
      {
        title: 'Garden tools',
        subtitle: 'Spades and rakes',
        body: paragraph('All about <strong>com</strong>posting.'),
      },
      { title: 'Composting at home', subtitle: 'Worms' },
      { title: 'Other', subtitle: 'Garden', code: 'QX-17', contact: 'ann@example.org', link: 'https://quux.example/' },
      { title: 'Crème Brûlée', subtitle: 'ÉCLAIR' },
      { title: 'Straße und Øre', subtitle: 'Łódź' },
      { title: 'Москва зимой', subtitle: 'Ёлка' },
      { title: '東京の天気', subtitle: 'こんにちは世界' },
      { title: 'Αθήνα', subtitle: 'Ὀδυσσεύς' },
      { title: 'עברית', subtitle: 'مرحبا بالعالم' },
      { title: 'हिन्दी भाषा', subtitle: 'ภาษาไทย' },
      { title: 'C++ and "quotes" AND OR NOT NEAR(*', subtitle: "it's 100% fun" },
      {
        title: 'Nested',
        links: [{ label: 'Zebra crossing' }],
        address: { city: 'Lisbon' },
        body: { items: [{ type: 'promo', heading: 'Giraffe', items: [{ text: 'Okapi' }] }] },
      },
    ]
    for (const article of articles) await service.editor.post('article', article)
  })

  it.each([
    // All words, each of them whole.
    ['search=garden', 'Garden tools | Other'],
    ['search=GARDEN', 'Garden tools | Other'],
    ['search=gard', ''],
    ['search=garden tools', 'Garden tools'],
    ['search=tools  garden', 'Garden tools'],
    ['search=garden worms', ''],
    ['search=garden, tools!', 'Garden tools'],
    ['search=spades', 'Garden tools'],
    ['search=composting', 'Composting at home | Garden tools'],
    ['search=qx', 'Other'],
    ['search=QX-17', 'Other'],
    ['search=17', 'Other'],
    ['search=garden-tools', 'Garden tools'],
    ['search=zebra', 'Nested'],
    ['search=giraffe', 'Nested'],
    ['search=okapi', 'Nested'],
    ['search=lisbon', 'Nested'],
    // Accents, case and other scripts.
    ['search=creme brulee', 'Crème Brûlée'],
    ['search=CRÈME BRÛLÉE', 'Crème Brûlée'],
    ['search=eclair', 'Crème Brûlée'],
    ['search=strasse', 'Straße und Øre'],
    ['search=ore', 'Straße und Øre'],
    ['search=lodz', 'Straße und Øre'],
    ['search=москва', 'Москва зимой'],
    ['search=елка', 'Москва зимой'],
    ['search=東京', '東京の天気'],
    ['search=世界', '東京の天気'],
    ['search=αθηνα', 'Αθήνα'],
    ['search=οδυσσευς', 'Αθήνα'],
    ['search=עברית', 'עברית'],
    ['search=مرحبا', 'עברית'],
    ['search=हिन्दी', 'हिन्दी भाषा'],
    ['search=ภาษา', 'हिन्दी भाषा'],
    // Nothing in it is an operator.
    ['search="quotes"', 'C++ and "quotes" AND OR NOT NEAR(*'],
    ['search=AND OR NOT', 'C++ and "quotes" AND OR NOT NEAR(*'],
    ['search=NEAR(', 'C++ and "quotes" AND OR NOT NEAR(*'],
    ["search=it's", 'C++ and "quotes" AND OR NOT NEAR(*'],
    ['search=100%25', 'C++ and "quotes" AND OR NOT NEAR(*'],
    ["search=' or 1=1 --", ''],
    ['search=title:garden', ''],
    ['search=gard*', ''],
    ['search=~2garden', ''],
    ['search=garden NOT tools', ''],
    // autocomplete: the last word by its beginning.
    ['autocomplete=gard', 'Garden tools | Other'],
    ['autocomplete=g', 'Nested | Garden tools | Other'],
    ['autocomplete=garden to', 'Garden tools'],
    ['autocomplete=gard tools', ''],
    ['autocomplete=tools gard', 'Garden tools'],
    ['autocomplete=com', 'Composting at home | Garden tools'],
    ['autocomplete=brul', 'Crème Brûlée'],
    ['autocomplete=мос', 'Москва зимой'],
    ['autocomplete=東', '東京の天気'],
    ['autocomplete=αθη', 'Αθήνα'],
    ['autocomplete=%25', ''],
    ['autocomplete=_', ''],
    ['search=garden&autocomplete=to', 'Garden tools'],
    // What is blank is no filter; what has no word matches nothing. Other parameters go with it.
    ['search=', null],
    ['search=%20', null],
    ['search=%20&autocomplete=', null],
    ['search=---', ''],
    ['search=%F0%9F%8E%89', ''],
    ['search=%EF%BF%BD', ''],
    ['search=&autocomplete=%3F', ''],
    ['search=---&autocomplete=gard', 'Garden tools | Other'],
    ['search=garden&autocomplete=---', 'Garden tools | Other'],
    ['search=garden&subtitle=garden', 'Other'],
    ['search=garden&sort=-title', 'Other | Garden tools'],
    ['search=garden&sort=title', 'Garden tools | Other'],
    ['search=garden&perPage=1', 'Garden tools'],
    ['search=garden&perPage=1&page=2', 'Other'],
    ['search=garden&aposLocale=fr', ''],
  ])('§4.1 %s', async (query, expected) => {
    const answer = await service.editor.get('article', query)
    expect(answer.status).toBe(200)
    if (expected === null) expect(answer.body.total).toBe(12)
    else if (query.startsWith('autocomplete=g&') || query === 'autocomplete=g') {
      expect(titles(answer).split(' | ').toSorted()).toEqual(expected.split(' | ').toSorted())
    } else expect(titles(answer)).toBe(expected)
  })

  it('§0.5 a draft of hostile text does not stop search, for whatever type', async () => {
    const hostile = [
      '漢字'.repeat(100_000),
      `x${'\u0323\u0301'.repeat(50_000)}`,
      'ภาษาไทย'.repeat(20_000),
      'ﷺ'.repeat(50_000),
    ]
    for (const [index, text] of hostile.entries()) {
      const body = { items: [{ type: '@cms/rich-text', content: `<p>${text}</p>` }] }
      const draft = { title: `Hostile ${index}`, body }
      expect((await service.contributor.post('article', draft, 'aposMode=draft')).status).toBe(200)
    }
    const found = await service.contributor.get('article', 'aposMode=draft&search=hostile')
    expect(found.body.total).toBe(hostile.length)
    expect((await service.guest.get('guesty', 'search=umbrella')).status).toBe(200)
  })

  it('§4.1 search and POST-as-GET take long and odd texts', async () => {
    const odd = [
      'a'.repeat(500),
      'wort '.repeat(32),
      'a\u0301\u0323'.repeat(166),
      'ภาษาไทยเป็นภาษาที่ใช้กันในประเทศไทย',
      '\u0000',
      '\ud800',
      '🙂',
      '`~!@#$%^&*()_+',
      '\\'.repeat(50),
      "'".repeat(9),
    ]
    for (const search of odd) {
      for (const name of ['search', 'autocomplete']) {
        const answer = await service.editor.post('article', { __aposGetWithQuery: { [name]: search } })
        expect({ search: search.slice(0, 20), status: answer.status }).toEqual({
          search: search.slice(0, 20),
          status: 200,
        })
      }
    }
  })

  it('§4.1 hits in titles come first, whatever is newer', async () => {
    await service.editor.post('guesty', { title: 'Umbrella' })
    for (let index = 0; index < 5; index += 1)
      await service.editor.post('guesty', { title: `Note ${index}`, slug: `umbrella-${index}` })
    const answer = await service.guest.get('guesty', 'search=umbrella')
    expect(answer.body.total).toBe(6)
    expect(answer.body.results[0].title).toBe('Umbrella')
  })

  it('§4.1 a document is found right after every kind of write, and no longer when it no longer has the word', async () => {
    const { editor } = service
    const found = async (word: string, query = '') => (await editor.get('article', `search=${word}${query}`)).body.total
    const { body: made } = await editor.post('article', { title: 'Kumquat' })
    expect(await found('kumquat')).toBe(1)
    expect(await found('kumquat', '&aposMode=draft')).toBe(1)
    await editor.patch(`article/${made._id}`, { title: 'Lychee' })
    expect(await found('kumquat', '&slug=x')).toBe(0)
    expect(await found('lychee')).toBe(1)
    await editor.patch(`article/${made.aposDocId}`, { title: 'Rambutan' }, 'aposMode=draft')
    expect(await found('rambutan')).toBe(0)
    expect(await found('rambutan', '&aposMode=draft')).toBe(1)
    await editor.post(`article/${made._id}/publish`)
    expect(await found('rambutan')).toBe(1)
    expect(await found('lychee')).toBe(0)
    await editor.post(`article/${made._id}/archive`)
    expect(await found('rambutan')).toBe(0)
    expect(await found('rambutan', '&archived=true')).toBe(1)
    await editor.post(`article/${made._id}/restore`)
    expect(await found('rambutan')).toBe(1)
    await editor.post(`article/${made._id}/localize`, { toLocale: 'fr' })
    expect(await found('rambutan', '&aposLocale=fr:draft')).toBe(1)
    await editor.post(`article/${made._id}/unpublish`)
    expect(await found('rambutan')).toBe(0)
    await editor.post(`article/${made._id}/publish`)
    await editor.delete(`article/${made._id}`)
    expect(await found('rambutan')).toBe(0)
    expect(await found('rambutan', '&aposMode=draft')).toBe(0)
  })

  it('§4.1 never stale for anonymous callers, whose answers are cached', async () => {
    const search = () => service.anonymous.get('topic', 'search=durian')
    expect((await search()).body.total).toBe(0)
    const { body } = await service.editor.post('topic', { title: 'Durian' })
    expect((await search()).body.total).toBe(1)
    await service.editor.patch(`topic/${body._id}`, { visibility: 'loginRequired' })
    expect((await search()).body.total).toBe(0)
  })

  it('§4.1 what one process saves another one finds: at once in a file, with the notification of a server', async () => {
    const other = await createApp(referenceSite({}), {
      database: service.databaseUrl,
      keys: [{ key: 'key-editor', role: 'editor', name: 'other' }],
    })
    const soon = async <Value>(ask: () => Promise<Value>, expected: Value) => {
      if (databases.name === 'SQLite') expect(await ask()).toBe(expected)
      else await expect.poll(ask, { interval: 2 }).toBe(expected)
    }
    try {
      const second: Caller = callerOf(await other.listen(0, '127.0.0.1'), 'key-editor', null)
      for (let round = 0; round < 8; round += 1) {
        const word = `persimmon${round}`
        const [writer, reader] = round % 2 === 0 ? [service.editor, second] : [second, service.editor]
        const found = async () => (await reader.get('article', `search=${word}`)).body.total
        expect(await found()).toBe(0)
        const { body } = await writer.post('article', { title: word })
        await soon(found, 1)
        const read = () => reader.get(`article/${body._id}`)
        expect((await read()).body.title).toBe(word)
        await writer.patch(`article/${body._id}`, { title: 'gone' })
        await soon(async () => (await read()).body.title, 'gone')
        expect(await found()).toBe(1)
        await writer.delete(`article/${body._id}`)
        await soon(found, 0)
        expect((await read()).status).toBe(404)
      }
    } finally {
      await other.close()
    }
  })
})

const dossier = piece('dossier', {
  publicApiProjection: ['title', 'text'],
  fields: { add: { secret: { type: 'string', viewPermission: 'editor' }, text: { type: 'string' } } },
})

describeService('§4.1 search of long documents', { site: defineSite({ types: [dossier] }) }, (service) => {
  const words = Array.from({ length: 60_000 }, (_, index) => (index + 1000).toString(36))
  const total = async (caller: Caller, word: string) => (await caller.get('dossier', `search=${word}`)).body.total

  it('§8 covers the first 250,000 characters, directly after the save and once they are indexed', async () => {
    const { editor } = service
    const within = words.join(' ').slice(0, 249_000).split(' ').slice(-3)[0] ?? ''
    const beyond = words.join(' ').slice(0, 251_000).split(' ').slice(-3)[0] ?? ''
    await editor.post('dossier', { title: 'Long', secret: words.join(' ') })
    const answers = async () => [await total(editor, within), await total(editor, beyond)]
    expect(await answers()).toEqual([1, 0])
    await service.quiet()
    service.forget()
    expect(await answers()).toEqual([1, 0])
  })

  it('§5.8 of what a caller sees is not shortened by what he does not', async () => {
    const { editor, anonymous } = service
    const { body } = await editor.post('dossier', { title: 'Both', text: 'visible', secret: words.join(' ') })
    expect([await total(anonymous, 'visible'), await total(anonymous, words[0] ?? '')]).toEqual([1, 0])
    await editor.patch(`dossier/${body._id}`, { secret: '' })
    expect(await total(anonymous, 'visible')).toBe(1)
  })

  it('§8 finds what has longer words than a database takes by those that it takes', async () => {
    const { editor } = service
    // Each of these letters becomes four.
    const text = words
      .slice(0, 14_000)
      .map((word) => `${'\ufdf2'.repeat(15)}${word}`)
      .join(' ')
    expect((await editor.post('dossier', { title: 'Expanding', text })).status).toBe(200)
    await service.quiet()
    service.forget()
    expect(await total(editor, 'expanding')).toBe(1)
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
