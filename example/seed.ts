import { fileURLToPath } from 'node:url'
import {
  type App,
  type Attachment,
  homeId,
  importFile,
  insert,
  insertPage,
  type JsonObject,
  newId,
  singletonId,
  type Type,
  treeTarget,
  update,
  type WriteContext,
  write,
} from 'quire-cms'
import { handsAndKitchens } from './content/hands-and-kitchens.ts'
import { frenchHome, type HomePart, type HomeText, home } from './content/home.ts'
import { type PageText, pages, type WrittenPage } from './content/pages.ts'
import { authors, topics } from './content/people-and-topics.ts'
import { pictures } from './content/pictures.ts'
import type { WrittenArticle, WrittenText } from './content/shapes.ts'
import { waterAndNight } from './content/water-and-night.ts'
import { waiting, waitingChanges, wordsAndGardens } from './content/words-and-gardens.ts'

type Report = (done: number, total: number) => void

/** Ids of what was written so far, by slug, title or file. */
type Written = Map<string, string>

const count = (some: readonly WrittenPage[]): number => some.reduce((sum, page) => sum + 1 + count(page.below ?? []), 0)
const published = [...waterAndNight, ...handsAndKitchens, ...wordsAndGardens]

/** Keeps the pictures, and writes the magazine in one transaction: all of it or nothing. */
export async function seed(app: App, report: Report): Promise<void> {
  const total = pictures.length + authors.length + topics.length + published.length + waiting.length + count(pages)
  const typeOf = typesOf(app)
  const operator = app.context({ kind: 'operator' })
  const files = await keepPictures(operator, (done) => report(done, total + pictures.length))
  await write(operator, async (ctx) => {
    const written: Written = new Map()
    const step = (name: string, id: string) =>
      report(pictures.length + written.set(name, id).size, total + pictures.length)
    for (const picture of pictures) {
      const attachment = files.get(picture.file)
      if (attachment === undefined) throw new Error(`There is no picture ${picture.file}.`)
      step(picture.file, await writePicture(ctx, typeOf('@cms/image'), picture, attachment))
    }
    for (const author of authors) step(author.slug, await writeAuthor(ctx, typeOf('author'), author))
    for (const topic of topics) step(topic.slug, await writeTopic(ctx, typeOf('topic'), topic))
    for (const article of published) {
      step(article.title, await writeArticle(ctx, typeOf('article'), article, 'published', written))
    }
    for (const article of waiting) {
      step(article.title, await writeArticle(ctx, typeOf('article'), article, 'draft', written))
    }
    await writePages(ctx, typeOf, { pages, above: '_home' }, step)
    await writeHome(ctx, typeOf, 'en', home, written)
    await writeHome(ctx, typeOf, 'fr', frenchHome, written)
    for (const { title, change } of waitingChanges) {
      const id = { docId: written.get(title) ?? '', locale: 'en', mode: 'draft' } as const
      await update(ctx, { type: typeOf('article'), id, ifMatch: null }, change)
    }
  })
}

/** Stores the files of the pictures, two at a time, and makes their sizes. */
async function keepPictures(ctx: Parameters<typeof importFile>[0], kept: (done: number) => void) {
  const files = new Map<string, Attachment>()
  const waiting = pictures.map(({ file }) => file)
  const keep = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const path = fileURLToPath(new URL(`./pictures/${file}.jpg`, import.meta.url))
      files.set(file, await importFile(ctx, path, `${file}.jpg`))
      kept(files.size)
    }
  }
  await Promise.all([keep(), keep()])
  return files
}

function typesOf({ site }: App): (name: string) => Type {
  return (name) => {
    const type = site.types.get(name)
    if (type === undefined) throw new Error(`The site has no type ${name}.`)
    return type
  }
}

/** One file, with words in two languages. */
async function writePicture(
  ctx: WriteContext,
  type: Type,
  { title, alt, french }: (typeof pictures)[number],
  { id: _id }: Attachment,
): Promise<string> {
  const attachment = { _id }
  const credit = 'Lantern'
  const { id } = await insert(ctx, { type, locale: 'en', mode: 'published' }, { title, alt, credit, attachment })
  await insert(ctx, { type, locale: 'fr', mode: 'published' }, { ...french, credit, attachment }, id.docId)
  return id.docId
}

/** Authors have no locales and no drafts: one copy. */
async function writeAuthor(ctx: WriteContext, type: Type, author: (typeof authors)[number]): Promise<string> {
  const document = await insert(ctx, { type, locale: '', mode: 'published' }, author)
  return document.id.docId
}

