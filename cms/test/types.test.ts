import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { referenceStyles } from '../../conformance/types/styles.ts'
import type {
  Context,
  Html,
  Json,
  PageData,
  SaveEvent,
  Scene,
  SceneWith,
  ShownImage,
  WriteContext,
} from '../src/index.ts'
import {
  createApp,
  type DocumentOf,
  defineFieldType,
  defineSite,
  field,
  html,
  page,
  piece,
  query,
  widget,
} from '../src/index.ts'

const stars = defineFieldType({
  name: 'stars',
  options: z.strictObject({ most: z.number() }),
  blank: () => null,
  read: (input) => (typeof input === 'number' ? input : null),
  toText: (value: number) => '*'.repeat(value),
  jsonSchema: () => ({ type: 'number' }),
})

const author = piece('author', { label: 'Author', fields: { add: { born: { type: 'date' } } } })

const article = piece('article', {
  label: 'Article',
  fields: {
    add: {
      subtitle: { type: 'string', max: 120 },
      count: { type: 'integer', def: 7 },
      featured: { type: 'boolean' },
      section: {
        type: 'select',
        choices: [
          { value: 'news', label: 'News' },
          { value: 'essay', label: 'Essay' },
        ],
        def: 'news',
      },
      tags: {
        type: 'checkboxes',
        choices: [
          { value: 'red', label: 'Red' },
          { value: 'blue', label: 'Blue' },
        ],
        def: ['red'],
      },
      _authors: { type: 'relationship', withType: 'author', fields: { add: { why: { type: 'string' } } } },
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
      links: {
        type: 'array',
        titleField: 'label',
        fields: {
          add: { label: { type: 'string' }, more: { type: 'object', fields: { add: { n: { type: 'float' } } } } },
        },
      },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold'] }, quote: {} } },
      rating: field(stars, { label: 'Stars', most: 5 }),
    },
    group: { basics: { label: 'Basics', fields: ['title', 'subtitle', 'section'] } },
  },
  publicApiProjection: ['title', 'slug', 'section', 'body', '_authors', 'authorsIds', '_url', 'createdAt'],
  sort: { count: 1, updatedAt: -1 },
  queries: {
    atLeast: query({ input: z.coerce.number(), where: (value) => ({ count: { min: value } }) }),
  },
  hooks: {
    beforeSave(article, event, ctx) {
      expectTypeOf(article.section).toEqualTypeOf<'news' | 'essay' | null>()
      expectTypeOf(event).toEqualTypeOf<SaveEvent>()
      expectTypeOf(ctx).toEqualTypeOf<WriteContext>()
      article.count = 3
      // @ts-expect-error: no choice of the field
      article.section = 'poem'
    },
  },
})

const quote = widget('quote', {
  label: 'Quotation',
  fields: { add: { words: { type: 'string', required: true }, inner: { type: 'area', widgets: { quote: {} } } } },
})

describe('documents as TypeScript types', () => {
  it('§2 values follow the declared fields in any depth', () => {
    type Article = DocumentOf<typeof article>
    expectTypeOf<Article['title']>().toEqualTypeOf<string>()
    expectTypeOf<Article['archived']>().toEqualTypeOf<boolean>()
    expectTypeOf<Article['subtitle']>().toEqualTypeOf<string>()
    expectTypeOf<Article['count']>().toEqualTypeOf<number | null>()
    expectTypeOf<Article['featured']>().toEqualTypeOf<boolean>()
    expectTypeOf<Article['tags']>().toEqualTypeOf<('red' | 'blue')[]>()
    expectTypeOf<Article['authorsIds']>().toEqualTypeOf<string[]>()
    expectTypeOf<NonNullable<Article['authorsFields']>[string]['why']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<Article['imageFields']>[string]['x']>().toEqualTypeOf<number | null | undefined>()
    expectTypeOf<Article['links'][number]['_id']>().toEqualTypeOf<string>()
    expectTypeOf<Article['links'][number]['more']['n']>().toEqualTypeOf<number | null>()
    expectTypeOf<Article['body']['items'][number]['type']>().toEqualTypeOf<'@cms/rich-text' | 'quote'>()
    expectTypeOf<Article['rating']>().toEqualTypeOf<number | null>()
    expectTypeOf<Article>().not.toHaveProperty('_authors')
  })

  it('§2.1 types without fields of their own have the common ones', () => {
    const note = piece('note', { publicApiProjection: ['title', 'slug'] })
    expectTypeOf<keyof DocumentOf<typeof note>>().toEqualTypeOf<'title' | 'slug' | 'visibility' | 'archived'>()
  })
})

