import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hooks } from '../../engine/context.ts'
import { fieldTypes } from '../fields/index.ts'
import { ConfigurationError } from '../terms/configuration-error.ts'
import { FEATURE_HOOKS } from './check-declarations.ts'
import { compileSite } from './site.ts'

/** The mistakes of a site as somebody without a type checker would write it. */
function mistakes(options: object): string[] {
  try {
    compileSite({ kind: 'site', options })
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

const declared = (family: string, name: string, options: object) => ({ family, name, fields: { add: {} }, options })
const piece = (name: string, options: object = {}) => declared('piece', name, options)
const page = (name: string, options: object = {}) => declared('page', name, options)
const widget = (name: string, options: { fields?: object }) => ({ ...declared('widget', name, options), ...options })
const inPiece = (options: object) => mistakes({ types: [piece('article', options)] })
const inFields = (add: object) => inPiece({ fields: { add } })

describe('a site that is thoroughly wrong', () => {
  it('is refused with all mistakes at once, each with its key path', () => {
    const site = {
      nam: 'Wrong',
      prefix: 'site',
      locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: 'fr' }, de: { prefix: '/de' } },
      types: [
        piece('article', {
          pluralLable: 'Articles',
          perPage: 1000,
          viewRole: 'boss',
          fields: {
            add: {
              minutes: { type: 'integer', min: 9, max: 3 },
              name: { type: 'strin' },
              code: { type: 'string', pattern: '(', requird: true },
              kind: { type: 'select', choices: [{ value: 'a', label: 'A' }], def: 'b' },
              none: { type: 'radio', choices: [] },
              createdAt: { type: 'date' },
              _topics: { type: 'relationship', withType: 'topik' },
              topicsIds: { type: 'string' },
              body: { type: 'area', widgets: { quot: {}, '@cms/rich-text': { toolbar: ['bld'] } } },
              list: { type: 'array', fields: { add: { more: { type: 'object', fields: { add: { x: {} } } } } } },
              extra: { type: 'string', required: true, if: { kindd: 'a' } },
            },
            group: { basics: { label: 'Basics', fields: ['titel', 'code'] } },
          },
          publicApiProjection: ['title', 'topics'],
          sort: { minute: 1, body: -1 },
        }),
        piece('article'),
        piece('topic', {
          fields: { add: { _articles: { type: 'relationshipReverse', withType: 'article', reverseOf: '_topic' } } },
        }),
        page('landing', { singleton: true }),
        'nothing',
      ],
      widgets: [widget('quote', { fields: { add: { type: { type: 'string' } } } })],
      limits: { perPage: 100 },
    }
    expect(mistakes(site)).toMatchInlineSnapshot(`
      [
        "prefix: must begin with "/" and not end with it, such as "/site"",
        "locales.fr.prefix: must begin with "/" and be one step, such as "/fr"",
        "locales.de.label: is missing",
        "nam: unknown option; did you mean "name"?",
        "types.4: must be made by piece() or page()",
        "types.article: declared twice; names must differ",
        "widgets.quote.fields.add.type: this name is reserved; choose another one",
        "types.article.viewRole: must be one of "guest", "contributor", "editor", "admin"",
        "types.article.pluralLable: unknown option; did you mean "pluralLabel"?",
        "types.article.fields.add.minutes.min: min 9 is above max 3",
        "types.article.fields.add.name.type: "strin" is not a field type; did you mean "string"?",
        "types.article.fields.add.code.requird: unknown option of the field type "string"; did you mean "required"?",
        "types.article.fields.add.code.pattern: this is not a regular expression",
        "types.article.fields.add.none.choices: must not be empty",
        "types.article.fields.add.createdAt: this name is reserved; choose another one",
        "types.article.fields.add._topics.withType: "topik" is not a type of this site; did you mean "topic"?",
        "types.article.fields.add.body.widgets.quot: "quot" is not a widget type of this site; did you mean "quote"?",
        "types.article.fields.add.body.widgets.@cms/rich-text.toolbar.0: "bld" is not a known name; did you mean "bold"?",
        "types.article.fields.add.list.fields.add.more.fields.add.x: a field is an object with a type: { type: "string" }",
        "types.article.fields.add.extra.if: "kindd" is not a sibling of this field; did you mean "kind"?",
        "types.article.fields.add.topicsIds: "_topics" is stored as "topicsIds" too; rename one",
        "types.article.fields.group.basics.fields: "titel" is not a field here; did you mean "title"?",
        "types.article.perPage: 1000 is above the site's limit of 100",
        "types.article.publicApiProjection: "topics" is not a field of article; did you mean "_topics"?",
        "types.article.sort: "minute" is not a field of the type; did you mean "minutes"?",
        "types.article.sort: "body" has no order",
        "types.landing.singleton: only piece types can be singletons",
        "types.article.fields.add.kind.def: This is not one of the choices: a.",
        "types.topic.fields.add._articles.reverseOf: "_topic" is not a relationship of article; did you mean "_topics"?",
      ]
    `)
  })

  it('a placeholder needs a place where nothing is typed or chosen yet', () => {
    const placeholder = 'x'
    const add = {
      done: { type: 'boolean', placeholder },
      part: { type: 'object', fields: { add: { size: { type: 'range', min: 0, max: 1, placeholder } } } },
      words: { type: 'string', placeholder },
    }
    expect(mistakes({ types: [piece('poll', { fields: { add } } as object)] })).toEqual([
      'types.poll.fields.add.part.fields.add.size.placeholder: a field of the field type "range" has no empty place to show it in; use help',
      'types.poll.fields.add.done.placeholder: a field of the field type "boolean" has no empty place to show it in; use help',
    ])
  })

  it('choices that a filter could not tell apart are mistakes', () => {
    const choices = [1, 'a', true, 'A', false].map((value) => ({ value, label: 'x' }))
    const add = { answer: { type: 'select', choices } }
    expect(mistakes({ types: [piece('poll', { fields: { add } } as object)] })).toEqual([
      'types.poll.fields.add.answer.choices.2: true is declared already; choices must differ in more than case',
      'types.poll.fields.add.answer.choices.3: A is declared already; choices must differ in more than case',
    ])
  })

  it('no field has the name of a property of its holder, nor of what a body says', () => {
    const declared = (names: readonly string[]) => ({
      add: Object.fromEntries(names.map((name) => [name, { type: 'relationship', withType: '@cms/image' }])),
    })
    const array = { type: 'array', fields: declared(['_edit', '_docId', '_parent']) }
    const fields = declared(['_copyingId', '_ai', '_fields', '_patches', '_parent'])
    const found = mistakes({
      types: [piece('note', { fields: { add: { ...fields.add, array } } })],
      widgets: [widget('card', { fields: declared(['_options', '_image']) })],
    })
    const paths = ['_copyingId', '_ai', '_fields', '_patches', 'array.fields.add._edit', 'array.fields.add._docId']
    const all = ['widgets.card.fields.add._options', ...paths.map((path) => `types.note.fields.add.${path}`)]
    expect(found.toSorted()).toEqual(all.map((path) => `${path}: this name is reserved; choose another one`).toSorted())
  })

  it('the message lists each mistake on a line of its own', () => {
    const compile = () => compileSite({ kind: 'site', options: { nam: 'x', cors: 'y' } })
    expect(compile).toThrow(
      [
        "The site's configuration has 2 mistakes:",
        '  cors: must be true or false',
        '  nam: unknown option; did you mean "name"?',
      ].join('\n'),
    )
  })
})

