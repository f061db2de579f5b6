import { type Answer, type Caller, callerOf } from '../cms/test/caller.ts'
import type { Dice } from '../cms/test/dice.ts'
import { SERVING_KEYS } from '../cms/test/serving.ts'

/** What was seen by all writers. */
export interface Seen {
  writes: number
  questions: number
  /** Requests that were not answered as they should be. */
  readonly failures: string[]
  /** Answers that do not show what was written before. */
  readonly wrong: string[]
}

/** An article as its writer knows it. */
interface Article {
  count: number
  /** Null where the draft is as what is published. */
  draftCount: number | null
  tags: readonly string[]
  topic: string
  isArchived: boolean
}

/** What a writer needs. */
interface WriterOptions {
  readonly name: string
  readonly dice: Dice
  /** Where everything is written. */
  readonly address: string
  /** The services that may be asked. */
  readonly services: () => readonly string[]
  readonly topics: readonly string[]
  readonly seen: Seen
}

const MOST_ARTICLES = 60
const TAGS = ['red', 'blue'] as const

/** Writes articles, pages and files of its own, and asks any service for them by filters after each write. */
export class ReleaseWriter {
  readonly #options: WriterOptions
  readonly #caller: Caller
  readonly #articles = new Map<string, Article>()
  readonly #files = new Map<string, Buffer>()
  #code: string
  #home = ''
  #pages: string[] = []
  #round = 0
  #revision = ''

  constructor(options: WriterOptions) {
    this.#options = options
    this.#caller = callerOf(options.address, SERVING_KEYS.editor, null)
    this.#code = options.name
  }

  /** Writes something and asks for it. */
  async step(): Promise<void> {
    try {
      await this.#write()
      await this.#ask(this.#options.dice.pick(this.#options.services()))
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      this.#options.seen.failures.push(error.message)
      this.#beginAgain()
    }
  }

  /** Asks each of the services for all that was written. */
  async askAll(): Promise<void> {
    for (const address of this.#options.services()) {
      for (const question of this.#questions()) await this.#answerOf(address, question)
      await this.#askForPages(address)
      for (const [url, bytes] of this.#files) await this.#askForFile(new URL(url, address), bytes)
    }
  }

  /** Where it is not known what was stored, it goes on with what nobody has written to. */
  #beginAgain(): void {
    this.#round += 1
    this.#code = `${this.#options.name}.${this.#round}`
    this.#articles.clear()
    this.#home = ''
    this.#pages = []
  }

  async #write(): Promise<void> {
    const { dice } = this.#options
    const [id, article] = this.#articles.size === 0 ? [] : dice.pick([...this.#articles])
    const choice = dice.below(20)
    if (choice === 0) return this.#upload()
    if (choice < 4) return this.#writePage()
    if (id === undefined || article === undefined || (choice < 9 && this.#articles.size < MOST_ARTICLES))
      return this.#insert()
    if (article.isArchived) return choice < 12 ? this.#remove(id) : this.#patch(id, article, { archived: false })
    if (choice === 9) return this.#patch(id, article, { archived: true })
    if (article.draftCount !== null) return this.#publish(id, article)
    return choice < 13 ? this.#patchDraft(id, article) : this.#patch(id, article, this.#values())
  }

  #values() {
    const { dice, topics } = this.#options
    return { count: dice.below(5), tags: dice.some(TAGS, 2), topic: dice.pick(topics) }
  }

  async #insert(): Promise<void> {
    const { topic, ...values } = this.#values()
    const body = {
      title: `${this.#code} ${this.#articles.size}`,
      code: this.#code,
      ...values,
      _topics: [{ _id: topic }],
    }
    const made = await this.#send('POST article', this.#caller.post('article', body))
    this.#articles.set(made.body.aposDocId, { ...values, topic, draftCount: null, isArchived: false })
  }

