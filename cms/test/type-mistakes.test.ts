import { API } from 'typescript/unstable/sync'
import { beforeAll, expect, test } from 'vitest'

// What the compiler says of mistakes. All of them are one file, which is not on the disk, so that it is compiled once.

const FOLDER = new URL('./type-mistakes/', import.meta.url).pathname
const CONFIG = `${FOLDER}tsconfig.json`
const FILE = `${FOLDER}mistakes.ts`

const SITE = `
import { createApp, defineSite, findPieces, html, page, piece, templatesFor, widget } from '../../src/index.ts'
const author = piece('author', { fields: { add: { town: { type: 'string' } } } })
const article = piece('article', {
  fields: {
    add: {
      lead: { type: 'string' },
      section: { type: 'select', choices: ['news', 'essay'] },
      day: { type: 'date', required: true },
      words: { type: 'integer' },
      body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {} } },
      links: { type: 'array', fields: { add: { label: { type: 'string', required: true }, url: { type: 'url' } } } },
      _authors: { type: 'relationship', withType: 'author' },
      _editor: { type: 'relationship', withType: 'author', required: true },
    },
  },
})
const quote = widget('quote', { fields: { add: { said: { type: 'string', required: true } } } })
const aside = widget('aside', { fields: { add: { said: { type: 'string' } } } })
const articles = page('articles', { piecesType: 'article', fields: { add: { intro: { type: 'string' } } } })
const model = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [author, article, articles],
  widgets: [quote, aside],
  global: { fields: { add: { motto: { type: 'string' } } } },
})
const templates = templatesFor<typeof model>()
const app = await createApp(model, { database: '' })
const content = app.as({ role: 'editor', name: 'Import' })
const whole = { title: 'A', day: '2026-01-01', editorIds: ['a'] }
`

/** Code, and a part of what the compiler says of it. */
const CONTENT = {
  "content.find('artcle')": `'"artcle"' is not assignable to parameter of type '"@cms/styles" | "article" | "author" | `,
  "content.find('article', { sectoin: 'news' })": `'sectoin' does not exist in type 'SiteQuery<"article", `,
  "content.find('article', { section: 'poem' })": `'"poem"' is not assignable to type 'Compared<"essay" | "news", `,
  "content.find('article', { body: 'x' })": `'body' does not exist in type 'SiteQuery<"article", `,
  "content.find('article', { words: { mn: 3 } })": `'mn' does not exist in type 'readonly number[] | (OrderedOperators<number> & `,
  "content.find('article', { lead: { min: 'a' } })": `'min' does not exist in type 'readonly string[] | (TextOperators & `,
  "content.find('article', { words: { $contains: 3 } })": `'$contains' does not exist in type 'readonly number[] | (OrderedOperators<number> & `,
  "content.find('article', { words: { $gte: '3' } })": `'string' is not assignable to type 'number'`,
  "content.find('article', { where: { $or: [{ sectoin: 'news' }] } })": `'sectoin' does not exist in type 'Where<`,
  "content.find('article', { where: { $or: [{ words: { $not: { $gte: 'x' } } }] } })": `'string' is not assignable to type 'number'`,
  "content.find('article', { 'lead.x': 'a' })": `''lead.x'' does not exist in type 'SiteQuery<"article", `,
  "content.find('article', { sort: 'lede' })": `'"lede"' is not assignable to type '"-archiveAt" | "-createdAt" | "-day" | `,
  "content.find('article', { sort: { body: 1 } })": `'body' does not exist in type '{ readonly archiveAt?: `,
  "content.find('article', { state: 'drft' })": `Did you mean '"draft"'?`,
  "content.find('article', { missingIn: 'de' })": `'"de"' is not assignable to type '"en" | "fr" | undefined'`,
  "content.find('article', { publishAt: { $contains: '2026' } })": `'$contains' does not exist in type 'readonly string[] | (OrderedOperators<string> & `,
  "content.find('@cms/image', { minWidth: 'wide' })": `'string' is not assignable to type 'number'`,
  "content.find('@cms/file', { hasAlt: 'yes' })": `'string' is not assignable to type 'boolean | undefined'`,
  "content.find('article', { project: { lede: 1 } })": `'lede' does not exist in type `,
  "content.find('article', {}, { locale: 'de' })": `'"de"' is not assignable to type '"en" | "fr" | undefined'`,
  "content.find('article', {}, { mode: 'drft' })": `Did you mean '"draft"'?`,
  "app.as({ role: 'editor', name: 'x' }, { locale: 'de' })": `'"de"' is not assignable to type '"en" | "fr" | undefined'`,
  "content.localize('article', 'id', { toLocale: 'de' })": `'"de"' is not assignable to type '"en" | "fr"'`,
  "content.patch('article', 'id', { $push: { tags: 'a' } })": `'tags' does not exist in type 'AddedTo<"article", `,
  "content.patch('article', 'id', { $push: { lead: 'a' } })": `'string' is not assignable to type 'undefined'`,
  "content.patch('article', 'id', { $push: { links: { label: 3 } } })": `'number' is not assignable to type 'string'`,
  "content.patch('article', 'id', { $push: { 'bdy.items': {} } })": `''bdy.items'' does not exist in type 'AddedTo<"article", `,
  "content.patch('article', 'id', { 'lnks.0.label': 'x' })": `''lnks.0.label'' does not exist in type 'ChangesOf<"article", `,
  "content.patch('article', 'id', { $puhs: {} })": `Did you mean to write '$push'?`,
  "content.insert('article', { title: 'A', editorIds: ['a'] })": `Property 'day' is missing`,
  "content.insert('article', { title: 'A', day: '2026-01-01' })": `Property 'editorIds' is missing`,
  "content.insert('articles', { title: 'A' })": `is missing the following properties from type 'PagePosition': _targetId, _position`,
  "content.insert('article', { ...whole, sectoin: 'news' })": `Did you mean to write 'section'?`,
  "content.insert('article', { ...whole, section: 'poem' })": `'"poem"' is not assignable to type '"essay" | "news" | null'`,
  "content.insert('article', { ...whole, body: { items: [{ type: 'aside' }] } })": `'"aside"' is not assignable to type '"@cms/rich-text" | "quote"'`,
  "content.insert('article', { ...whole, body: { items: [{ type: 'quote', sadi: 'x' }] } })": `'sadi' does not exist in type `,
  "content.insert('article', { ...whole, body: { items: [{ type: 'quote' }] } })": `Property 'said' is missing in type '{ type: "quote"; }'`,
  "content.insert('article', { ...whole, links: [{ url: 'x' }] })": `Property 'label' is missing in type '{ url: string; }'`,
  "content.insert('article', { ...whole, body: 3 })": `'number' is not assignable to type 'AreaInput<"@cms/rich-text" | "quote", `,
}

