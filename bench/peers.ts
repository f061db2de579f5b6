import type { articleBody } from './content.ts'

/** A document as all systems are to store it: articles of 3 to 5 KB with two topics and an image. */
export type Article = ReturnType<typeof articleBody>

/** A change of a document, or a new one: what is sent. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  readonly body: object
}

/** How a system is asked: the only thing that has to be written for another one. */
export interface Peer {
  /** The site that it needs. */
  readonly needs: string
  headers(key: string): Readonly<Record<string, string>>
  topic(title: string): Write
  article(article: Article): Write
  /** The id of a document, in the answer to its POST. */
  idOf(answer: unknown): string
  /** Uploads a JPEG and makes an image of it. Answers its id. */
  addImage(call: Call, jpeg: Blob, title: string): Promise<string>
  patch(id: string, subtitle: string): Write
  one(id: string): string
  /** Ten articles with their topics and images. */
  list(page: number): string
  search(word: string): string
}

/** Sends a request, and answers the JSON of its answer. */
export type Call = (path: string, method: string, body: object | FormData) => Promise<unknown>

const API = '/api/v1/article'

/** This service, with the site of the benchmarks: `quire serve --site bench/site.ts`. */
const quire: Peer = {
  needs: 'the site bench/site.ts',
  headers: (key) => ({ authorization: `ApiKey ${key}` }),
  topic: (title) => ({ method: 'POST', path: '/api/v1/topic', body: { title } }),
  article: (body) => ({ method: 'POST', path: API, body }),
  idOf: (answer) => text(answer, '_id'),
  addImage: async (call, jpeg, title) => {
    const attachment = await call('/api/v1/@cms/attachment/upload', 'POST', form({ file: jpeg }))
    return text(await call('/api/v1/@cms/image', 'POST', { title, alt: title, attachment }), '_id')
  },
  patch: (id, subtitle) => ({ method: 'PATCH', path: `${API}/${id}`, body: { subtitle } }),
  one: (id) => `${API}/${id}`,
  list: (page) => `${API}?page=${page}`,
  search: (word) => `${API}?search=${word}`,
}

/** Payload, by its REST documentation (version 3). */
const payload: Peer = {
  needs: `Payload 3 with the collections users (auth: { useAPIKey: true }), media (upload, alt: text), topics (title: text) and
articles: title, subtitle, section (text), body (array of content: textarea), topics (relationship to topics, hasMany), image
(upload to media); everybody may read.`,
  headers: (key) => ({ authorization: `users API-Key ${key}` }),
  topic: (title) => ({ method: 'POST', path: '/api/topics', body: { title } }),
  article: ({ title, subtitle, section, body, topicsIds, imageIds }) => {
    const paragraphs = body.items.map(({ content }) => ({ content }))
    const topics = topicsIds?.map(payloadId)
    const fields = { title, subtitle, section, body: paragraphs, topics, image: imageIds?.map(payloadId)[0] }
    return { method: 'POST', path: '/api/articles', body: fields }
  },
  idOf: (answer) => text(field(answer, 'doc'), 'id'),
  addImage: async (call, jpeg, title) => {
    const answer = await call('/api/media', 'POST', form({ file: jpeg, _payload: JSON.stringify({ alt: title }) }))
    return text(field(answer, 'doc'), 'id')
  },
  patch: (id, subtitle) => ({ method: 'PATCH', path: `/api/articles/${id}`, body: { subtitle } }),
  one: (id) => `/api/articles/${id}?depth=1`,
  list: (page) => `/api/articles?limit=10&page=${page}&depth=1`,
  search: (word) => `/api/articles?limit=10&depth=1&where[title][like]=${word}`,
}

/** Numbers on its SQL databases, texts on others, and it takes no number that is sent as text. */
function payloadId(id: string): string | number {
  return /^\d+$/.test(id) ? Number(id) : id
}

export const peers: Readonly<Record<string, Peer>> = { quire, payload }

function form(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, 'image.jpg')
  }
  return form
}

function text(answer: unknown, name: string): string {
  const value = field(answer, name)
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new Error(`There is no ${name} in ${JSON.stringify(answer).slice(0, 300)}`)
}

function field(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
}
