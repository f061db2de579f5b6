import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type App,
  type Context,
  defineSite,
  findPieces,
  html,
  page,
  piece,
  type Shown,
  type ShownImage,
  type ShownWidget,
  type SiteApp,
  type TemplateData,
  templatesFor,
  widget,
  withTemplates,
} from '../src/index.ts'
import { describeService } from './service.ts'

// A site whose types relate to each other in circles, and whose widgets hold themselves.

const author = piece('author', {
  publicApiProjection: ['title', 'town', '_best', '_url'],
  fields: {
    add: {
      town: { type: 'string' },
      _best: { type: 'relationship', withType: 'article', withRelationships: ['_authors'] },
      _picture: {
        type: 'relationship',
        withType: '@cms/image',
        builders: { project: { title: 1, attachment: 1 } },
      },
    },
  },
})

const article = piece('article', {
  publicApiProjection: ['title', 'lead', 'body', '_authors', '_url'],
  fields: {
    add: {
      lead: { type: 'string' },
      section: { type: 'select', choices: ['news', 'essay'] },
      body: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/layout': {}, quote: {}, columns: {} } },
      _authors: {
        type: 'relationship',
        withType: 'author',
        withRelationships: ['_best'],
        fields: { add: { part: { type: 'string' } } },
      },
    },
  },
})

const quote = widget('quote', {
  fields: { add: { words: { type: 'string', required: true } } },
  styles: { add: { align: 'alignment' } },
})
const columns = widget('columns', {
  fields: {
    add: {
      left: { type: 'area', widgets: { columns: {}, quote: {} } },
      _lead: { type: 'relationship', withType: 'article' },
    },
  },
})
const articles = page('articles', {
  publicApiProjection: ['title', 'intro', '_url', '_children', '_ancestors'],
  piecesType: 'article',
  piecesFilters: ['section'],
  fields: { add: { intro: { type: 'string' }, main: { type: 'area', widgets: { quote: {} } } } },
})

const model = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [author, article, articles],
  widgets: [quote, columns],
  global: { fields: { add: { motto: { type: 'string' } } } },
})

type Article = Shown<typeof model, 'article'>
type Author = Article['_authors'][number]