describe('what compiles', () => {
  it('a whole site', () => {
    defineSite({
      baseUrl: 'https://example.org',
      locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
      types: [
        author,
        article,
        page('landing', { fields: { add: { main: { type: 'area', widgets: { quote: {} } } } } }),
      ],
      widgets: [quote],
      fieldTypes: [stars],
      features: [{ name: 'robots' }],
      global: {
        fields: { add: { footer: { type: 'string' }, _article: { type: 'relationship', withType: 'article' } } },
      },
    })
    defineSite({ name: 'Empty' })
  })
})

describe('what does not compile', () => {
  it('an unknown field type', () => {
    // @ts-expect-error: no field type
    piece('a', { fields: { add: { name: { type: 'strin' } } } })
    // @ts-expect-error: own field types are declared by `field`
    piece('a', { fields: { add: { name: { type: 'stars', most: 5 } } } })
    // @ts-expect-error: an option that is missing
    field(stars, { label: 'Stars' })
  })

  it('an unknown option, in any depth', () => {
    // @ts-expect-error: mx
    piece('a', { fields: { add: { name: { type: 'string', mx: 3 } } } })
    // @ts-expect-error: mx, in an array
    piece('a', { fields: { add: { list: { type: 'array', fields: { add: { name: { type: 'string', mx: 3 } } } } } } })
    // @ts-expect-error: choices
    piece('a', { fields: { add: { name: { type: 'string', choices: [] } } } })
    // @ts-expect-error: an option of the type itself
    piece('a', { pluralLable: 'As' })
    // @ts-expect-error: an option of a widget type
    widget('a', { lable: 'A' })
    // @ts-expect-error: the field that names a widget
    widget('a', { titleField: 'words', fields: { add: { word: { type: 'string' } } } })
    widget('a', { titleField: 'word', fields: { add: { word: { type: 'string' } } } })
    // @ts-expect-error: an option of the site
    defineSite({ nam: 'Site' })
  })

  it('an option that is missing or of the wrong kind', () => {
    // @ts-expect-error: choices are missing
    piece('a', { fields: { add: { name: { type: 'select' } } } })
    // @ts-expect-error: a number is needed
    piece('a', { fields: { add: { name: { type: 'string', max: '3' } } } })
    // @ts-expect-error: no role
    piece('a', { viewRole: 'boss' })
    // @ts-expect-error: no role
    piece('a', { fields: { add: { name: { type: 'string', viewPermission: 'boss' } } } })
  })

  it('a default that is not a choice', () => {
    // @ts-expect-error: c
    piece('a', { fields: { add: { kind: { type: 'select', choices: [{ value: 'b', label: 'B' }], def: 'c' } } } })
    // @ts-expect-error: c
    piece('a', { fields: { add: { kind: { type: 'checkboxes', choices: [{ value: 'b', label: 'B' }], def: ['c'] } } } })
  })

  it('a name that is not a field', () => {
    piece('a', {
      fields: { add: { _topics: { type: 'relationship', withType: 'a' } } },
      // @ts-expect-error: topics is _topics
      publicApiProjection: ['topics'],
    })
    // @ts-expect-error: price
    piece('a', { fields: { add: { name: { type: 'string' } } }, sort: { price: 1 } })
    // @ts-expect-error: topics is _topics
    piece('a', { fields: { add: { _topics: { type: 'relationship', withType: 'a' } } }, searchable: ['topics'] })
    // @ts-expect-error: no relationship
    piece('a', { fields: { add: { name: { type: 'string' } } }, searchable: ['name'] })
    // @ts-expect-error: nam
    piece('a', { fields: { add: { name: { type: 'string' } } }, searchWeights: { nam: 'high' } })
    // @ts-expect-error: no weight
    piece('a', { fields: { add: { name: { type: 'string' } } }, searchWeights: { name: 'higher' } })
    // @ts-expect-error: an area has no order
    piece('a', { fields: { add: { main: { type: 'area', widgets: {} } } }, sort: { main: 1 } })
    // @ts-expect-error: price
    piece('a', { fields: { add: { name: { type: 'string' } }, group: { all: { label: 'All', fields: ['price'] } } } })
    piece('a', {
      fields: { add: { name: { type: 'string' } } },
      // @ts-expect-error: price
      queries: { least: query({ input: z.coerce.number(), where: (value) => ({ price: { min: value } }) }) },
    })
    // @ts-expect-error: titleField
    piece('a', { fields: { add: { l: { type: 'array', titleField: 'x', fields: { add: { y: { type: 'url' } } } } } } })
    // @ts-expect-error: neither a field of any type nor a property
    defineSite({ global: { fields: { add: { footer: { type: 'string' } }, group: { a: { fields: ['foter'] } } } } })
  })

  it('a relationship without its underscore, and the reverse', () => {
    // @ts-expect-error: _topics
    piece('a', { fields: { add: { topics: { type: 'relationship', withType: 'a' } } } })
    // @ts-expect-error: name
    piece('a', { fields: { add: { _name: { type: 'string' } } } })
  })

  it('a type that the site does not have', () => {
    const wrong = piece('wrong', { fields: { add: { _authors: { type: 'relationship', withType: 'autor' } } } })
    // @ts-expect-error: autor
    defineSite({ types: [author, wrong] })
    const several = piece('several', {
      fields: { add: { _all: { type: 'relationship', withType: ['author', '@cms/image', '@cms/any-page'] } } },
    })
    defineSite({ types: [author, several] })
    const wrongList = piece('several', {
      fields: { add: { _all: { type: 'relationship', withType: ['author', 'autor'] } } },
    })
    // @ts-expect-error: autor
    defineSite({ types: [author, wrongList] })
    // @ts-expect-error: the author is not in the site
    defineSite({ types: [article], widgets: [quote] })
    // @ts-expect-error: autor
    defineSite({ global: { fields: { add: { _a: { type: 'relationship', withType: 'autor' } } } } })
    const nested = widget('nested', {
      fields: { add: { o: { type: 'object', fields: { add: { _a: { type: 'relationship', withType: 'autor' } } } } } },
    })
    // @ts-expect-error: autor, in an object of a widget
    defineSite({ types: [author], widgets: [nested] })
  })

  it('a widget type that the site does not have', () => {
    // @ts-expect-error: quote
    defineSite({ types: [author, article] })
    // @ts-expect-error: quote, in a widget of the site
    defineSite({ widgets: [widget('frame', { fields: { add: { main: { type: 'area', widgets: { quote: {} } } } } })] })
  })
})

