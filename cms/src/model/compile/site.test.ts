import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CmsError } from '../../base/errors.ts'
import { defineFieldType, field, page, piece, query, widget } from '../declared/content-type.ts'
import { blankFields, readFields } from '../values/schema.ts'
import { compileSite, defineSite } from './site.ts'

const topic = piece('topic', {
  fields: { add: { _articles: { type: 'relationshipReverse', withType: 'article', reverseOf: '_topics' } } },
})

const article = piece('article', {
  label: 'Article',
  fields: {
    add: {
      title: { type: 'string', label: 'Headline', max: 80 },
      headingColor: { type: 'color' },
      price: { type: 'float', min: 0, def: 2.5 },
      _topics: { type: 'relationship', withType: 'topic' },
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold'] }, frame: {} } },
    },
  },
  publicApiProjection: ['title', '_topics', 'topicsIds', '_url'],
  sort: { price: 1, title: -1 },
  cache: { maxAge: 60 },
  queries: { minPrice: query({ input: z.coerce.number(), where: (value) => ({ price: { min: value } }) }) },
})

const frame = widget('frame', { fields: { add: { inner: { type: 'area', widgets: { frame: {}, quote: {} } } } } })
const quote = widget('quote', { label: 'Quotation', fields: { add: { words: { type: 'string', required: true } } } })

const types = [article, topic] as const
const site = compileSite(defineSite({ types, widgets: [frame, quote] }))
const articles = site.types.get('article')

