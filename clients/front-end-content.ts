import { jpeg, upload } from '../cms/test/media.ts'
import { type Answer, type Caller, callerOf } from '../cms/test/service.ts'

const NAMESPACE = '@apostrophecms'
const PDF = '%PDF-1.4\n%1 0 obj\n<<>>\nendobj\n%%EOF\n'

/** The URL of a video that no provider is asked about, since only browsers would. */
export const VIDEO_URL = 'https://vimeo.com/76979871'

/** Who fills a site. */
interface Service {
  /** With the prefix of the site. */
  readonly address: string
  readonly editor: Caller
}

/**
 * Fills a site of `frontEndSite` at an address, prefix included: nested pages with every kind of widget, and five posts,
 * some of it in French too.
 */
export async function fillFrontEnd(address: string): Promise<void> {
  const service = { address, editor: callerOf(address, 'key-editor', null) }
  const about = await makePage(service, 'default-page', 'About', {
    seoDescription: 'All about <us>',
    main: area(text('<p>We make <strong>maps</strong>.</p>')),
  })
  await makePage(service, 'default-page', 'Team', { _targetId: about._id, main: area(text('<h2>Who we are</h2>')) })
  const ann = await make(service, 'author', { title: 'Ann Other' })
  const home = await fillHome(service, about, ann)
  await makePosts(service, ann)
  await makeOddPages(service)
  await writeFooter(service.editor, 'Colophon')
  await translate(service, home._id, 'Accueil')
  await translate(service, about._id, 'À propos')
}

/** Writes the footer that all pages share. */
export async function writeFooter(editor: Caller, footer: string): Promise<void> {
  const { results } = await done(editor.get(`${NAMESPACE}/global`))
  await done(editor.patch(`${NAMESPACE}/global/${results[0]._id}`, { footer }))
}

const area = (...items: object[]) => ({ metaType: 'area', items })
const text = (content: string) => ({ type: `${NAMESPACE}/rich-text`, content })

/** The body of an answer that must be a success. */
async function done(answer: Promise<Answer>) {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`Refused: ${JSON.stringify(body)}`)
  return body
}

function make({ editor }: Service, type: string, body: object) {
  return done(editor.post(type, body))
}

function makePage(service: Service, type: string, title: string, fields: object = {}) {
  return make(service, `${NAMESPACE}/page`, { type, title, _targetId: '_home', _position: 'lastChild', ...fields })
}

async function fillHome(service: Service, about: object, ann: object) {
  const attachment = (await upload(service, 'editor', await jpeg(1200, 800), 'Moss.jpg', NAMESPACE)).body
  const image = await make(service, `${NAMESPACE}/image`, { title: 'Moss', alt: 'Moss on a stone', attachment })
  const plan = (await upload(service, 'editor', PDF, 'Plan.pdf', NAMESPACE)).body
  const file = await make(service, `${NAMESPACE}/file`, { title: 'The plan', attachment: plan })
  const column = (place: object, content: object) => ({
    type: `${NAMESPACE}/layout-column`,
    rowstart: 1,
    rowspan: 1,
    ...place,
    content: area(content),
  })
  return done(
    service.editor.patch(`${NAMESPACE}/page/_home`, {
      title: 'Home',
      main: area(
        text('<h2>Welcome</h2><p>Read <a href="https://example.org/">more</a>.</p>'),
        {
          type: `${NAMESPACE}/image`,
          _image: [{ ...image, _fields: { left: 100, top: 40, width: 600, height: 500, x: 25, y: 75 } }],
          caption: 'Moss & stone',
          linkTo: 'default-page',
          '_default-page': [about],
        },
        { type: `${NAMESPACE}/video`, video: { url: VIDEO_URL, title: 'A video' } },
        { type: `${NAMESPACE}/file`, _file: [file] },
        {
          type: `${NAMESPACE}/layout`,
          columns: area(
            column({ colstart: 1, colspan: 8 }, text('<p>Wide column</p>')),
            column(
              { colstart: 9, colspan: 4, showMobile: false },
              { type: 'quote', words: 'So it goes <again>', _speaker: [ann] },
            ),
          ),
        },
      ),
    }),
  )
}

async function makePosts(service: Service, ann: object): Promise<void> {
  for (const [index, section] of ['news', 'essay', 'news', 'essay', 'news'].entries()) {
    const number = index + 1
    await make(service, `${NAMESPACE}/blog`, {
      title: `Post ${number}`,
      publishedAt: `2026-01-0${number}`,
      section,
      _author: number === 1 ? [ann] : [],
      main: area(text(`<p>Text of post ${number}.</p>`)),
    })
  }
  await makePage(service, `${NAMESPACE}/blog-page`, 'Blog')
}

/** Pages that visitors do not see, and one that was elsewhere. */
async function makeOddPages(service: Service): Promise<void> {
  const { editor } = service
  await makePage(service, 'default-page', 'Members', { visibility: 'loginRequired' })
  const gone = await makePage(service, 'default-page', 'Gone')
  await done(editor.patch(`${NAMESPACE}/page/${gone._id}`, { _targetId: '_archive', _position: 'lastChild' }))
  const old = await makePage(service, 'default-page', 'Old name')
  await done(editor.patch(`${NAMESPACE}/page/${old._id}`, { title: 'New name', slug: '/new-name' }))
}

async function translate(service: Service, id: string, title: string): Promise<void> {
  const path = `${NAMESPACE}/page/${id}`
  const isHome = title === 'Accueil'
  await done(service.editor.post(`${path}/localize`, { toLocale: 'fr', publish: true, related: true, update: isHome }))
  await done(service.editor.patch(path, { title }, 'aposLocale=fr'))
}