/** A template that stands by itself. */
const renderPiece = ({ piece }: { piece?: { title: string } }, { data }: SceneWith<number>) =>
  html`${piece?.title} ${data.toFixed()}`

describe('§4.2b templates', () => {
  it('a widget has its values as answers hold them, and what data has loaded', () => {
    widget('card', {
      fields: {
        add: {
          title: { type: 'string' },
          tone: { type: 'select', choices: ['soft', 'loud'] },
          inner: { type: 'area', widgets: { quote: {} } },
          links: { type: 'array', fields: { add: { href: { type: 'url' } } } },
          _image: { type: 'relationship', withType: '@cms/image', max: 1 },
          _articles: { type: 'relationship', withType: 'article', fields: { add: { why: { type: 'string' } } } },
          _several: { type: 'relationship', withType: ['article', '@cms/image'] },
          file: { type: 'attachment' },
        },
      },
      data: async (ctx, widgets) => {
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        return widgets.map(({ title }) => ({ length: title.length }))
      },
      render: (card, scene) => {
        expectTypeOf(card._id).toEqualTypeOf<string>()
        expectTypeOf(card.tone).toEqualTypeOf<'soft' | 'loud' | null>()
        expectTypeOf(card.links[0]?.href).toEqualTypeOf<string | null | undefined>()
        expectTypeOf(card._image[0]).toExtend<ShownImage | undefined>()
        expectTypeOf<ShownImage>().toExtend<(typeof card._several)[number]>()
        // @ts-expect-error: not all of them are images
        const _alt = () => card._several[0]?.alt.length
        expectTypeOf(card._articles[0]?._fields.why).toEqualTypeOf<string | undefined>()
        expectTypeOf(card._articles[0]?.title).toEqualTypeOf<string | undefined>()
        expectTypeOf(card.file?._url).toEqualTypeOf<string | undefined>()
        expectTypeOf(scene).toExtend<Scene>()
        expectTypeOf(scene.data).toEqualTypeOf<{ length: number }>()
        expectTypeOf(scene.area(card.inner)).toEqualTypeOf<Html>()
        // @ts-expect-error: no field of the widget
        const _unknown = () => html`${card.titel}`
        // @ts-expect-error: an area is rendered by the scene
        const _area = () => html`${card.inner}`
        return html`<h2>${card.title}</h2>${card._articles.map(({ title }) => html`<i>${title}</i>`)}`
      },
    })
  })

  it('a page has its fields, and an index page its pieces', () => {
    page('landing', {
      fields: { add: { intro: { type: 'string' } } },
      data: async (_ctx, data) => data.page.intro.length,
      render: (data, { data: length }) => {
        expectTypeOf(data).toExtend<PageData<{ intro: string; title: string; _url: string }, object>>()
        expectTypeOf(length).toEqualTypeOf<number>()
        return html`<h1>${data.page.title}</h1>`
      },
    })
    page('articles', {
      index: {
        data: async () => ['a'],
        render: ({ pieces = [] }, { data }) => {
          expectTypeOf(data).toEqualTypeOf<string[]>()
          return html`${pieces.map(({ title }) => title)}`
        },
      },
      show: {
        async data() {
          return 1
        },
        render: renderPiece,
      },
    })
    const wrong = () =>
      page('articles', {
        show: {
          // @ts-expect-error: the template takes a number
          data: async () => 'no number',
          render: renderPiece,
        },
      })
    expectTypeOf(wrong).toBeFunction()
    defineSite({
      layout: (content, { page }, { locale }) => html`<html lang="${locale}">${page?.title}${content}</html>`,
    })
    defineSite({ layout: 'layout.njk', templates: new URL('./templates', import.meta.url) })
  })

  it('what is not HTML does not render', () => {
    // @ts-expect-error: a text
    widget('a', { render: () => '<b>' })
    // @ts-expect-error: a promise
    widget('a', { render: async () => html`` })
    // @ts-expect-error: one value for each widget
    widget('a', { data: async () => 1, render: () => html`` })
    // @ts-expect-error: a promise
    const _promise = () => html`${Promise.resolve('')}`
    // @ts-expect-error: a function
    const _function = () => html`${() => ''}`
    // @ts-expect-error: pieces are rendered by their index page
    piece('a', { render: () => html`` })
  })
})