describe('§4.2b a site’s templates know', () => {
  test('related documents as deep as they are filled in', () => {
    expectTypeOf<Article['type']>().toEqualTypeOf<'article'>()
    expectTypeOf<Author['town']>().toEqualTypeOf<string>()
    expectTypeOf<Author['_fields']['part']>().toEqualTypeOf<string>()
    expectTypeOf<Author['_best'][number]['lead']>().toEqualTypeOf<string>()
    expectTypeOf<Author['_best'][number]['_authors'][number]['town']>().toEqualTypeOf<string>()
    expectTypeOf<Author>().not.toHaveProperty('_picture')
    expectTypeOf<Author['pictureIds']>().toEqualTypeOf<string[]>()
  })

  test('what a relationship projects', () => {
    type Picture = Shown<typeof model, 'author'>['_picture'][number]
    expectTypeOf<Picture['attachment']>().toEqualTypeOf<ShownImage['attachment']>()
    expectTypeOf<Picture>().not.toHaveProperty('alt')
  })

  test('widgets by their type, at any depth', () => {
    const check = ({ body }: Article) => {
      for (const item of body.items) {
        if (item.type === 'quote') {
          expectTypeOf(item.words).toEqualTypeOf<string>()
          expectTypeOf(item.align).toEqualTypeOf<'apos-left' | 'apos-center' | 'apos-right' | null>()
        }
        if (item.type === 'columns') expectTypeOf(item._lead[0]?.lead).toEqualTypeOf<string | undefined>()
        if (item.type === '@cms/rich-text') expectTypeOf(item.content).toEqualTypeOf<string>()
        if (item.type === '@cms/layout') {
          expectTypeOf(item.columns.items[0]?.content.items[0]?.type).toEqualTypeOf<
            '@cms/rich-text' | '@cms/image' | '@cms/video' | '@cms/file' | 'quote' | 'columns' | undefined
          >()
        }
      }
    }
    expectTypeOf(check).toBeFunction()
    expectTypeOf<ShownWidget<typeof model, 'columns'>['left']['items'][number]['type']>().toEqualTypeOf<
      'columns' | 'quote'
    >()
  })

  test('pages around the page, and the global document', () => {
    type Data = TemplateData<typeof model, 'articles', 'index'>
    expectTypeOf<Data['pieces'][number]['lead']>().toEqualTypeOf<string>()
    expectTypeOf<Data['currentPage']>().toEqualTypeOf<number>()
    expectTypeOf<Data['page']['intro']>().toEqualTypeOf<string>()
    expectTypeOf<Data['page']['_ancestors'][number]['_url']>().toEqualTypeOf<string>()
    expectTypeOf<Data['global']['motto']>().toEqualTypeOf<string>()
    type Near = NonNullable<Data['home']>['_children'][number]
    expectTypeOf<Near['type']>().toEqualTypeOf<'articles' | '@cms/home-page' | '@cms/archive-page'>()
    expectTypeOf<Extract<Near, { type: 'articles' }>['intro']>().toEqualTypeOf<string>()
    expectTypeOf<Extract<Near, { type: 'articles' }>>().not.toHaveProperty('main')
    expectTypeOf<TemplateData<typeof model, 'articles', 'show'>['piece']['section']>().toEqualTypeOf<
      'news' | 'essay' | null
    >()
    expectTypeOf<NonNullable<TemplateData<typeof model>['piece']>['lead']>().toEqualTypeOf<string>()
  })

  test('calls on content, also where the site is not known', () => {
    const check = async (app: SiteApp<typeof model>, ctx: Context) => {
      const content = app.as({ role: 'editor', name: 'Import' })
      await content.insert('article', { title: 'A', body: '<p>Text</p>' })
      await content.insert('article', {
        title: 'A',
        body: { items: [{ type: 'quote', words: 'x', align: 'apos-left' }] },
      })
      await content.insert('article', { _copyingId: 'a' })
      await content.patch('articles', 'a', { orphan: true, _targetId: '_home', _position: 'firstChild' })
      await content.insert('@cms/image', { title: 'A' })
      await content.replace('article', 'a', { _restoreVersion: 'v' })
      await content.find('article', { authors: 'ann', _authorsAnd: ['a', 'b'], createdAt: { min: '2026-01-01' } })
      await content.find('article', { choices: 'section', project: { 'body.items': 1, _url: 1 }, sort: '-updatedAt' })
      await content.find('article', { state: ['draft', 'modified'], updatedBy: 'u', sort: { lastPublishedAt: -1 } })
      await content.find('article', {
        publishAt: { $exists: true },
        archiveAt: { max: '2026-01-01' },
        sort: '-publishAt',
      })
      await content.find('@cms/image', {
        hasAlt: false,
        isUsed: false,
        extension: ['jpg'],
        minWidth: 600,
        minHeight: 4,
      })
      await content.patch('article', 'a', {
        $push: { _authors: { _id: 'a' }, 'body.items': { type: 'quote', words: 'x' } },
      })
      await content.patch('article', 'a', { $move: { authorsIds: { $item: 'a', $before: 'b' } }, '@x.words': 'y' })
      expectTypeOf((await content.tree())._children[0]?.title).toEqualTypeOf<string | undefined>()
      expectTypeOf((await findPieces(ctx, 'article', { lead: 'x' })).results[0]?.title).toEqualTypeOf<
        string | undefined
      >()
      const loose: App = app
      return loose
    }
    expectTypeOf(check).toBeFunction()
  })
})

const templates = templatesFor<typeof model>()
const show = templates.show('articles', {
  data: async (ctx) => (await findPieces(ctx, 'article', { _authors: 'none' })).total,
  render: ({ piece }, { data, area }) => html`<h1>${piece.title}</h1><i>${data}</i>${area(piece.body)}`,
})
const said = templates.widget('quote', { render: ({ words }) => html`<q>${words}</q>` })
const layout = templates.layout((content, { global }) => html`<body><b>${global.motto}</b>${content}</body>`)
const notFound = templates.notFound({ render: ({ home }) => html`<p>Back to ${home?.slug}</p>` })

const site = withTemplates(model, [show, said, layout, notFound])

describeService('§4.2b withTemplates', { site, isLong: true }, (service) => {
  test('adds them to the site', async () => {
    const content = service.app.context({ kind: 'anonymous' }).as<typeof site>({ role: 'admin', name: 'Test' })
    const global = await content.findOne('@cms/global', {})
    await content.patch('@cms/global', global?._id ?? '', { motto: 'Slowly' })
    await content.insert('articles', { title: 'All', _targetId: '_home', _position: 'lastChild' })
    await content.insert('article', { title: 'One', body: { items: [{ type: 'quote', words: 'Wait' }] } })
    const read = async (path: string) => (await fetch(service.address + path)).text()
    expect(await read('/all/one')).toMatch(/<b>Slowly<\/b>.*<h1>One<\/h1><i>1<\/i>.*<q>Wait<\/q>/s)
    expect(await read('/nowhere')).toContain('<p>Back to /</p>')
  })

  test('leaves the site as it was', () => {
    expect(model.options).not.toHaveProperty('layout')
    expect(JSON.stringify(article.options)).not.toContain('render')
  })

  test('refuses templates of what the site does not have', () => {
    const other = defineSite({ types: [page('articles'), piece('article')] })
    expect(() => withTemplates(defineSite({}), [show])).toThrow('the show “articles”, which the site does not declare')
    expect(() => withTemplates(other, [said])).toThrow('the widget “quote”, which the site does not declare')
  })
})
