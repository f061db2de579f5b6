import { area, Editor, richText } from './editor.ts'

const NAMESPACE = '@apostrophecms'

/** The URL of a video; only browsers ask what it shows. */
export const VIDEO_URL = 'https://video.example.org/w/1'

/**
 * Fills a site of `frontEndSite` at an address, prefix included: nested pages with every kind of widget, and five
 * posts, some of it in French too.
 */
export async function fillFrontEnd(address: string): Promise<void> {
  const editor = new Editor(address)
  const about = await editor.makePage('default-page', 'About', {
    seoDescription: 'All about <us>',
    main: area(richText('<p>We make <strong>maps</strong>.</p>')),
  })
  const main = area(richText('<h2>Who we are</h2>'))
  await editor.makePage('default-page', 'Team', { _targetId: about._id, main })
  const ann = await editor.make('author', { title: 'Ann Other' })
  const home = await fillHome(editor, about, ann)
  await makePosts(editor, ann)
  await makeOddPages(editor)
  await editor.changeGlobal({ footer: 'Colophon' })
  await translate(editor, home._id, 'Accueil')
  await translate(editor, about._id, 'À propos')
}

async function fillHome(editor: Editor, about: object, ann: object) {
  const image = await editor.image('Moss', 'Moss on a stone')
  const file = await editor.file('The plan', 'Plan.pdf')
  const column = (position: object, content: object) => ({
    type: `${NAMESPACE}/layout-column`,
    rowstart: 1,
    rowspan: 1,
    ...position,
    content: area(content),
  })
  return editor.changePage('_home', {
    title: 'Home',
    main: area(
      richText('<h2>Welcome</h2><p>Read <a href="https://example.org/">more</a>.</p>'),
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
          column({ colstart: 1, colspan: 8 }, richText('<p>Wide column</p>')),
          column(
            { colstart: 9, colspan: 4, showMobile: false },
            { type: 'quote', words: 'So it goes <again>', _speaker: [ann] },
          ),
        ),
      },
    ),
  })
}

async function makePosts(editor: Editor, ann: object): Promise<void> {
  for (const [index, section] of ['news', 'essay', 'news', 'essay', 'news'].entries()) {
    const number = index + 1
    await editor.make(`${NAMESPACE}/blog`, {
      title: `Post ${number}`,
      publishedAt: `2026-01-0${number}`,
      section,
      _author: number === 1 ? [ann] : [],
      main: area(richText(`<p>Text of post ${number}.</p>`)),
    })
  }
  await editor.makePage(`${NAMESPACE}/blog-page`, 'Blog')
}

/** Pages that visitors do not see, and one that was elsewhere. */
async function makeOddPages(editor: Editor): Promise<void> {
  await editor.makePage('default-page', 'Members', { visibility: 'loginRequired' })
  const gone = await editor.makePage('default-page', 'Gone')
  await editor.changePage(gone._id, { _targetId: '_archive', _position: 'lastChild' })
  const old = await editor.makePage('default-page', 'Old name')
  await editor.changePage(old._id, { title: 'New name', slug: '/new-name' })
}

async function translate(editor: Editor, id: string, title: string): Promise<void> {
  const isHome = title === 'Accueil'
  await editor.localizePage(id, { toLocale: 'fr', publish: true, related: true, update: isHome })
  await editor.changePage(id, { title }, 'fr')
}