describe('§2.8 styles', () => {
  it('of a site and of a widget type compile', () => {
    defineSite({ styles: referenceStyles })
    defineSite({
      styles: {
        add: { ink: { type: 'color', selector: ['h1', 'h2'], property: 'color', if: { fancy: true } }, pad: 'padding' },
        group: { all: { label: 'All', fields: ['ink'], group: { more: { fields: ['pad'] } } } },
        defaultStyles: { borderColor: '#ccc' },
        serverRendered: true,
        registerPresets: (presets) => presets.setPreset('glow', { type: 'color', property: 'accent-color' }),
        getStylesheet: async (document, ctx) => {
          expectTypeOf(ctx).toEqualTypeOf<Context>()
          return { css: `a{color: ${document.ink}}`, classes: [] }
        },
      },
    })
    defineSite({ styles: { fields: { add: { pad: 'padding' }, group: { all: { fields: ['pad'] } } } } })
    widget('a', {
      styles: { add: { pad: 'padding', glow: { preset: 'glow' }, ink: { type: 'color', property: 'color' } } },
      stylesWrapper: false,
    })
  })

  it('values are known to what renders a widget', () => {
    const rendered = widget('a', {
      fields: { add: { text: { type: 'string' } } },
      styles: {
        add: {
          align: 'alignment',
          glow: 'glow',
          card: { preset: 'border', selector: '.card' },
          back: 'background',
          pad: { type: 'box', property: 'padding', unit: 'px' },
          size: { type: 'range', min: 1, max: 9, property: 'font-size', unit: 'px' },
          look: { type: 'select', class: true, choices: ['light', { value: 'dark', label: 'Dark' }] },
          wide: { type: 'boolean', class: 'wide' },
          link: {
            type: 'object',
            selector: 'a',
            fields: { add: { hover: { type: 'color', selector: ':hover', property: 'color' } } },
          },
        },
      },
      render: (own, { styles }) => {
        expectTypeOf(own.text).toEqualTypeOf<string>()
        expectTypeOf(own.align).toEqualTypeOf<'apos-left' | 'apos-center' | 'apos-right' | null>()
        expectTypeOf(own.glow).toEqualTypeOf<Json>()
        expectTypeOf(own.card.active).toEqualTypeOf<boolean>()
        expectTypeOf(own.back._image).toEqualTypeOf<ShownImage[]>()
        expectTypeOf(own.pad.top).toEqualTypeOf<number | null>()
        expectTypeOf(own.size).toEqualTypeOf<number | null>()
        expectTypeOf(own.look).toEqualTypeOf<'light' | 'dark' | null>()
        expectTypeOf(own.wide).toEqualTypeOf<boolean>()
        expectTypeOf(own.link.hover).toEqualTypeOf<string | null>()
        expectTypeOf(own).not.toHaveProperty('colour')
        return html`${styles.elements(styles.render(own))}`
      },
    })
    expectTypeOf(rendered.name).toEqualTypeOf<'a'>()
  })

  it('what the specification forbids does not', () => {
    // @ts-expect-error: no selector
    defineSite({ styles: { add: { ink: { type: 'color', property: 'color' } } } })
    // @ts-expect-error: no property
    defineSite({ styles: { add: { ink: { type: 'color', selector: 'a' } } } })
    // @ts-expect-error: property and class
    widget('a', { styles: { add: { x: { type: 'select', choices: ['a'], property: 'color', class: true } } } })
    // @ts-expect-error: a boolean has no property
    widget('a', { styles: { add: { x: { type: 'boolean', property: 'color' } } } })
    // @ts-expect-error: a colour has no classes
    widget('a', { styles: { add: { x: { type: 'color', class: true } } } })
    // @ts-expect-error: the class of a select is its value
    widget('a', { styles: { add: { x: { type: 'select', choices: ['a'], class: 'b' } } } })
    // @ts-expect-error: no type of styles
    widget('a', { styles: { add: { x: { type: 'area', property: 'color', widgets: {} } } } })
    // @ts-expect-error: no option
    widget('a', { styles: { add: { x: { type: 'color', property: 'color', unti: 'px' } } } })
    // @ts-expect-error: a colour has no unit
    widget('a', { styles: { add: { x: { type: 'color', property: 'color', unit: 'px' } } } })
    // @ts-expect-error: groups are for sites
    widget('a', { styles: { add: { pad: 'padding' }, group: { all: { fields: ['pad'] } } } })
    // @ts-expect-error: both forms
    defineSite({ styles: { add: { pad: 'padding' }, fields: { add: { mar: 'margin' } } } })
    // @ts-expect-error: no such field
    defineSite({ styles: { add: { pad: 'padding' }, group: { all: { fields: ['pda'] } } } })
    // @ts-expect-error: the fields of a preset
    widget('a', { styles: { add: { x: { preset: 'border', fields: { add: {} } } } } })
    // @ts-expect-error: a class and a property
    widget('a', { styles: { add: { x: { preset: 'alignment', class: true, property: 'color' } } } })
    // @ts-expect-error: everybody sees what a style makes
    widget('a', { styles: { add: { x: { type: 'color', property: 'color', viewPermission: 'admin' } } } })
    // @ts-expect-error: everybody sees what a style makes
    defineSite({ styles: { add: { x: { preset: 'width', selector: 'a', viewPermission: 'admin' } } } })
    // @ts-expect-error: presets are registered before the site is compiled
    defineSite({ styles: { registerPresets: async () => {} } })
    // @ts-expect-error: a preset in an object
    widget('a', { styles: { add: { x: { type: 'object', fields: { add: { y: 'padding' } } } } } })
    // @ts-expect-error: a preset in an object
    widget('a', { styles: { add: { x: { type: 'object', fields: { add: { y: { preset: 'padding' } } } } } } })
    const inner = { type: 'object', fields: { add: { z: { type: 'color', property: 'color' } } } } as const
    // @ts-expect-error: an object in an object
    widget('a', { styles: { add: { x: { type: 'object', fields: { add: { y: inner } } } } } })
    const unknown = { type: 'color', property: 'color', unti: 'px' } as const
    // @ts-expect-error: no option, in an object
    widget('a', { styles: { add: { x: { type: 'object', fields: { add: { y: unknown } } } } } })
    // @ts-expect-error: a template without a property
    widget('a', { styles: { add: { x: { type: 'object', valueTemplate: '%y%', fields: { add: {} } } } } })
  })
})