const TEMPLATES = {
  "templates.index('articles', { render: ({ pieces }) => html`${pieces.map(({ lede }) => lede)}` })": `'lede' does not exist on type 'SiteDocument<"article", `,
  "templates.show('articles', { render: ({ piece }) => html`${piece._authors[0]?.twon}` })": `Property 'twon' does not exist on type `,
  "templates.show('article', { render: () => html`` })": `'"article"' is not assignable to parameter of type '"articles"'`,
  "templates.widget('quot', { render: () => html`` })": `'"quot"' is not assignable to parameter of type '"aside" | "quote"'`,
  'templates.layout((content, { global }) => html`${content}${global.moto}`)': `Did you mean 'motto'?`,
  'templates.layout((content, { home }) => html`${content}${home?._children[0]?.titel}`)': `Did you mean 'title'?`,
  "templates.index('articles', { data: (ctx) => findPieces(ctx, 'article', { section: 'poem' }) })": `'"poem"' is not assignable to type 'Compared<"essay" | "news", `,
  "templates.index('articles', { data: (ctx) => ctx.as(ctx.actor).find('artcle') })": `'"artcle"' is not assignable to parameter of type `,
}

const DECLARATIONS = {
  "page('a', { fields: { add: { b: { type: 'string' }, c: { type: 'string', if: { d: 'x' } } } } })": `“if” names “d”, which is not a field beside this one`,
  "page('a', { fields: { add: { b: { type: 'string', if: { $or: [{ d: 'x' }] } } } } })": `“if” names “d”, which is not a field beside this one`,
  "piece('a', { fields: { add: { b: { type: 'string' }, c: { type: 'slug', following: 'd' } } } })": `“following” names a field that is not beside this one`,
  "piece('a', { fields: { add: { b: { type: 'array', titleField: 'd', fields: { add: {} } } } } })": `“d” is not a field of this array`,
  "widget('a', { titleField: 'd', fields: { add: { b: { type: 'string' } } } })": `'"d"' is not assignable to type '"b"'`,
  "defineSite({ types: [page('a', { piecesType: 'artcle' })] })": `a: “artcle” is not a piece type of this site`,
  "defineSite({ locales: { en: { label: 'E' }, de: { label: 'D', prefix: '/de', fallback: 'eng' } } })": `'"eng"' is not assignable to type '"de" | "en"'`,
  "defineSite({ types: [page('a', { piecesType: 'b' }), page('b')] })": `a: “b” is not a piece type of this site`,
  "defineSite({ types: [piece('a', { fields: { add: { _b: { type: 'relationship', withType: 'c' } } } })] })": `a._b: “c” is not a type of this site`,
  "defineSite({ types: [piece('a', { fields: { add: { b: { type: 'area', widgets: { c: {} } } } } })] })": `a.b: “c” is not a widget type of this site`,
}

const CASES = Object.entries({ ...CONTENT, ...TEMPLATES, ...DECLARATIONS })
const lines = CASES.map(([code], index) => `const mistake${index} = () => ${code}\nvoid mistake${index}`)

/** What is said, by the line of the code. */
const said = new Map<number, string>()
beforeAll(() => {
  const text = `${SITE}${lines.join('\n')}\n`
  const config = { extends: '../../../tsconfig.json', include: [], files: [FILE] }
  const files = new Map([
    [CONFIG, JSON.stringify(config)],
    [FILE, text],
  ])
  const isHere = (yes: boolean) => (yes ? true : undefined)
  const api = new API({
    fs: {
      readFile: (name) => files.get(name),
      fileExists: (name) => isHere(files.has(name)),
      directoryExists: (name) => isHere(`${name}/` === FOLDER),
    },
  })
  try {
    const [project] = api.updateSnapshot({ openProjects: [CONFIG] }).getProjects()
    for (const one of project?.program.getSemanticDiagnostics(FILE) ?? []) {
      const line = text.slice(0, one.pos).split('\n').length - SITE.split('\n').length
      said.set(line, `${said.get(line) ?? ''}${wordsOf(one)}\n`)
    }
  } finally {
    api.close()
  }
}, 60_000)

interface Message {
  readonly text: string
  readonly messageChain?: readonly Message[] | undefined
}

function wordsOf({ text, messageChain = [] }: Message): string {
  return [text, ...messageChain.map(wordsOf)].join('\n')
}

test.each(CASES)('%s', (code, message) => {
  expect(said.get(CASES.findIndex(([one]) => one === code) * 2)).toContain(message)
})

test('nothing else is a mistake', () => {
  expect([...said.keys()].filter((line) => line < 0 || line % 2 === 1).map((line) => said.get(line))).toEqual([])
})