describe('nonsense', () => {
  const word = fc.constantFrom(
    ...[
      'add',
      'group',
      'fields',
      'type',
      'label',
      'def',
      'if',
      '$or',
      'choices',
      'withType',
      'widgets',
      'queries',
      'sort',
    ],
    ...['title', 'slug', '_topics', '__proto__', 'constructor', 'locales', 'types', 'hooks', 'builders', 'project'],
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom(null, '', 'article', '@cms/image', 0, 1, -1, true, ...fieldTypes.keys()),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(word, tie('any'), { maxKeys: 4 }),
    ),
  })).any

  it('is refused with mistakes or compiled, and never fails otherwise', () => {
    const fields = fc.dictionary(
      fc.constantFrom('a', '_b', 'c', 'title', 'slug', 'constructor'),
      fc
        .tuple(fc.constantFrom(...fieldTypes.keys()), fc.dictionary(word, value))
        .map(([type, options]) => ({ ...options, type })),
    )
    const site = fc.record({
      type: fc.dictionary(word, value),
      fields,
      widget: fields,
      site: fc.dictionary(word, value),
    })
    fc.assert(
      fc.property(site, ({ type, fields: add, widget: inner, site }) => {
        const types = [piece('article', type), piece('topic', { fields: { add } }), page('landing', type)]
        expect(mistakes({ ...site, types, widgets: [widget('quote', { fields: { add: inner } })] })).toBeInstanceOf(
          Array,
        )
      }),
      { numRuns: 300 },
    )
  })

  it.each([null, undefined, 'site', {}, { kind: 'site' }, { kind: 'site', options: [] }])(
    '%o is not a site',
    (nonsense) => {
      // `as`: what a file without types may export.
      expect(() => compileSite(nonsense as never)).toThrow(ConfigurationError)
    },
  )
})

