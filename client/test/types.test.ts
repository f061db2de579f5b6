import { describe, expectTypeOf, test } from 'vitest'
import { add, at, createClient, type Json, move, push, set } from '../src/index.ts'
import type { site } from './site.ts'

// The compiler runs these tests: nothing is sent.
const connect = () => createClient<typeof site>({ url: 'http://localhost', key: 'key' })
const visit = () => createClient<typeof site>({ url: 'http://localhost' })
const unknown = () => createClient({ url: 'http://localhost', key: 'key' })

describe('client: types', () => {
  test('editor §14 results have the fields of their type', () => {
    const read = async () => {
      const { results } = await connect()
        .type('article')
        .list({ section: ['report', 'essay'], minutes: { min: 3 }, topicsAnd: ['rivers'], sort: '-minutes' })
      const [article] = results
      if (!article) return null
      expectTypeOf(article.section).toEqualTypeOf<'report' | 'essay' | null>()
      expectTypeOf(article._topics[0]?.note).toEqualTypeOf<string | undefined>()
      for (const block of article.body.items) {
        if (block.type === 'quote') expectTypeOf(block.words).toEqualTypeOf<string>()
        // @ts-expect-error a widget that the area does not have
        if (block.type === '@cms/video') return block
      }
      return article
    }
    expectTypeOf(read).toBeFunction()
  })

  test('editor §14 lists are filtered by states, translations, schedules and files', () => {
    const find = () => {
      const quire = connect()
      const articles = quire.type('article')
      articles.list({ state: ['draft', 'modified'], updatedBy: 'u1', sort: '-lastPublishedAt' })
      articles.list({ publishAt: { $exists: true }, archiveAt: { min: '2026-01-01' }, sort: { publishAt: 1 } })
      articles.list({ where: { $or: [{ publishAt: { $exists: false } }, { minutes: 3 }] } })
      quire.type('@cms/image').list({ hasAlt: false, isUsed: true, extension: ['jpg', 'png'], minWidth: 600 })
      quire.type('@cms/file').list({ extension: 'pdf' })
      quire.documents({ publishAt: { $exists: true }, sort: '-archiveAt' })
      // @ts-expect-error a state
      articles.list({ state: 'drafted' })
      // @ts-expect-error a locale
      articles.list({ missingIn: 'de' })
      // @ts-expect-error an operator of texts
      articles.list({ publishAt: { $contains: '2026' } })
      // @ts-expect-error a number of pixels
      quire.type('@cms/image').list({ minWidth: 'wide' })
    }
    expectTypeOf(find).toBeFunction()
  })

  test('editor §14 names and values that the site does not have are refused', () => {
    const wrong = () => {
      const quire = connect()
      // @ts-expect-error a type
      quire.type('artical')
      const articles = quire.type('article')
      // @ts-expect-error a filter
      articles.list({ sektion: 'report' })
      // @ts-expect-error a choice
      articles.list({ section: 'recipe' })
      // @ts-expect-error an operator of texts
      articles.list({ minutes: { $contains: 'x' } })
      // @ts-expect-error a sort
      articles.list({ sort: 'body' })
      // @ts-expect-error a projection
      articles.list({ project: { title: 1, sektion: 1 } })
      // @ts-expect-error a condition
      articles.first({ where: { $or: [{ sektion: 'report' }] } })
      // @ts-expect-error a locale
      quire.in({ locale: 'de' })
      // @ts-expect-error a field
      articles.create({ title: 'New', sektion: 'report' })
      // @ts-expect-error a required field of an item
      articles.create({ title: 'New', links: [{ to: 'https://example.org' }] })
      // @ts-expect-error a field of a widget
      articles.create({ title: 'New', body: { items: [{ type: 'quote', words: 'Wait.', author: 'Ann' }] } })
      // @ts-expect-error a value
      articles.patch('id', { minutes: 'four' })
      // @ts-expect-error pages have no list of their own
      quire.type('landing')
      // @ts-expect-error a page without a position
      quire.pages.insert('landing', { title: 'About' })
    }
    expectTypeOf(wrong).toBeFunction()
  })

  test('editor §14 operators are typed by the place that they name', () => {
    const edits = () => {
      const articles = connect().type('article')
      articles.edit('id', [
        set('subtitle', 'On ink'),
        at('w1').set('words', 'Wait.'),
        push('body.items', { type: 'quote', words: 'Wait.' }, { after: 'w1' }),
        push('links', { label: 'Home' }),
        move('_topics', 't1', { before: 't2' }),
      ])
      articles.edit('id', [
        { title: 'On ink', $push: { links: { label: 'Home' } } },
        push('body.items', { type: '@cms/rich-text', content: '<p>Ink</p>' }, { at: 0 }),
        push('_topics', { _id: 't1', _fields: { why: 'rivers' } }),
        add('topicsIds', 't1'),
        add('links', { label: 'Home' }),
        set('links', [{ _id: 'l1', label: 'Home', to: null }]),
        set('body', { items: [{ type: 'quote', words: 'Wait.' }] }),
        set('links.0.label', 'Home'),
        at('w1').push('rows', { anything: 1 }),
      ])
      const changes = [push('links', { label: 'Home' }), set('minutes', 4)] as const
      articles.edit('id', changes)
      // @ts-expect-error a field that the widget does not have
      articles.edit('id', [push('body.items', { type: 'quote', words: 'Wait.', author: 'Ann' })])
      articles.edit('id', [
        set('title', 'New'),
        // @ts-expect-error the same after others, and with a place
        push('body.items', { type: 'quote', words: '', by: 1 }, { after: 'w' }),
      ])
      // @ts-expect-error a field that the item does not have
      articles.edit('id', [push('links', { label: 'Home', href: 'https://example.org' })])
      // @ts-expect-error the same of `add`
      articles.edit('id', [add('links', { label: 'Home', href: 'https://example.org' })])
      // @ts-expect-error the same of `set`, for each item
      articles.edit('id', [set('links', [{ label: 'Home' }, { label: 'Away', href: 'https://example.org' }])])
      // @ts-expect-error the same of a widget in an area that is set
      articles.edit('id', [set('body', { items: [{ type: 'quote', words: 'Wait.', author: 'Ann' }] })])
      // @ts-expect-error of a related document
      articles.edit('id', [push('_topics', { _id: 't1', note: 'x' })])
      // @ts-expect-error a field of the document
      articles.edit('id', [set('sektion', 'report')])
      // @ts-expect-error a place that is none
      articles.edit('id', [push('links', { label: 'Home' }, { behind: 'l1' })])
      // @ts-expect-error the same of changes that have a name
      articles.edit('id', [push('links', { label: 'Home', href: 'x' })] as const)
      // @ts-expect-error a value
      articles.edit('id', [set('section', 'recipe')])
      // @ts-expect-error a widget that the area does not have
      articles.edit('id', [push('body.items', { type: '@cms/video', video: { url: 'https://example.org' } })])
      // @ts-expect-error a field of the widget
      articles.edit('id', [push('body.items', { type: 'quote', words: 4 })])
      // @ts-expect-error a field that is no list
      articles.edit('id', [push('subtitle', 'x')])
      // @ts-expect-error a required field of an item
      articles.edit('id', [push('links', { to: 'https://example.org' })])
    }
    expectTypeOf(edits).toBeFunction()
  })

  test('editor §14 a projection says what results have', () => {
    const read = async () => {
      const articles = connect().type('article')
      const thin = await articles.first({ project: { title: 1, '_topics.title': 1 } })
      expectTypeOf(thin?.title).toEqualTypeOf<string | undefined>()
      expectTypeOf(thin?.aposDocId).toEqualTypeOf<string | undefined>()
      // @ts-expect-error it was not asked for
      thin?.section
      const { document } = await articles.get('id', { project: { body: 0 } })
      expectTypeOf(document.section).toEqualTypeOf<'report' | 'essay' | null>()
      // @ts-expect-error it was left out
      document.body
    }
    expectTypeOf(read).toBeFunction()
  })

  test('editor §14 without a credential there is what the public projections name', () => {
    const read = async () => {
      const quire = visit()
      const article = await quire.type('article').first({ section: 'essay' })
      expectTypeOf(article?.section).toEqualTypeOf<'report' | 'essay' | null | undefined>()
      expectTypeOf(article?._topics[0]?.title).toEqualTypeOf<string | undefined>()
      // @ts-expect-error not public
      article?.minutes
      // @ts-expect-error not public, of a related document
      article?._topics[0]?.note
      // @ts-expect-error not public: lists cannot be filtered by it
      quire.type('article').list({ minutes: 4 })
      // @ts-expect-error a type without a projection
      quire.type('memo')
      // @ts-expect-error of pages, what the site shows
      ;(await quire.pages.get<'landing'>('_home')).document.lead
    }
    expectTypeOf(read).toBeFunction()
  })

  test('editor §14 of a site that is not known, everything is JSON', () => {
    const read = async () => {
      const document = await unknown().type('anything').first({ whatever: 1 })
      expectTypeOf(document?.title).toEqualTypeOf<string | undefined>()
      expectTypeOf(document?.whatever).toExtend<Json | undefined>()
      await unknown()
        .type('anything')
        .patch('id', { whatever: 1, $push: { list: 1 } })
    }
    expectTypeOf(read).toBeFunction()
  })
})