  async #patch(id: string, article: Article, { archived, ...values }: Partial<Article> & { archived?: boolean }) {
    const { topic, ...fields } = values
    const relation = topic === undefined ? {} : { _topics: [{ _id: topic }] }
    const body = archived === undefined ? { ...fields, ...relation } : { archived }
    await this.#send('PATCH article', this.#caller.patch(`article/${id}`, body))
    Object.assign(article, values, archived === undefined ? {} : { isArchived: archived })
  }

  async #patchDraft(id: string, article: Article): Promise<void> {
    const count = article.count + 10
    await this.#send('PATCH draft', this.#caller.patch(`article/${id}`, { count }, 'aposMode=draft'))
    article.draftCount = count
  }

  async #publish(id: string, article: Article): Promise<void> {
    await this.#send('publish', this.#caller.post(`article/${id}/publish`))
    article.count = article.draftCount ?? article.count
    article.draftCount = null
  }

  async #remove(id: string): Promise<void> {
    await this.#send('DELETE article', this.#caller.delete(`article/${id}`))
    this.#articles.delete(id)
  }

  async #writePage(): Promise<void> {
    const { dice } = this.#options
    if (this.#home === '') {
      this.#home = await this.#insertPage('_home')
    } else if (this.#pages.length < 8) {
      this.#pages.push(await this.#insertPage(this.#home))
    } else {
      const [moved = ''] = this.#pages.splice(dice.below(this.#pages.length), 1)
      const body = { _targetId: this.#home, _position: 'firstChild' }
      await this.#send('PATCH page', this.#caller.patch(`@cms/page/${moved}`, body))
      this.#pages.unshift(moved)
    }
  }

  async #insertPage(target: string): Promise<string> {
    const body = { type: 'chapter', title: `${this.#code} page`, _targetId: target, _position: 'lastChild' }
    return (await this.#send('POST page', this.#caller.post('@cms/page', body))).body.aposDocId
  }

  async #upload(): Promise<void> {
    const bytes = Buffer.from(`${this.#code} ${this.#files.size}`.repeat(1 + this.#options.dice.below(2_000)))
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), `${this.#code}.txt`)
    const headers = { authorization: `ApiKey ${SERVING_KEYS.editor}` }
    const sending = fetch(`${this.#options.address}/api/v1/@cms/attachment/upload`, {
      method: 'POST',
      headers,
      body: form,
    })
    const made = await this.#send(
      'upload',
      sending.then(async (got) => ({ status: got.status, headers: got.headers, body: await got.json() })),
    )
    this.#files.set(made.body._url, bytes)
  }

  /** Sends a write: it must succeed. */
  async #send(what: string, sending: Promise<Answer>): Promise<Answer> {
    const answer = await sending.catch((error: unknown) => {
      throw new Failed(`${what}: ${error instanceof Error ? error.message : error}`)
    })
    if (answer.status !== 200) throw new Failed(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
    this.#options.seen.writes += 1
    this.#revision = answer.headers.get('quire-revision') ?? this.#revision
    return answer
  }

  /** One question, of a service of its choice: it has heard of what was written. */
  async #ask(address: string): Promise<void> {
    const { dice } = this.#options
    if (dice.below(6) === 0) return this.#askForPages(address)
    const [url, bytes] = this.#files.size === 0 ? [] : dice.pick([...this.#files])
    if (url !== undefined && bytes !== undefined && dice.below(10) === 0)
      return this.#askForFile(new URL(url, address), bytes)
    await this.#answerOf(address, dice.pick(this.#questions()))
  }

  #questions(): readonly Question[] {
    const { count, tags, topic } = this.#values()
    const [tag = 'red'] = tags
    return [
      [`count=${count}`, (article) => article.count === count],
      [`count[$gte]=${count}`, (article) => article.count >= count],
      [`tags=${tag}`, (article) => article.tags.includes(tag)],
      [`_topics=${topic}`, (article) => article.topic === topic],
      [
        `aposMode=draft&count=${count + 10}`,
        (article) => article.draftCount === count + 10 || (article.draftCount === null && article.count === count + 10),
      ],
      ['aposMode=draft&state=modified', (article) => article.draftCount !== null],
      ['archived=true', (article) => article.isArchived],
    ]
  }

  async #answerOf(address: string, [query, isMeant]: Question): Promise<void> {
    const wanted = [...this.#articles].filter(
      ([, article]) => isMeant(article) && (query === 'archived=true' || !article.isArchived),
    )
    const answer = await this.#read(address, 'article', `code=${this.#code}&perPage=100&${query}`)
    const found = answer.body.results.map(({ aposDocId }: { aposDocId: string }) => aposDocId).toSorted()
    this.#expectSame(`article?${query} at ${address}`, found, wanted.map(([id]) => id).toSorted())
  }

  async #askForPages(address: string): Promise<void> {
    if (this.#home === '') return
    const { body } = await this.#read(address, `@cms/page/${this.#home}`)
    const found = body._children.map(({ aposDocId }: { aposDocId: string }) => aposDocId)
    this.#expectSame(`children at ${address}`, found, this.#pages)
  }

  async #askForFile(url: URL, bytes: Buffer): Promise<void> {
    const answer = await fetch(url).catch((error: unknown) => {
      throw new Failed(`GET ${url}: ${error}`)
    })
    const got = Buffer.from(await answer.arrayBuffer())
    this.#expectSame(
      `${url.pathname}`,
      [String(answer.status), got.toString('base64')],
      ['200', bytes.toString('base64')],
    )
  }

  async #read(address: string, path: string, query = ''): Promise<Answer> {
    const caller = callerOf(address, SERVING_KEYS.editor, null)
    const answer = await caller.get(path, query, { 'quire-revision': this.#revision }).catch((error: unknown) => {
      throw new Failed(`GET ${path} at ${address}: ${error instanceof Error ? error.message : error}`)
    })
    if (answer.status !== 200) throw new Failed(`GET ${path}?${query}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  #expectSame(what: string, found: readonly string[], wanted: readonly string[]): void {
    const { seen } = this.#options
    seen.questions += 1
    if (found.join() !== wanted.join())
      seen.wrong.push(`${this.#code} ${what}: ${found.length} instead of ${wanted.length}`)
  }
}

/** A filter, and what it finds. */
type Question = readonly [query: string, isMeant: (article: Article) => boolean]

/** A request that was not answered as it should be. */
class Failed extends Error {}
