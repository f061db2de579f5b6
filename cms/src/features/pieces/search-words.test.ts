import { expect, it } from 'vitest'
import { type Answer, describeService } from '../../../test/service.ts'
import { refreshSearch } from '../../engine/lists/search-index.ts'
import { defineSite, piece } from '../../index.ts'

const LOCALES = {
  ...{
    en: ['gardens', 'garden'],
    'fr-CA': ['jardins', 'jardin'],
    de: ['häuser', 'haus'],
    es: ['canciones', 'canción'],
  },
  ...{
    it: ['giardini', 'giardino'],
    nl: ['boeken', 'boek'],
    'pt-BR': ['livros', 'livro'],
    sv: ['flickorna', 'flicka'],
  },
} as const

const note = piece('note', {
  publicApiProjection: ['title', 'text', 'aside', 'code', 'heading'],
  searchWeights: { heading: 'high', aside: 'low', code: 'none' },
  fields: {
    add: {
      text: { type: 'string' },
      aside: { type: 'string' },
      code: { type: 'string' },
      heading: { type: 'string' },
      secret: { type: 'string', viewPermission: 'editor' },
    },
  },
})

const locales = Object.fromEntries(
  Object.keys(LOCALES).map((name) => [name, { label: name, prefix: name === 'en' ? '' : `/${name}` }]),
)
const site = defineSite({
  name: 'Words',
  locales: {
    ...locales,
    plain: { label: 'Plain', prefix: '/plain' },
    mag: { label: 'M', prefix: '/mag', language: 'de' },
  },
  types: [note],
})

const titles = ({ body }: Answer) => body.results.map((one: { title: string }) => one.title)

describeService('§4.1 words of searches', { site }, (service) => {
  /** What is found directly after the save, and once it is indexed. */
  async function found(query: string, caller = service.anonymous): Promise<string[]> {
    const first = titles(await caller.get('note', query))
    await refreshSearch(service.app.context({ kind: 'operator' }))
    service.forget()
    expect(titles(await caller.get('note', query))).toEqual(first)
    return first
  }

  it.each([...Object.entries(LOCALES), ['mag', LOCALES.de] as const])('stems of %s', async (locale, [one, other]) => {
    await service.editor.post('note', { title: one }, `aposLocale=${locale}`)
    await service.editor.post('note', { title: other }, `aposLocale=${locale}`)
    for (const [search, first] of [
      [one, one],
      [other, other],
    ]) {
      const both = await found(`aposLocale=${locale}&search=${search}`)
      expect(both).toHaveLength(2)
      expect(both[0]).toBe(first)
    }
  })

  it('a language without stems finds words as they are', async () => {
    await service.editor.post('note', { title: 'gardens' }, 'aposLocale=plain')
    expect(await found('aposLocale=plain&search=garden')).toEqual(['gardens'])
    expect(await found('aposLocale=plain&search=gard')).toEqual([])
  })

  it('words as written come first, then stems; of each those of more weight', async () => {
    const rows = [
      { title: 'In the aside', aside: 'wolves' },
      { title: 'Stem in text', text: 'wolving' },
      { title: 'In text', text: 'wolves' },
      { title: 'Wolving' },
      { title: 'In the heading', heading: 'wolves' },
      { title: 'In the code', code: 'wolves' },
      { title: 'Stem in the aside', aside: 'wolved' },
    ]
    for (const row of rows) await service.editor.post('note', row)
    const order = ['In the heading', 'In text', 'In the aside', 'Wolving', 'Stem in text', 'Stem in the aside']
    expect(await found('search=wolves')).toEqual(order)
    expect(await found('autocomplete=wolve')).toEqual([
      'In the heading',
      'In text',
      'Stem in the aside',
      'In the aside',
    ])
    expect(await found('search=wolves&sort=title')).toEqual(order.toSorted())
  })

  it.each([
    ['a letter too few', 'marmlade'],
    ['a letter too many', 'marmalaade'],
    ['a wrong letter', 'mermalade'],
    ['two letters swapped', 'marmaalde'],
    ['two letters swapped in the middle', 'maramlade'],
    ['the first letter', 'armalade'],
    ['the last letter', 'marmaladr'],
    ['another form of the word', 'marmalads'],
    ['one word of several', 'orange marmelade'],
    ['one in each word', 'oronge marmelade'],
  ])('a mistake: %s', async (_, search) => {
    const known = await service.editor.get('note', 'search=orange marmalade')
    if (known.body.total === 0)
      await service.editor.post('note', { title: 'Orange marmalade', heading: 'jar', secret: 'zeppelin' })
    expect(await found(`search=${search}`)).toEqual(['Orange marmalade'])
  })

  it('no mistake: two of them, short words, numbers, hidden words, and where words are found', async () => {
    await service.editor.post('note', { title: 'Cats 12345', text: 'orchid' })
    for (const search of ['mermelade', 'cets', '12346', 'zepelin', 'orange xyzzy', 'autocomplete=marmelad']) {
      expect(await found(search.includes('=') ? search : `search=${search}`)).toEqual([])
    }
    expect(await found('search=zepelin', service.editor)).toEqual(['Orange marmalade'])
    await service.editor.post('note', { title: 'Orchis' })
    expect(await found('search=orchid')).toEqual(['Cats 12345'])
    expect(await found('search=orchiz')).toEqual(['Orchis', 'Cats 12345'])
    expect(await found('search=orchiz&title=orchis')).toEqual(['Orchis'])
  })

  it('counts and choices are of what is found with a mistake', async () => {
    const { body } = await service.anonymous.get('note', 'search=marmelade&counts=heading')
    expect(body.counts.heading).toMatchObject([{ count: 1 }])
  })
})
