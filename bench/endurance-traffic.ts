import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { type Answer, type Caller, callerOf } from '../cms/test/caller.ts'
import { SERVING_KEYS } from '../cms/test/serving.ts'
import { prose } from '../conformance/prose.ts'
import { topicBody } from '../conformance/seed.ts'
import { articleBody } from './content.ts'

/** Requests that go on at a steady rate. */
export interface Traffic {
  answered(): number
  /** Answers that were not as expected, and connections that failed. */
  failed(): number
  stop(): Promise<void>
}

/** The content stays as large as this: what is made takes the place of the oldest. */
const ARTICLES = 500
const TOPICS = 20
const PAGES = 30
const IMAGES = 30
const PHOTOGRAPH = { width: 1600, height: 1200, channels: 3, background: '#369' } as const

type Request = () => Promise<unknown>

/** Fills an empty service, and then sends so many requests a second, of all sorts. */
export async function startTraffic(address: string, rate: number): Promise<Traffic> {
  const requests = new Requests(address)
  await requests.fill()
  let answered = 0
  let failed = 0
  const running = new Set<Promise<void>>()
  const send = async () => {
    try {
      await requests.any()()
      answered += 1
    } catch (error) {
      failed += 1
      console.error(`A request failed: ${error}`)
    }
  }
  const begin = () => {
    const sent = send().finally(() => running.delete(sent))
    running.add(sent)
  }
  const timer = setInterval(begin, 1000 / rate)
  const stop = async () => {
    clearInterval(timer)
    await Promise.all(running)
  }
  return { answered: () => answered, failed: () => failed, stop }
}

class Requests {
  readonly #address: string
  readonly #editor: Caller
  readonly #anonymous: Caller
  readonly #articles: string[] = []
  readonly #topics: string[] = []
  readonly #pages: string[] = []
  readonly #images: string[] = []
  #number = 0

  constructor(address: string) {
    this.#address = address
    this.#editor = callerOf(address, SERVING_KEYS.editor, null)
    this.#anonymous = callerOf(address, null, null)
  }

  async fill(): Promise<void> {
    for (let n = 0; n < TOPICS; n += 1) this.#topics.push(await idOf(this.#editor.post('topic', topicBody(n))))
    for (let n = 0; n < 2; n += 1) await this.#upload()
    while (this.#articles.length < ARTICLES) await this.#insert()
    while (this.#pages.length < PAGES) await this.#insertPage()
    await pause(1000)
  }

  /** Three quarters read, one quarter writes; one in a hundred uploads. */
  any(): Request {
    const chance = Math.random()
    if (chance < 0.2) return () => good(this.#anonymous.get(`article/${anyOf(this.#articles)}`))
    if (chance < 0.35) return () => good(this.#anonymous.get('article', `perPage=20&page=${numberBelow(25) + 1}`))
    if (chance < 0.45) return () => good(this.#anonymous.get('article', `search=${this.#word()}`))
    if (chance < 0.55)
      return () => good(this.#editor.get('article', `aposMode=draft&sort=-updatedAt&_topics=${anyOf(this.#topics)}`))
    if (chance < 0.65) return () => good(this.#editor.get('@cms/page', 'all=1&aposMode=draft'))
    if (chance < 0.75) return () => this.#visit()
    if (chance < 0.9) return () => good(this.#editor.patch(`article/${anyOf(this.#articles)}`, this.#article()))
    if (chance < 0.95) return () => this.#insert()
    if (chance < 0.97) return () => this.#move()
    if (chance < 0.99) return () => this.#insertPage()
    return () => this.#upload()
  }

  #article(): object {
    this.#number += 1
    return articleBody(this.#number, this.#topics, this.#images)
  }

  async #insert(): Promise<void> {
    this.#articles.push(await idOf(this.#editor.post('article', this.#article())))
    await this.#deleteOldest('article', this.#articles, ARTICLES)
  }

  async #insertPage(): Promise<void> {
    this.#number += 1
    const body = { type: 'chapter', title: `Chapter ${this.#number}`, _targetId: '_home', _position: 'lastChild' }
    this.#pages.push(await idOf(this.#editor.post('@cms/page', body)))
    await this.#deleteOldest('@cms/page', this.#pages, PAGES)
  }

  #move(): Promise<unknown> {
    const position = { _targetId: '_home', _position: numberBelow(PAGES) }
    return good(this.#editor.patch(`@cms/page/${anyOf(this.#pages)}`, position))
  }

  async #upload(): Promise<void> {
    const noise = { type: 'gaussian', mean: 128, sigma: 15 } as const
    const photograph = await sharp({ create: { ...PHOTOGRAPH, noise } })
      .jpeg({ quality: 75 })
      .toBuffer()
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(photograph)]), 'photograph.jpg')
    const headers = { authorization: `ApiKey ${SERVING_KEYS.editor}` }
    const sent = { method: 'POST', body: form, headers }
    const attachment = await (await fetch(`${this.#address}/api/v1/@cms/attachment/upload`, sent)).json()
    const image = await good(this.#editor.post('@cms/image', { title: 'Photograph', attachment }))
    this.#images.push(image.body.aposDocId)
    await (await fetch(new URL(image.body._url, this.#address))).arrayBuffer()
    await this.#deleteOldest('@cms/image', this.#images, IMAGES)
  }

  async #visit(): Promise<void> {
    const { status } = await fetch(this.#address)
    if (status !== 200) throw new Error(`A visit was answered ${status}.`)
  }

  async #deleteOldest(type: string, ids: string[], most: number): Promise<void> {
    if (ids.length > most) await good(this.#editor.delete(`${type}/${ids.shift()}`))
  }

  #word(): string {
    return prose(numberBelow(ARTICLES)).title().split(' ')[0] ?? ''
  }
}

async function good(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering
  if (answer.status !== 200) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

async function idOf(answering: Promise<Answer>): Promise<string> {
  return (await good(answering)).body.aposDocId
}

const numberBelow = (limit: number) => Math.floor(Math.random() * limit)
const anyOf = (ids: readonly string[]) => ids[numberBelow(ids.length)] ?? ''
