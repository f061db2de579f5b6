import { area, type Editor, richText } from './editor.ts'

const NAMESPACE = '@apostrophecms'

/** Two posts, and a home page with a picture and a file. */
export async function fillEssentials(editor: Editor): Promise<void> {
  const image = await editor.image('Moss', 'Moss on a stone')
  const file = await editor.file('The plan', 'Plan.pdf')
  await editor.changePage('_home', {
    main: area(
      richText('<p>Hello</p>'),
      { type: `${NAMESPACE}/image`, _image: [image], caption: 'Moss', linkTo: 'none' },
      { type: `${NAMESPACE}/video`, video: { url: 'https://youtu.be/Q5UX9yexEyM' } },
      { type: `${NAMESPACE}/file`, _file: [file] },
    ),
  })
  for (const number of [1, 2]) {
    await editor.make(`${NAMESPACE}/blog`, {
      title: `Post ${number}`,
      publishedAt: `2026-01-0${number}`,
      main: area(richText(`<p>Text ${number}</p>`)),
    })
  }
  await editor.makePage('default-page', 'About', { main: area(richText('<p>About us</p>')) })
  await editor.makePage(`${NAMESPACE}/blog-page`, 'Blog')
}

/** An article with everything that it is shown with, and a home page of widgets with links. */
export async function fillPublicDemo(editor: Editor): Promise<void> {
  const image = await editor.image('Moss', 'Moss on a stone')
  const file = await editor.file('The plan', 'Plan.pdf')
  const about = await editor.makePage('default-page', 'About')
  const category = await editor.make('article-category', { title: 'Nature' })
  const author = await editor.make('author', { title: 'Ann Other' })
  await editor.make('article', {
    title: 'On moss',
    blurb: area(richText('<p>Soft and <strong>green</strong></p>')),
    publishedDate: '2026-01-02',
    _categories: [category],
    _author: [author],
    _image: [image],
    main: area(richText('<p>All of it</p>')),
  })
  await editor.makePage('article-page', 'Articles', { intro: area(richText('<p>Read</p>')) })
  await editor.changeGlobal({ siteTitle: 'The demo', _siteLogo: [image] })
  await editor.changePage('_home', {
    main: area(
      {
        type: 'hero',
        content: area(richText('<h2>Big</h2>')),
        links: [
          { linkText: 'About us', linkType: 'page', _linkPage: [about], linkTarget: ['_blank'] },
          { linkText: 'The plan', linkType: 'file', _linkFile: [file] },
        ],
      },
      {
        type: 'card',
        titleRT: area({ type: 'card-title-rt', content: '<h3>Card</h3>' }),
        contentRT: area({ type: 'card-content-rt', content: '<p>Text</p>' }),
        linkText: 'Elsewhere',
        linkType: 'custom',
        linkUrl: 'https://example.org/',
      },
      { type: 'article', limit: 5, display: 'horizontal' },
    ),
  })
}

/** Two articles of one author, who is shown with both, and a home page with a hero and two levels of navigation. */
export async function fillApollo(editor: Editor): Promise<void> {
  const image = await editor.image('Moss', 'Moss on a stone')
  const author = await editor.make('author', {
    title: 'Ann Other',
    profileImage: area({ type: `${NAMESPACE}/image`, _image: [image] }),
    biography: area(richText('<p>Writes</p>')),
    email: 'ann@example.org',
    socialLinks: [{ platform: 'github', url: 'https://github.com/ann' }],
  })
  const first = await editor.make('article', {
    title: 'On moss',
    category: 'news',
    _heroImage: [image],
    mainContent: area(richText('<p>All of it</p>')),
    _author: [author],
    publishDate: '2026-01-02',
  })
  await editor.make('article', {
    title: 'On stones',
    category: 'opinion',
    excerpt: 'Hard',
    _author: [author],
    publishDate: '2026-01-03',
    _related: [first],
  })
  await editor.makePage('article-page', 'Articles', { indexLayout: 'standard' })
  const about = await editor.makePage('default-page', 'About')
  await editor.makePage('default-page', 'Team', { _targetId: about._id })
  await editor.changePage('_home', {
    heroSection: {
      background: 'image',
      _backgroundImage: [image],
      mainContent: { title: 'Welcome', subtitle: 'To moss' },
      callToAction: area({ type: 'link', linkText: 'About us', linkType: 'page', _linkPage: [about] }),
    },
    main: area(richText('<p>Hello</p>')),
  })
  const logo = await editor.picture(300, 100, 'Logo.jpg')
  await editor.changeGlobal({
    brandingGroup: { siteTitle: 'Apollo', brandingType: 'both', siteLogo: logo },
    headerGroup: { headerPosition: 'fixed', headerTextColor: 'black' },
    footerGroup: { socialLinks: [{ platform: 'mastodon', url: 'https://example.org/@apollo' }] },
  })
}