describe('content in process', () => {
  const landing = page('landing', { fields: { add: { lead: { type: 'string' } } } })
  const site = defineSite({ types: [author, article, landing], widgets: [quote], fieldTypes: [stars] })
  type App = Awaited<ReturnType<typeof create>>
  const create = () => createApp(site, { database: ':memory:' })

  it('knows the types of the site', () => {
    const check = async (app: App, ctx: Context) => {
      const content = app.as({ role: 'editor', name: 'Import' })
      const { results } = await content.find('article', { section: 'news', perPage: 3 })
      expectTypeOf(results[0]?.section).toEqualTypeOf<'news' | 'essay' | null | undefined>()
      await content.count('article', {
        section: ['news', 'essay'],
        count: { min: 1 },
        createdAt: { max: '2026-01-01' },
      })
      const one = await content.findOne('article', 'id')
      expectTypeOf(one?._authors[0]?._fields.why).toEqualTypeOf<string | undefined>()
      await content.insert('article', { title: 'A', section: 'essay', links: [{ label: 'x' }], authorsIds: ['a'] })
      await content.insertMany('article', [{ title: 'A', _authors: [{ _id: 'a' }] }])
      await content.patch('article', 'id', { 'links.0.label': 'y', $push: { tags: 'red' } })
      await content.insert('landing', { title: 'L', lead: 'x', _targetId: '_home', _position: 'lastChild' })
      await content.find('@cms/image', { search: 'harbour' })
      await content.patch('@cms/page', '_home', { title: 'Home' })
      const typed = await ctx.as<typeof site>({ user: 'u' }).find('article')
      expectTypeOf(typed.results[0]?.count).toEqualTypeOf<number | null | undefined>()
      const loose = await ctx.as(ctx.actor).find('whatever', { a: 1 })
      expectTypeOf(loose.results[0]?.title).toEqualTypeOf<string | undefined>()
    }
    expectTypeOf(check).toBeFunction()
  })

  it('is typed in jobs, too', () => {
    defineSite({
      types: [author, article, landing],
      widgets: [quote],
      fieldTypes: [stars],
      jobs: [
        {
          name: 'digest',
          every: '10m',
          as: { role: 'editor', name: 'Digest' },
          run: async ({ content }) => {
            const { results } = await content.find('article')
            expectTypeOf(results[0]?.section).toEqualTypeOf<'news' | 'essay' | null | undefined>()
            // @ts-expect-error: artcle
            await content.find('artcle')
          },
        },
      ],
    })
    const job = { name: 'x', as: { role: 'editor', name: 'X' }, run: () => {} } as const
    // @ts-expect-error: when?
    defineSite({ jobs: [job] })
    // @ts-expect-error: no interval
    defineSite({ jobs: [{ ...job, every: '10 minutes' }] })
    // @ts-expect-error: nobody acts
    defineSite({ jobs: [{ name: 'x', every: '10m', run: () => {} }] })
  })

  it('refuses what the site does not have', () => {
    const check = async (app: App, ctx: Context) => {
      // @ts-expect-error: nobody acts
      app.as()
      // @ts-expect-error: nobody acts
      ctx.as()
      // @ts-expect-error: no role
      app.as({ role: 'boss', name: 'Import' })
      // @ts-expect-error: no name
      app.as({ role: 'editor' })
      const content = app.as({ role: 'editor', name: 'Import' })
      // @ts-expect-error: artcle
      await content.find('artcle')
      // @ts-expect-error: artcle
      await ctx.as<typeof site>({ user: 'u' }).findOne('artcle', 'id')
      // @ts-expect-error: pages are in a tree
      await content.find('landing')
      // @ts-expect-error: a page needs a position
      await content.insert('landing', { title: 'L' })
      // @ts-expect-error: no choice
      await content.insert('article', { title: 'A', section: 'poem' })
      // @ts-expect-error: no choice
      await content.find('article', { section: 'poem' })
      // @ts-expect-error: no choice, among others
      await content.findOne('article', { section: ['news', 'poem'] })
      // @ts-expect-error: no field
      await content.insert('article', { title: 'A', sectoin: 'news' })
      // @ts-expect-error: no field
      await content.patch('article', 'id', { sectoin: 'news' })
      // @ts-expect-error: a number
      await content.patch('article', 'id', { count: 'many' })
    }
    expectTypeOf(check).toBeFunction()
  })
})