describe('names', () => {
  it.each([
    ['_id', 'string', 'this name is reserved; choose another one'],
    ['type', 'string', 'this name is reserved; choose another one'],
    ['metaType', 'string', 'this name is reserved; choose another one'],
    ['aposDocId', 'string', 'this name is reserved; choose another one'],
    ['visibility', 'string', 'every type has this field already'],
    ['archived', 'boolean', 'every type has this field already'],
    ['constructor', 'string', 'JavaScript has this name for itself; choose another one'],
    ['toString', 'string', 'JavaScript has this name for itself; choose another one'],
    ['a.b', 'string', 'a field\'s name begins with a letter and consists of letters, digits, "_" and "-"'],
    ['$set', 'string', 'a field\'s name begins with a letter and consists of letters, digits, "_" and "-"'],
    ['@id', 'string', 'a field\'s name begins with a letter and consists of letters, digits, "_" and "-"'],
    ['_name', 'string', 'only names of relationships begin with "_"'],
  ])('§2.16 no field may be called %s', (name, type, message) => {
    expect(inFields({ [name]: { type } })).toContain(`types.article.fields.add.${name}: ${message}`)
  })

  it('§2.16 __proto__ as a field is refused', () => {
    const add: unknown = JSON.parse('{ "__proto__": { "type": "string" } }')
    expect(inPiece({ fields: { add } })).toEqual([
      'types.article.fields.add.__proto__: JavaScript has this name for itself; choose another one',
    ])
  })

  it('§2.15 the name of a relationship begins with _', () => {
    expect(inFields({ topics: { type: 'relationship', withType: 'article' } })).toEqual([
      'types.article.fields.add.topics: the name of a relationship begins with "_": "_topics"',
    ])
  })

  it('§2.16 title and slug keep their field types, and the title is required', () => {
    const add = { title: { type: 'string', required: false, textarea: true }, slug: { type: 'string' } }
    expect(inFields(add)).toEqual([
      'types.article.fields.add.title.textarea: cannot be changed for the title',
      'types.article.fields.add.title.required: the title is always required',
      'types.article.fields.add.slug: every type has a slug of the field type "slug", which cannot be changed',
    ])
  })

  it('types and widgets', () => {
    expect(mistakes({ types: [piece('a b'), piece('constructor'), piece('@cms/thing'), piece('@cms/image')] })).toEqual(
      [
        'types.@cms/thing: names that begin with "@cms/" belong to built-in types',
        'types.@cms/image: names that begin with "@cms/" belong to built-in types',
        'types.a b: a name begins with a letter and consists of letters, digits, "-" and "_"',
        'types.constructor: JavaScript has this name for itself; choose another one',
      ],
    )
    expect(mistakes({ types: [page('@cms/home-page')] })).toEqual([])
    expect(mistakes({ widgets: [widget('a', {}), widget('a', {}), widget('@cms/html', {})] })).toEqual([
      'widgets.@cms/html: names that begin with "@cms/" belong to built-in widget types',
      'widgets.a: declared twice; names must differ',
    ])
    expect(mistakes({ widgets: [widget('a', { versionsRender: 'yes' } as object)] })).toEqual([
      expect.stringMatching(/^widgets\.a\.versionsRender: /),
    ])
    expect(mistakes({ widgets: [widget('a', { titleField: 'words' } as object)] })).toEqual([
      'widgets.a.titleField: words is not one of the fields',
    ])
  })

  it('§0.1 a site that replaces the namespace may declare types in it, but none that the service has', () => {
    const inNamespace = (...names: string[]) =>
      mistakes({ namespace: '@apostrophecms', types: names.map((name) => piece(name)) })
    expect(inNamespace('@apostrophecms/blog')).toEqual([])
    expect(inNamespace('@apostrophecms/page', '@apostrophecms/image', '@cms/blog')).toEqual([
      'types.@apostrophecms/page: names that begin with "@apostrophecms/" belong to built-in types',
      'types.@apostrophecms/image: names that begin with "@apostrophecms/" belong to built-in types',
      'types.@cms/blog: names that begin with "@apostrophecms/" belong to built-in types',
    ])
  })
})

