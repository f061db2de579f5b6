import type { Recording } from './recording.ts'

/** A request that is not among the recordings, sent before the recording `before`, which needs what it makes. */
export interface StandIn extends Omit<Recording, 'status' | 'response' | 'section'> {
  readonly before: string
}

const article = { as: 'admin', method: 'POST', path: '/api/v1/article' }

const upload = { as: 'admin', method: 'POST', path: '/api/v1/@cms/attachment/upload' }
const multipart = (name: string, type: string, length: number) =>
  `multipart: part "file" filename="${name}" type=${type} ${length} bytes`

const page = { as: 'admin', method: 'POST', path: '/api/v1/@cms/page' }
const pageBody = { type: 'default-page', _targetId: '_home', _position: 'lastChild' }
const draft = { aposMode: 'draft' }

/** The pages whose making was not recorded. */
const pages: readonly StandIn[] = [
  {
    before: 'g-pgC',
    id: 'pgA',
    ...page,
    body: {
      ...pageBody,
      title: 'Page A',
      slug: '/page-a',
      intro: 'Hi',
      main: { items: [{ type: '@cms/rich-text', content: '<p>Page body</p>' }] },
    },
    saves: ['pgA'],
  },
  { before: 'g-pgC', id: 'pgB', ...page, body: { ...pageBody, title: 'Page B', slug: '/page-b' }, saves: ['pgB'] },
  { before: 'g013', id: 'pgA2', ...page, body: { ...pageBody, title: 'A2', _targetId: '{{pgA}}' }, saves: ['pgA2'] },
  {
    before: 'g016',
    id: 'pgA0',
    ...page,
    body: { ...pageBody, title: 'A0', _targetId: '{{pgA}}', _position: 0 },
    saves: ['pgA0'],
  },
  {
    before: 'g016',
    id: 'pgAat1',
    ...page,
    body: { ...pageBody, title: 'A at 1', _targetId: '{{pgA}}', _position: 1 },
    saves: ['pgAat1'],
  },
  {
    before: 'g081',
    id: 'pgArticles',
    ...page,
    body: { ...pageBody, type: 'article-page', title: 'Articles', slug: '/articles' },
  },
  { before: 'g031', id: 'pgD', ...page, query: draft, body: { ...pageBody, title: 'Page D' }, saves: ['pgD'] },
  {
    before: 'g036',
    id: 'pgCon',
    ...page,
    as: 'contributor',
    query: draft,
    body: { ...pageBody, title: 'Contrib page', _targetId: '{{pgA}}' },
    saves: ['pgCon'],
  },
  {
    before: 'g111',
    id: 'pgB-moved',
    as: 'admin',
    method: 'PATCH',
    path: '/api/v1/@cms/page/{{pgB}}',
    body: { _targetId: '{{pgC}}', _position: 'lastChild' },
  },
  {
    before: 'g181',
    id: 'pgO',
    ...page,
    body: { ...pageBody, title: 'Orphan', slug: '/orphan', orphan: true },
    saves: ['pgO'],
  },
]

const fullArticle = {
  title: 'Full Article',
  subtitle: 'Sub',
  code: 'AB12',
  count: 12,
  rating: 3.5,
  featured: true,
  eventDate: '2026-05-04',
  eventTime: '13:05:06',
  at: '2026-05-04T10:11:12.000Z',
  link: 'https://example.test/x',
  contact: 'a@example.test',
  level: 'high',
  tags: ['red', 'blue'],
  tone: 'soft',
  tint: '#ff0000aa',
  size: 70,
  spacing: { top: 1, right: 2, bottom: 3, left: 4 },
  links: [{ label: 'One', href: 'https://one.test', n: 1 }, { label: 'Two' }],
  address: { city: 'Graz', zip: 8010 },
  body: {
    metaType: 'area',
    items: [
      {
        type: '@cms/rich-text',
        content: '<h2>Hi</h2><p>Hello <strong>world</strong> <a href="https://ok.test">ok</a></p>',
      },
      {
        type: 'promo',
        heading: 'Promo!',
        items: [{ text: 'i1' }],
        _topics: [{ _id: '{{topic1}}:en:published' }],
        alignment: 'apos-center',
        padding: { top: 10, right: 10, bottom: 10, left: 10 },
        headingColor: '#00ff00',
      },
      { type: '@cms/html', code: '<b>raw</b>' },
      {
        type: '@cms/video',
        video: { url: 'https://example.test/v', title: 'V', thumbnail: 'https://example.test/t.jpg' },
      },
      { type: 'plain', text: 'plain text', textColor: '#123456' },
    ],
  },
  _topics: [{ _id: '{{topic1}}:en:published' }, { _id: '{{topic2}}:en:published' }],
  _related: [{ _id: '{{article1}}:en:published', _fields: { why: 'because' } }],
}