/** Stores a topic in two locales, under one id. */
async function writeTopic(ctx: WriteContext, type: Type, topic: (typeof topics)[number]): Promise<string> {
  const { french, ...english } = topic
  const { id } = await insert(ctx, { type, locale: 'en', mode: 'published' }, english)
  await insert(ctx, { type, locale: 'fr', mode: 'published' }, { color: topic.color, ...french }, id.docId)
  return id.docId
}

async function writeArticle(
  ctx: WriteContext,
  type: Type,
  article: WrittenArticle,
  mode: 'draft' | 'published',
  written: Written,
): Promise<string> {
  const { french, section, date } = article
  const related = (slugs: readonly string[]) => slugs.map((slug) => ({ _id: written.get(slug) }))
  const _image = related([article.picture])
  const common = { section, date, _image, _authors: related(article.authors), _topics: related(article.topics) }
  const { id } = await insert(ctx, { type, locale: 'en', mode }, { ...common, ...textsOf(article, written) })
  if (french) await insert(ctx, { type, locale: 'fr', mode }, { ...common, ...textsOf(french, written) }, id.docId)
  return id.docId
}

/** Pages below another one, in both locales, and those below them. */
async function writePages(
  ctx: WriteContext,
  typeOf: (name: string) => Type,
  { pages, above }: { readonly pages: readonly WrittenPage[]; readonly above: string },
  step: (name: string, id: string) => void,
): Promise<void> {
  const target = treeTarget(above, 'lastChild')
  for (const { type = 'text-page', french, orphan = false, below = [], ...english } of pages) {
    const page = { docId: newId(), mode: 'published', type: typeOf(type), target } as const
    await insertPage(ctx, { ...page, locale: 'en' }, { orphan, ...pageFields(english) })
    await insertPage(ctx, { ...page, locale: 'fr' }, { orphan, ...pageFields(french) })
    step(`page ${english.title}`, page.docId)
    await writePages(ctx, typeOf, { pages: below, above: page.docId }, step)
  }
}

function pageFields({ title, intro, paragraphs, quote }: PageText): JsonObject {
  if (paragraphs === undefined) return { title, intro }
  const quotation = quote ? [{ type: 'quote', ...quote }] : []
  return { title, intro, body: { items: [richText(paragraphs), ...quotation] } }
}

/** The home page and the global document are there from the start: they are changed. */
async function writeHome(
  ctx: WriteContext,
  typeOf: (name: string) => Type,
  locale: string,
  { title, motto, colophon, main }: HomeText,
  written: Written,
): Promise<void> {
  const [page, global] = [typeOf('@cms/home-page'), typeOf('@cms/global')]
  const copy = { locale, mode: 'published' } as const
  const items = main.map((part) => widgetOf(part, written))
  await update(ctx, { type: page, id: { docId: homeId, ...copy }, ifMatch: null }, { title, main: { items } })
  await update(ctx, { type: global, id: { docId: singletonId(global), ...copy }, ifMatch: null }, { motto, colophon })
}

function widgetOf(part: HomePart, written: Written): JsonObject {
  const related = (titles: readonly string[]) => titles.map((title) => ({ _id: written.get(title) ?? '' }))
  if (part.type === 'front') return { type: 'front', _lead: related([part.lead]), _beside: related(part.beside) }
  if (part.type !== 'shelf') return { ...part }
  const { articles, ...shelf } = part
  return { ...shelf, _articles: related(articles) }
}

/** Two paragraphs, the quotation, one more, the picture, and the rest. */
function textsOf({ title, subtitle, paragraphs, quote, figure }: WrittenText, written: Written): JsonObject {
  const quotation = quote ? [{ type: 'quote', ...quote }] : []
  const pictures = figure
    ? [{ type: '@cms/image', _image: [{ _id: written.get(figure.picture) ?? '' }], caption: figure.caption }]
    : []
  const [beginning, middle, end] = [paragraphs.slice(0, 2), paragraphs.slice(2, 3), paragraphs.slice(3)]
  const rest = figure ? [richText(middle), ...pictures, richText(end)] : [richText([...middle, ...end])]
  return { title, subtitle, body: { items: [richText(beginning), ...quotation, ...rest] } }
}

/** In the texts, words between asterisks are emphasised. */
function richText(paragraphs: readonly string[]) {
  const content = paragraphs.map((text) => `<p>${text.replace(/\*(.+?)\*/g, '<em>$1</em>')}</p>`).join('\n')
  return { type: '@cms/rich-text', content }
}