describe('fields', () => {
  it.each<[string, object, string]>([
    ['a default out of bounds', { type: 'integer', max: 3, def: 4 }, 'x.def: '],
    [
      'a default in an object',
      { type: 'object', fields: { add: { n: { type: 'integer' } } }, def: { n: 'y' } },
      'x.def.n: ',
    ],
    ['an unknown role', { type: 'string', viewPermission: 'boss' }, 'x.viewPermission: must be one of "guest", '],
    ['a condition that is not a list', { type: 'string', if: { $or: 'a' } }, 'x.if.$or: must be a list of conditions'],
    ['a neighbour within $or', { type: 'string', if: { $or: [{ y: 1 }] } }, 'x.if.$or.0: "y" is not a sibling'],
    ['choices twice', { type: 'select', choices: ['a', 'a'] }, 'x.choices.1: '],
    [
      'options of another field type',
      { type: 'string', choices: [] },
      'x.choices: unknown option of the field type "string"',
    ],
    [
      'a group in an object',
      { type: 'object', fields: { add: {}, group: { a: { fields: ['b'] } } } },
      'x.fields.group.a.fields: ',
    ],
    ['no fields', { type: 'array' }, 'x.fields: is missing'],
    [
      'a name of the item itself',
      { type: 'array', fields: { add: { metaType: { type: 'url' } } } },
      'x.fields.add.metaType: ',
    ],
    [
      'options of a widget that has none',
      { type: 'area', widgets: { '@cms/html': { a: 1 } } },
      'x.widgets.@cms/html.a: ',
    ],
  ])('%s', (_, field, mistake) => {
    const found = inFields({ x: field })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(`types.article.fields.add.${mistake}`)
  })

  it('§2.1 reverse relationships name one that points here', () => {
    const topic = (reverse: object) =>
      piece('topic', { fields: { add: { _all: { type: 'relationshipReverse', withType: 'article', ...reverse } } } })
    const article = piece('article', {
      fields: {
        add: {
          _topics: { type: 'relationship', withType: 'topic' },
          _self: { type: 'relationship', withType: 'article' },
        },
      },
    })
    expect(mistakes({ types: [article, topic({ reverseOf: '_topics' })] })).toEqual([])
    expect(mistakes({ types: [article, topic({ reverseOf: '_topic' })] })).toEqual([
      'types.topic.fields.add._all.reverseOf: "_topic" is not a relationship of article; did you mean "_topics"?',
    ])
    expect(mistakes({ types: [article, topic({ reverseOf: '_self' })] })).toEqual([
      'types.topic.fields.add._all.reverseOf: "_self" of article points to article, not to topic',
    ])
    expect(
      mistakes({ types: [article, topic({ reverseOf: '_topics', builders: { project: { titel: 1 } } })] }),
    ).toEqual([
      'types.topic.fields.add._all.builders.project: "titel" is not a field of article; did you mean "title"?',
    ])
  })

  it('§2.15 relationships to several types name types of the site, all of them, and fields of one of them', () => {
    const to = (withType: unknown, names: string[] = ['title']) => {
      const builders = { project: Object.fromEntries(names.map((name) => [name, 1])) }
      const _all = { type: 'relationship', withType, builders }
      const types = [piece('topic', { fields: { add: { text: { type: 'string' } } } }), piece('other')]
      return mistakes({
        namespace: '@apostrophecms',
        types: [...types, piece('article', { fields: { add: { _all } } } as object)],
      })
    }
    const at = 'types.article.fields.add._all'
    expect(to(['topic', '@cms/any-page', '@apostrophecms/any-page-type', '@cms/page'], ['text', '_url'])).toEqual([])
    expect(to([])).toEqual([`${at}.withType: must not be empty`])
    expect(to(['topic', 'othr', '@cms/any-pag'])).toEqual([
      `${at}.withType: "othr" is not a type of this site; did you mean "other"?`,
      `${at}.withType: "@cms/any-pag" is not a type of this site; did you mean "@apostrophecms/any-page"?`,
    ])
    expect(to(['topic', 'other'], ['texts'])).toEqual([
      `${at}.builders.project: "texts" is not a field of topic or other; did you mean "text"?`,
    ])
    const _all = { type: 'relationshipReverse', withType: '@cms/any-page', reverseOf: '_x' }
    const [reverse] = mistakes({ types: [piece('topic', { fields: { add: { _all } } } as object)] })
    expect(reverse).toMatch(/^types.topic.fields.add._all.withType: "@cms.any-page" is not a type of this site/)
    expect(mistakes({ namespace: '@own', types: [piece('@own/any-page')] })).toHaveLength(1)
  })

  it('the global document', () => {
    expect(mistakes({ global: { fields: { add: { footer: { type: 'strin' } } } } })).toEqual([
      'global.fields.add.footer.type: "strin" is not a field type; did you mean "string"?',
    ])
  })
})

