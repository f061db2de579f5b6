import { fileURLToPath } from 'node:url'
import {
  type App,
  type Attachment,
  importFile,
  insert,
  insertPage,
  newId,
  type Type,
  treeTarget,
  update,
  type WriteContext,
  write,
} from 'quire'
import { handsAndKitchens } from './content/hands-and-kitchens.ts'
import { type PageText, pages, type WrittenPage } from './content/pages.ts'
import { authors, topics } from './content/people-and-topics.ts'
import { pictures } from './content/pictures.ts'
import type { WrittenArticle, WrittenText } from './content/shapes.ts'
import { waterAndNight } from './content/water-and-night.ts'
import { waiting, waitingChanges, wordsAndGardens } from './content/words-and-gardens.ts'

type Report = (done: number, total: number) => void

/** Ids of what was written so far, by slug or title. */
type Written = Map<string, string>

const count = (some: readonly WrittenPage[]): number => some.reduce((sum, page) => sum + 1 + count(page.below ?? []), 0)
const published = [...waterAndNight, ...handsAndKitchens, ...wordsAndGardens]

/** Keeps the pictures, and writes the magazine in one transaction: all of it or nothing. */
export async function seed(app: App, report: Report): Promise<void> {
  const total = pictures.length + authors.length + topics.length + published.length + waiting.length + count(pages)
  const typeOf = typesOf(app)
  const operator = app.context({ kind: 'operator' })
  const files = new Map<string, Attachment>()
  for (const { file } of pictures) {
    const path = fileURLToPath(new URL(`./pictures/${file}.jpg`, import.meta.url))
    files.set(file, await importFile(operator, path, `${file}.jpg`))
    report(files.size, total + pictures.length)
  }
  await write(operator, async (ctx) => {
    const written: Written = new Map()
    const step = (name: string, id: string) =>
      report(pictures.length + written.set(name, id).size, total + pictures.length)
    for (const picture of pictures) {
      const attachment = files.get(picture.file)
      if (attachment === undefined) throw new Error(`There is no picture ${picture.file}.`)
      step(`picture ${picture.topic}`, await writePicture(ctx, typeOf('@cms/image'), picture, attachment))
    }
    for (const author of authors) step(author.slug, await writeAuthor(ctx, typeOf('author'), author))
    for (const topic of topics) step(topic.slug, await writeTopic(ctx, typeOf('topic'), topic))
    for (const article of published) {
      step(article.title, await writeArticle(ctx, typeOf('article'), article, 'published', written))
    }
    for (const article of waiting) {
      step(article.title, await writeArticle(ctx, typeOf('article'), article, 'draft', written))
    }
    await writePages(ctx, typeOf('text-page'), { pages, above: '_home' }, step)
    for (const { title, change } of waitingChanges) {
      const id = { docId: written.get(title) ?? '', locale: 'en', mode: 'draft' } as const
      await update(ctx, { type: typeOf('article'), id, ifMatch: null }, change)
    }
  })
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
  const { id } = await insert(ctx, { type, locale: 'en', mode: 'published' }, { title, alt, attachment })
  await insert(ctx, { type, locale: 'fr', mode: 'published' }, { ...french, attachment }, id.docId)
  return id.docId
}

/** Authors have no locales and no drafts: one copy. */
async function writeAuthor(ctx: WriteContext, type: Type, author: (typeof authors)[number]): Promise<string> {
  const document = await insert(ctx, { type, locale: '', mode: 'published' }, author)
  return document.id.docId
}

/** The same document in two locales: one id, two titles. */
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
  const picture = article.topics.map((topic) => written.get(`picture ${topic}`)).find((one) => one !== undefined)
  const _image = picture === undefined ? [] : [{ _id: picture }]
  const common = { section, date, _image, _authors: related(article.authors), _topics: related(article.topics) }
  const { id } = await insert(ctx, { type, locale: 'en', mode }, { ...common, ...textsOf(article) })
  if (french) await insert(ctx, { type, locale: 'fr', mode }, { ...common, ...textsOf(french) }, id.docId)
  return id.docId
}

/** Pages below another one, in both locales, and those below them. */
async function writePages(
  ctx: WriteContext,
  type: Type,
  { pages, above }: { readonly pages: readonly WrittenPage[]; readonly above: string },
  step: (name: string, id: string) => void,
): Promise<void> {
  const target = treeTarget(above, 'lastChild')
  for (const { french, orphan = false, below = [], ...english } of pages) {
    const page = { docId: newId(), mode: 'published', type, target } as const
    await insertPage(ctx, { ...page, locale: 'en' }, { orphan, ...pageFields(english) })
    await insertPage(ctx, { ...page, locale: 'fr' }, { orphan, ...pageFields(french) })
    step(`page ${english.title}`, page.docId)
    await writePages(ctx, type, { pages: below, above: page.docId }, step)
  }
}

function pageFields({ title, intro, paragraphs }: PageText) {
  return { title, intro, body: { items: [richText(paragraphs)] } }
}

/** Two paragraphs, the quotation, and the rest. */
function textsOf({ title, subtitle, paragraphs, quote }: WrittenText) {
  const quotation = quote ? [{ type: 'quote', ...quote }] : []
  return {
    title,
    subtitle,
    body: { items: [richText(paragraphs.slice(0, 2)), ...quotation, richText(paragraphs.slice(2))] },
  }
}

/** In the texts, words between asterisks are emphasised. */
function richText(paragraphs: readonly string[]) {
  const content = paragraphs.map((text) => `<p>${text.replace(/\*(.+?)\*/g, '<em>$1</em>')}</p>`).join('\n')
  return { type: '@cms/rich-text', content }
}