describe('a compiled site', () => {
  it('§2 nothing at all is a site', () => {
    const empty = compileSite(defineSite({}))
    expect([...empty.types.keys()]).toEqual([
      '@cms/image',
      '@cms/file',
      '@cms/user',
      '@cms/image-tag',
      '@cms/file-tag',
      '@cms/home-page',
      '@cms/archive-page',
      '@cms/global',
      '@cms/styles',
    ])
    expect(empty.defaultLocale).toBe('en')
    expect(empty.limits).toEqual({
      bodyBytes: 16777216,
      uploadBytes: 104857600,
      perPage: 500,
      ids: 500,
      depth: 20,
      crops: 100,
      imageMemory: 600_000_000,
    })
  })

  it('§2.1 every type begins with title, slug, visibility and archived', () => {
    const names = articles?.fields.list.map(({ name }) => name)
    expect(names?.slice(0, 5)).toEqual(['title', 'slug', 'visibility', 'archived', 'headingColor'])
    expect(articles?.fields.byName.get('title')).toMatchObject({
      label: 'Headline',
      required: true,
      options: { max: 80 },
    })
    expect(site.types.get('topic')?.fields.byName.get('title')).toMatchObject({ label: 'Title', options: { max: 500 } })
    expect(articles?.fields.byName.get('visibility')).toMatchObject({ def: 'public' })
  })

  it('§2.16 labels are the names in words', () => {
    expect(articles?.fields.byName.get('headingColor')?.label).toBe('Heading color')
    expect(articles?.fields.byName.get('_topics')?.label).toBe('Topics')
    expect(site.types.get('topic')).toMatchObject({ label: 'Topic', pluralLabel: 'Topics' })
  })

  it('§2.17 type options and their defaults', () => {
    expect(articles).toMatchObject({
      sort: [
        { field: 'price', direction: 1 },
        { field: 'title', direction: -1 },
      ],
      maxAge: 60,
    })
    expect(articles?.publicProjection).toEqual(new Set(['title', '_topics', 'topicsIds', '_url']))
    expect(site.types.get('topic')).toMatchObject({
      publicProjection: null,
      sort: [{ field: 'updatedAt', direction: -1 }],
      perPage: 10,
      localized: true,
      versions: true,
      maxAge: null,
      viewRole: null,
    })
    expect(site.types.get('@cms/global')?.singleton).toBe(true)
  })

  it('§4.3 relationships to images have focal point and crop', () => {
    const image = articles?.fields.byName.get('_image')
    expect(image?.options).toHaveProperty('children.list.length', 6)
    expect(articles?.fields.byName.get('_topics')?.options).toHaveProperty('children.list.length', 0)
  })

  it('§2.1 widgets may hold areas that allow them themselves, or widgets declared later', () => {
    const uses = usesOf(articles?.fields.byName.get('body')?.options)
    const inner = usesOf(uses.get('frame')?.fields.byName.get('inner')?.options)
    expect(usesOf(inner.get('frame')?.fields.byName.get('inner')?.options).get('quote')?.label).toBe('Quotation')
  })

  it('§2.1 an area says what its rich text may hold', () => {
    const content = usesOf(articles?.fields.byName.get('body')?.options)
      .get('@cms/rich-text')
      ?.fields.byName.get('content')
    expect(content?.options).toMatchObject({ toolbar: ['bold'] })
    expect(site.widgets.get('@cms/rich-text')?.fields.byName.get('content')?.options).not.toHaveProperty('toolbar')
  })

  it('§0.1 the namespace stands in place of @cms in every name', () => {
    const site = compileSite(defineSite({ namespace: '@apostrophecms', types, widgets: [frame, quote] }))
    expect(site.types.has('@apostrophecms/image')).toBe(true)
    expect([...site.types.keys(), ...site.widgets.keys()].filter((name) => name.startsWith('@cms'))).toEqual([])
    const article = site.types.get('article')
    expect(article?.fields.byName.get('_image')?.options).toHaveProperty('withType', ['@apostrophecms/image'])
    expect(article?.fields.byName.get('_image')?.options).toHaveProperty('children.list.length', 6)
    expect([...usesOf(article?.fields.byName.get('body')?.options).keys()]).toEqual([
      '@apostrophecms/rich-text',
      'frame',
    ])
  })

  it('§2.16 a site has its own field types', () => {
    const stars = defineFieldType({
      name: 'stars',
      options: z.strictObject({ most: z.number() }),
      blank: () => null,
      read: (input, { most }, reading) => {
        if (typeof input === 'number' && input <= most) return input
        reading.problem(`At most ${most} stars.`)
        return null
      },
      toText: (value: number) => '*'.repeat(value),
      jsonSchema: () => ({ type: 'number' }),
    })
    const rated = piece('rated', { fields: { add: { rating: field(stars, { most: 5, label: 'Stars' }) } } })
    const site = compileSite(defineSite({ types: [rated], fieldTypes: [stars] }))
    expect(site.types.get('rated')?.fields.byName.get('rating')).toMatchObject({ label: 'Stars', options: { most: 5 } })
    expect(() => compileSite(defineSite({ types: [rated] }))).toThrow(
      '"stars" is not a field type; there are area, array, ',
    )
  })

  it('§4.2 page types show what the site says, unless they say otherwise themselves', () => {
    const plain = page('plain')
    const open = page('open', { publicApiProjection: ['title', '_children'] })
    const site = compileSite(defineSite({ types: [plain, open], pages: { publicApiProjection: ['title', 'slug'] } }))
    expect(site.types.get('plain')?.publicProjection).toEqual(new Set(['title', 'slug']))
    expect(site.types.get('open')?.publicProjection).toEqual(new Set(['title', '_children']))
  })

  it('§4.1 a query reads its value, and refuses others by name', () => {
    const minPrice = articles?.queries.get('minPrice')
    expect(minPrice?.where('3')).toEqual({ price: { min: 3 } })
    expect(minPrice?.jsonSchema).toEqual({ type: 'number' })
    expect(() => minPrice?.where('cheap')).toThrow(
      expect.objectContaining({
        name: 'invalid',
        message: expect.stringContaining('minPrice'),
      }) satisfies Partial<CmsError>,
    )
  })

  it('is frozen in any depth, but for what the site author made', () => {
    expect(Object.isFrozen(site)).toBe(true)
    expect(Object.isFrozen(articles?.fields.byName.get('price')?.options)).toBe(true)
    expect(() => Reflect.get(site.types, 'set')('a', 'b')).toThrow('frozen')
    expect(() => Reflect.get(articles?.publicProjection ?? {}, 'add')('a')).toThrow('frozen')
    const own = { name: 'own', state: { count: 0 } }
    const features = compileSite(defineSite({ features: [own] })).features
    expect(features).toEqual([own])
    expect(Object.isFrozen(own.state)).toBe(false)
  })

  it('§2 reads and blanks values by its frozen fields', () => {
    const fields = articles?.fields ?? expect.fail('no article')
    const body = '<p>One <b>bold</b> <script>word</script></p>'
    const input = { title: 'One', price: '3', body, _image: [{ _id: 'img', _fields: { x: 0.5 } }] }
    const options = { newId: () => 'id', mayEdit: () => true, maxDepth: site.limits.depth, before: null }
    const { values, problems } = readFields(fields, input, options)
    expect(problems).toEqual([])
    expect(values).toMatchObject({ title: 'One', visibility: 'public', archived: false, price: 3, imageIds: ['img'] })
    expect(values).toMatchObject({ imageFields: { img: { x: 0.5 } }, body: { items: [{ type: '@cms/rich-text' }] } })
    expect(JSON.stringify(values)).not.toContain('script')
    expect(blankFields(fields, () => 'id')).toMatchObject({ title: '', price: 2.5, topicsIds: [] })
  })

  it('can be compiled again from the same declaration', () => {
    const declared = defineSite({ types, widgets: [frame, quote] })
    expect(compileSite(declared).types.size).toBe(compileSite(declared).types.size)
  })
})

interface Use {
  readonly label: string
  readonly fields: { readonly byName: ReadonlyMap<string, { readonly options: object }> }
}

function usesOf(options: object | undefined): ReadonlyMap<string, Use> {
  const uses = options && 'uses' in options ? options.uses : undefined
  // `as`: what the field type `area` compiles to.
  return uses instanceof Map ? (uses as ReadonlyMap<string, Use>) : new Map()
}