/** The products whose making was not recorded; the others show how they were made. */
const items: readonly StandIn[] = [0, 3, 4, 7, 10, 12, 13].map((n) => ({
  before: 'p111',
  id: `item${n}`,
  as: 'admin',
  method: 'POST',
  path: '/api/v1/product',
  body: {
    title: `Item ${String(n).padStart(2, '0')} widget`,
    sku: `I${n}`,
    price: 100 - n,
    color: n % 2 === 1 ? 'red' : 'blue',
    tags: n % 3 === 0 ? ['b', 'c'] : ['a'],
    active: n % 2 === 0,
    qty: n,
    _topics: n % 2 === 1 ? [{ _id: '{{topic2}}' }] : [],
  },
  saves: [`item${n}`],
}))

/** Content that the recordings in scope need and do not make, as their answers show. */
export const standIns: readonly StandIn[] = [
  {
    before: 'p002',
    id: 'topic1',
    as: 'admin',
    method: 'POST',
    path: '/api/v1/topic',
    body: { title: 'Alpha Topic', blurb: 'first' },
    saves: ['topic1'],
  },
  { before: 'p006', id: 'article1', ...article, body: { title: 'Minimal Article' }, saves: ['article1'] },
  { before: 'p006', id: 'article2', ...article, body: fullArticle, saves: ['article2'] },
  {
    before: 'p080',
    id: 'fr1',
    ...article,
    query: { aposLocale: 'fr' },
    body: { title: 'Article français' },
    saves: ['fr1'],
  },
  ...items,
  ...pages,
  { before: 'u072', id: 'pub', ...article, query: { aposMode: 'draft' }, body: { title: 'Pub Draft' }, saves: ['pub'] },
  {
    before: 'u076',
    id: 'pub-v2',
    as: 'admin',
    method: 'PATCH',
    path: '/api/v1/article/{{pub}}:en:draft',
    body: { subtitle: 'v2' },
  },
  { before: 'u116', id: 'arc', ...article, body: { title: 'Archive Me' }, saves: ['arc'] },
  {
    before: 'u118',
    id: 'arc-archived',
    as: 'admin',
    method: 'PATCH',
    path: '/api/v1/article/{{arc}}:en:published',
    body: { archived: true },
  },
  { before: 'u136', id: 'del-removed', as: 'admin', method: 'DELETE', path: '/api/v1/article/{{del}}:en:published' },
  {
    before: 'u140',
    id: 'cdraft',
    as: 'contributor',
    method: 'POST',
    path: '/api/v1/article',
    query: { aposMode: 'draft' },
    body: { title: 'Contributor Draft' },
    saves: ['cdraft'],
  },
  { before: 'u150', id: 'unp', ...article, body: { title: 'Unpublish Me' }, saves: ['unp'] },
  {
    before: 'g101',
    id: 'article2-fr',
    as: 'admin',
    method: 'POST',
    path: '/api/v1/article/{{article2}}:fr:draft/publish',
  },
  { before: 'm030', id: 'att4', ...upload, body: multipart('my-photo.jpg', 'image/jpeg', 12081), saves: ['att4'] },
  {
    before: 'm048',
    id: 'itag',
    as: 'admin',
    method: 'POST',
    path: '/api/v1/@cms/image-tag',
    body: { title: 'Tag' },
    saves: ['itag'],
  },
  { before: 'm061', id: 'attT', ...upload, body: multipart('notes.txt', 'text/plain', 11), saves: ['attT'] },
  {
    before: 'm101',
    id: 'file1',
    as: 'admin',
    method: 'POST',
    path: '/api/v1/@cms/file',
    body: { title: 'Notes', attachment: { _id: '{{attT}}' } },
    saves: ['file1'],
  },
  {
    before: 'm111',
    id: 'withImg',
    ...article,
    body: {
      title: 'With image',
      _image: [{ _id: '{{img1}}' }],
      body: { items: [{ type: '@cms/image', _image: [{ _id: '{{img1}}' }] }] },
    },
    saves: ['withImg'],
  },
  {
    before: 'n072',
    id: 'styles',
    as: 'admin',
    method: 'GET',
    path: '/api/v1/@cms/styles',
    saves: ['styles'],
  },
  { before: 'z041', id: 'article4', ...article, body: { title: 'X' }, saves: ['article4'] },
]