describe('type options', () => {
  it.each<[object, string[]]>([
    [{ localized: false, autopublish: true }, ['autopublish: a type that is not localized has no drafts to publish']],
    [
      { singleton: true, slugPrefix: 'a-' },
      ['slugPrefix: a singleton has one document, so there is nothing to tell apart'],
    ],
    [
      { searchable: ['title'], localized: false },
      [
        'searchable: "title" is not a relationship of the type',
        'searchable: only types with locales have it: titles have locales',
      ],
    ],
    [
      { searchWeights: { titel: 'low', slug: 'lower' } },
      ['searchWeights.slug: must be one of "high", "normal", "low", "none"; did you mean "low"?'],
    ],
    [{ searchWeights: { titel: 'low' } }, ['searchWeights: "titel" is not a field of the type; did you mean "title"?']],
    [{ perPage: 0 }, ['perPage: must be at least 1']],
    [{ perPage: 2.5 }, ['perPage: must be a whole number']],
    [{ sort: { title: 2 } }, ['sort.title: must be 1 (ascending) or -1 (descending)']],
    [{ cache: { maxage: 1 } }, ['cache.maxAge: is missing', 'cache.maxage: unknown option; did you mean "maxAge"?']],
    [{ hooks: { beforSave() {} } }, ['hooks.beforSave: unknown option; did you mean "beforeSave"?']],
    [{ hooks: { beforeSave: 'x' } }, ['hooks.beforeSave: must be a function']],
    [{ queries: { a: {} } }, ['queries.a: must be made by query({ input, where })']],
    [
      { fields: { add: { secret: { type: 'password' } } }, publicApiProjection: ['secret'] },
      ['publicApiProjection: "secret" is secret and is never shown'],
    ],
  ])('%o', (options, expected) => {
    expect(inPiece(options)).toEqual(expected.map((mistake) => `types.article.${mistake}`))
  })

  it('§4.2b index pages name pieces, and fields that pieces are filtered by', () => {
    const article = piece('article', {
      fields: {
        add: {
          section: { type: 'select', choices: ['news'] },
          page: { type: 'integer' },
          body: { type: 'area', widgets: {} },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    })
    const types = [article, piece('topic'), piece('about', { singleton: true })]
    const inPage = (options: object) => mistakes({ types: [...types, page('list', options), page('other')] })
    expect(
      inPage({ piecesType: 'article', piecesFilters: ['section', '_topics', { name: 'topics', counts: true }] }),
    ).toEqual([])
    expect(inPage({ piecesType: 'artcle' })).toEqual([
      'types.list.piecesType: "artcle" is not a type of this site; did you mean "article"?',
    ])
    expect(inPage({ piecesType: 'other' })).toEqual([
      'types.list.piecesType: "other" is a page type; an index page shows pieces',
    ])
    expect(inPage({ piecesType: 'about' })).toEqual([
      'types.list.piecesType: "about" has one document, so it has no index page',
    ])
    expect(
      inPage({ piecesType: 'article', piecesFilters: ['secton', 'body', 'page', 'title', 'section', 'section'] }),
    ).toEqual([
      'types.list.piecesFilters: "secton" is not a field of article; did you mean "section"?',
      'types.list.piecesFilters: "body" of article is not a field that lists can be filtered by',
      'types.list.piecesFilters: "page" is the number of a page in URLs; give the field another name',
      'types.list.piecesFilters: "title" of article is not a field that lists can be filtered by',
      'types.list.piecesFilters: "section" is named twice',
    ])
    expect(inPage({ piecesType: 'article', piecesFilters: ['section'], staticCombinations: 2 })).toEqual([
      'types.list.staticCombinations: combines filters: name at least two in piecesFilters',
    ])
    expect(inPage({ piecesFilters: ['section'] })).toEqual([
      'types.list.piecesFilters: only index pages have filters: name their piecesType',
    ])
    expect(inPage({ index: { template: 'list.njk' } })).toContain(
      'types.list.index: only index pages have it: name their piecesType',
    )
    expect(inPage({ piecesType: 'article', template: 'list.njk' })).toContain(
      'types.list.template: an index page has its templates in "index" and "show"',
    )
    expect(mistakes({ types: [piece('note', { piecesType: 'note' })] })).toEqual([
      'types.note.piecesType: only page types can be index pages of pieces',
    ])
    expect(mistakes({ static: 'yes', pages: { historicRedirect: 307 } })).toHaveLength(2)
  })

  it('§4.2 pages show fields that some page type has', () => {
    expect(mistakes({ pages: { publicApiProjection: ['title', 'rank', 'intr'] }, types: [page('a')] })).toEqual([
      'pages.publicApiProjection: "intr" is not a field of any page type',
    ])
  })
})

describe('the site', () => {
  it.each<[object, string[]]>([
    [{ namespace: 'cms' }, ['namespace: must be "@" and a word, such as "@cms"']],
    [{ parked: [] }, ['parked: unknown option; did you mean "pages.parked"?']],
    [
      {
        fileGroups: [
          { name: 'sound', extensions: ['mp3'] },
          { name: 'sound', extensions: ['ogg'] },
        ],
      },
      [
        'fileGroups.1.name: there is a group "sound" already',
        'fileGroups: there must be a group "images": image pieces are made of it',
      ],
    ],
    [
      { fileGroups: [{ name: 'images', extensions: ['.jpg'] }] },
      ['fileGroups.0.extensions.0: may hold only lower-case letters and digits, without the dot, such as "pdf"'],
    ],
    [
      { types: [piece('note', { fields: { add: { file: { type: 'attachment', fileGroup: 'image' } } } })] },
      ['types.note.fields.add.file.fileGroup: "image" is not a group of files; did you mean "images"?'],
    ],
    [
      { types: [piece('note', { fields: { add: { file: { type: 'attachment', fileGroup: 'sound' } } } })] },
      ['types.note.fields.add.file.fileGroup: "sound" is not a group of files; there are images, office'],
    ],
    [{ prefix: '/site/' }, ['prefix: must begin with "/" and not end with it, such as "/site"']],
    [{ baseUrl: 'example.org' }, ['baseUrl: must be like "https://example.org"; what follows the host is the prefix']],
    [
      { staticBaseUrl: 'https://example.org/path' },
      ['staticBaseUrl: must be like "https://example.org"; what follows the host is the prefix'],
    ],
    [
      {
        embeds: {
          providers: [{ name: 'V', urls: ['http://v.test/*'], endpoint: 'http://v.test/o', hosts: ['v.test/'] }],
        },
      },
      [
        'embeds.providers.0.urls.0: must be like "https://video.example.org/w/*", with "*" at its end only',
        'embeds.providers.0.endpoint: must be an https address, such as "https://video.example.org/oembed"',
        'embeds.providers.0.hosts.0: must be a host: "video.example.org", or "*.example.org"',
      ],
    ],
    [{ features: [{}] }, ['features.0: must be a feature with a name']],
    [
      { features: [{ name: 'desk', routes: [], serve: true }] },
      [
        'features.0.routes: must be a function: (site) => [route({ … })]',
        'features.0.serve: must be a function: async (ctx) => async () => { … }',
      ],
    ],
    [
      {
        features: [
          {
            name: 'a',
            hooks: { beforSave() {}, afterSave: { run() {} }, onStart: true, '@other/page:beforeSend'() {} },
          },
          { name: 'b', hooks: [] },
          {
            name: 'c',
            hooks: { afterRemove: { wait: true, run() {} }, onStop: undefined, '@cms/page:beforeSend'() {} },
          },
        ],
      },
      [
        'features.0.hooks.beforSave: unknown hook; did you mean "beforeSave"?',
        'features.0.hooks.afterSave: must be a function, or { wait: true, run }',
        'features.0.hooks.onStart: must be a function',
        'features.0.hooks.@other/page:beforeSend: unknown hook; did you mean "@cms/page:beforeSend"?',
        'features.1.hooks: must be an object: { async afterSave(event, ctx) { … } }',
      ],
    ],
    [{ fastify: {} }, ['fastify: must be a function: (app) => { app.get(…) }']],
    [
      { global: { fields: { adn: {}, footer: { type: 'string' } } } },
      [
        'global.fields.add: is missing',
        'global.fields.adn: unknown option; did you mean "add"?',
        'global.fields.footer: unknown option; fields are declared inside of "add"',
      ],
    ],
    [{ draftInterval: -1 }, ['draftInterval: must be at least 0']],
    [{ draftInterval: '1 day' }, ['draftInterval: must be a number']],
    [
      {
        webhooks: { receivers: [{ name: 'a', url: 'https://a.example', secret: 'short', events: ['document.saved'] }] },
      },
      ['webhooks.receivers.0.secret: must be at least 16 characters long'],
    ],
    [
      {
        webhooks: {
          receivers: [
            {
              name: 'a',
              url: 'https://a.example',
              secret: 's'.repeat(16),
              events: ['media.uploaded'],
              types: ['note'],
            },
          ],
        },
        types: [piece('note')],
      },
      ['webhooks.receivers.0.events: "media.uploaded" is of no type: only receivers without "types" get it'],
    ],
    [{ versions: { keep: {} } }, ['versions.keep: must say days, count or both']],
    [{ versions: { keep: { days: 0 } } }, ['versions.keep.days: must be at least 1']],
    [{ versions: { keep: { days: 1, cout: 3 } } }, ['versions.keep.cout: unknown option; did you mean "count"?']],
    [{ limits: { perpage: 5 } }, ['limits.perpage: unknown option; did you mean "perPage"?']],
    [
      { fieldTypes: [{ name: 'stars' }] },
      ['fieldTypes.0: must be made by defineFieldType(), with name, options, blank, read, toText and jsonSchema'],
    ],
  ])('%o', (options, expected) => {
    expect(mistakes(options)).toEqual(expected)
  })

  it.each<[object, string[]]>([
    [{}, ['locales: a site has at least one locale']],
    [
      { en: { label: 'E', fallback: 'e' }, de: { label: 'D', prefix: '/de', fallback: '__proto__' } },
      [
        'locales.en.fallback: there is no locale "e"; did you mean "en"?',
        'locales.de.fallback: there is no locale "__proto__"',
      ],
    ],
    [
      { en: { label: 'E', fallback: 'fr' }, fr: { label: 'F', prefix: '/fr', fallback: 'en' } },
      [
        'locales.en.fallback: the locale falls back to itself in the end',
        'locales.fr.fallback: the locale falls back to itself in the end',
      ],
    ],
    [
      { en: { label: 'E', fallback: 'fr' }, fr: { label: 'F', prefix: '/fr', private: true } },
      ['locales.en.fallback: "fr" is private: what visitors may not see cannot stand in for what they may'],
    ],
    [
      { en: { label: 'English' }, fr: { label: 'F' } },
      ['locales.fr: "en" has no prefix either; exactly one locale has none'],
    ],
    [{ fr: { label: 'F', prefix: '/fr' } }, ['locales: exactly one locale has no prefix']],
    [
      { en: { label: 'E' }, fr: { label: 'F', prefix: '/f' }, fi: { label: 'F', prefix: '/f' } },
      ['locales.fi.prefix: "fr" has the prefix "/f" too'],
    ],
    [
      { en: { label: 'E', hostname: 'a.test' }, fr: { label: 'F', prefix: '/fr' } },
      ['locales: either all locales have a hostname or none'],
    ],
    [{ en: { label: 'E', hostname: 'a.test' }, fr: { label: 'F', hostname: 'b.test' } }, []],
    [{ 'e n': { label: 'E' } }, ['locales.e n: a locale is named like "en" or "fr-CA"']],
    [
      { en: { label: 'E' }, x: { label: 'X', prefix: '/api' } },
      [
        'locales.x.prefix: "/api" is where the service itself answers',
        'locales.x: a locale is named like "en" or "fr-CA"',
      ],
    ],
  ])('§4.5 locales %o', (locales, expected) => {
    expect(mistakes({ locales }).toSorted()).toEqual(expected.toSorted())
  })
})

it('§6 knows the hooks of features by the names that the engine calls', () => {
  const called: Record<keyof Hooks, true> = {
    beforeSave: true,
    afterSave: true,
    beforeVersion: true,
    onChange: true,
    beforeRemove: true,
    afterRemove: true,
    present: true,
    beforeSend: true,
    getAllUrlMetadata: true,
    getAllAttachmentMetadata: true,
    listLiteralUrls: true,
    getLiteralContentRoutes: true,
    renderWidget: true,
    onStart: true,
    onStop: true,
  }
  expect(FEATURE_HOOKS).toEqual(Object.keys(called))
})
