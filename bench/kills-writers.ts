import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, BrokenConnection, type Caller, callerOf } from '../cms/test/caller.ts'
import type { Dice } from '../cms/test/dice.ts'
import { SERVING_KEYS } from '../cms/test/serving.ts'
import { fileAt, uploaded } from './kills-files.ts'
import { type Document, idsOf, newDocument, storedIn, wrongOf } from './kills-stored.ts'

interface Upload {
  readonly url: string
  readonly text: string
}

/** Counts of a run. */
export interface Counts {
  answered: number
  refused: number
  perhaps: number
  unanswered: number
  /** Other answers, with what they were. */
  readonly others: string[]
}

const PATIENCE_MS = 3000

type Outcome = { readonly is: 'done'; readonly body: Answer['body'] } | { readonly is: 'refused' | 'unknown' }

/** Callers who write, know what they were answered, and hold the service to it. */
export class Writers {
  readonly counts: Counts = { answered: 0, refused: 0, perhaps: 0, unanswered: 0, others: [] }
  readonly #addresses: () => readonly string[]
  readonly #name: string
  readonly #documents: Document[] = []
  readonly #uploads: Upload[] = []
  /** Titles of new documents, and counts, that were refused and not said to be stored perhaps. */
  readonly #refusedTitles = new Set<string>()
  readonly #refusedCounts = new Set<string>()
  #isPaused = false
  #isOver = false
  #running = 0

  constructor(name: string, addresses: () => readonly string[]) {
    this.#name = name
    this.#addresses = addresses
  }

  /** One caller; resolves after `stop`. */
  async write(writer: number, dice: Dice): Promise<void> {
    const own: Document[] = []
    for (let n = 0; !this.#isOver; n += 1) {
      const address = dice.pick(this.#addresses())
      if (this.#isPaused || address === undefined) {
        await pause(20)
        continue
      }
      this.#running += 1
      const caller = callerOf(address, SERVING_KEYS.editor, null)
      await this.#step(caller, address, `${this.#name} ${writer} ${n}`, own, dice)
      this.#running -= 1
    }
  }

  /** Resolves when so many more have been answered, or after a while without. */
  async answered(more: number): Promise<void> {
    const wanted = this.counts.answered + more
    const deadline = Date.now() + PATIENCE_MS
    while (this.counts.answered < wanted && Date.now() < deadline) await pause(10)
  }

  /** Resolves when nothing is being written. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#running > 0) await pause(20)
  }

  resume(): void {
    this.#isPaused = false
  }

  stop(): void {
    this.#isOver = true
  }

  async #step(caller: Caller, address: string, title: string, own: Document[], dice: Dice): Promise<void> {
    const usable = own.filter(({ isOpen, isRemoved }) => isOpen && !isRemoved)
    const articles = usable.filter(({ type }) => type === 'article')
    const pages = usable.filter(({ type }) => type === 'chapter')
    const article = articles.length === 0 ? undefined : dice.pick(articles)
    const chance = dice.below(100)
    if (article === undefined || chance < 15) return this.#insert(caller, title, own)
    if (chance < 25) return this.#insertPage(caller, title, own, pages, dice)
    if (chance < 35) return this.#upload(address, title)
    if (chance < 45 && pages.length > 1) return this.#move(caller, pages, dice)
    if (article.isArchived || chance < 53) return this.#archive(caller, article)
    if (chance < 58) return this.#remove(caller, article)
    if (chance < 65) return this.#publishMany(caller, articles)
    if (chance < 75) return this.#publish(caller, article)
    if (chance < 80) return this.#schedule(caller, article)
    return this.#patch(caller, article, dice.isBelow(0.5) ? 'draft' : 'published')
  }

  async #insert(caller: Caller, title: string, own: Document[]): Promise<void> {
    const document = newDocument(title, 'article', null)
    this.#documents.push(document)
    own.push(document)
    // Without an answer it is sent again: there must not be two.
    const headers = { 'idempotency-key': title.replaceAll(' ', '-') }
    const send = () => caller.post('article', { title, count: 0 }, undefined, headers)
    const first = await this.#outcome(send)
    this.#made(document, first.is === 'unknown' ? await this.#outcome(send) : first, first.is === 'unknown')
  }

  async #insertPage(caller: Caller, title: string, own: Document[], pages: readonly Document[], dice: Dice) {
    const parent = pages.length === 0 || dice.isBelow(0.5) ? '_home' : (dice.pick(pages).id ?? '_home')
    const document = newDocument(title, 'chapter', parent)
    this.#documents.push(document)
    own.push(document)
    const body = { title, type: 'chapter', _targetId: parent, _position: 'lastChild' }
    this.#made(document, await this.#outcome(() => caller.post('@cms/page', body)), false)
  }

  #made(document: Document, outcome: Outcome, wasUnknown: boolean): void {
    if (outcome.is === 'done') {
      document.id = outcome.body.aposDocId
      document.draft = 0
      document.published = 0
    } else document.isOpen = false
    if (outcome.is === 'refused' && !wasUnknown) this.#refusedTitles.add(document.title)
  }

  async #patch(caller: Caller, document: Document, mode: 'draft' | 'published'): Promise<void> {
    const count = ++document.sent
    const outcome = await this.#outcome(() => caller.patch(`article/${document.id}`, { count }, `aposMode=${mode}`))
    this.#refusedCount(document, count, outcome)
    if (this.#isDone(document, outcome)) {
      document.draft = count
      if (mode === 'published') document.published = count
    }
  }

  async #schedule(caller: Caller, document: Document): Promise<void> {
    const count = ++document.sent
    const publishAt = new Date(Date.now() + 300).toISOString()
    const body = { count, publishAt }
    const outcome = await this.#outcome(() => caller.patch(`article/${document.id}`, body, 'aposMode=draft'))
    this.#refusedCount(document, count, outcome)
    if (!this.#isDone(document, outcome)) return
    document.draft = count
    document.scheduled = count
  }

  #refusedCount(document: Document, count: number, outcome: Outcome): void {
    if (outcome.is === 'refused') this.#refusedCounts.add(`${document.id} ${count}`)
  }

  async #publish(caller: Caller, document: Document): Promise<void> {
    const outcome = await this.#outcome(() => caller.post(`article/${document.id}/publish`))
    if (this.#isDone(document, outcome)) document.published = document.draft
  }

  async #publishMany(caller: Caller, articles: readonly Document[]): Promise<void> {
    const some = articles.filter(({ isArchived }) => !isArchived).slice(-5)
    const outcome = await this.#outcome(() => caller.post('article/publish', { _ids: some.map(({ id }) => id) }))
    for (const [index, document] of some.entries()) {
      const isStored = outcome.is === 'done' && outcome.body.results[index]?.ok === true
      if (isStored) document.published = document.draft
    }
  }

  async #archive(caller: Caller, document: Document): Promise<void> {
    const action = document.isArchived ? 'restore' : 'archive'
    const outcome = await this.#outcome(() => caller.post(`article/${document.id}/${action}`))
    if (this.#isDone(document, outcome)) document.isArchived = !document.isArchived
  }

  async #remove(caller: Caller, document: Document): Promise<void> {
    const outcome = await this.#outcome(() => caller.delete(`article/${document.id}`))
    if (this.#isDone(document, outcome)) document.isRemoved = true
    // It may be gone.
    if (outcome.is === 'unknown') document.id = null
  }

  async #move(caller: Caller, pages: readonly Document[], dice: Dice): Promise<void> {
    const page = dice.pick(pages)
    const target = { _targetId: '_home', _position: dice.isBelow(0.5) ? 'firstChild' : 'lastChild' }
    const outcome = await this.#outcome(() => caller.patch(`@cms/page/${page.id}`, target))
    if (outcome.is === 'unknown') page.parent = null
    if (this.#isDone(page, outcome)) page.parent = '_home'
  }

  async #upload(address: string, title: string): Promise<void> {
    const text = `${title}\n`.repeat(200 + title.length)
    const outcome = await this.#outcome(() => uploaded(address, text))
    if (outcome.is === 'done') this.#uploads.push({ url: outcome.body._url, text })
  }

  #isDone(document: Document, { is }: Outcome): boolean {
    if (is === 'unknown') document.isOpen = false
    return is === 'done'
  }

  async #outcome(send: () => Promise<Pick<Answer, 'status' | 'body'>>): Promise<Outcome> {
    try {
      const { status, body } = await send()
      if (status === 200) this.counts.answered += 1
      if (status === 200) return { is: 'done', body }
      if (status === 503 && body?.data?.mayBeStored !== true) {
        this.counts.refused += 1
        await pause(30)
        return { is: 'refused' }
      }
      // Sent again with its key: it was stored, and what it was answered is lost.
      const isStored = status === 409 && body?.message?.startsWith('This request was carried out')
      if (status === 503 || isStored) this.counts.perhaps += 1
      else this.counts.others.push(`${status} ${JSON.stringify(body)}`)
      return { is: 'unknown' }
    } catch (error) {
      if (!(error instanceof BrokenConnection)) throw error
      this.counts.unanswered += 1
      await pause(30)
      return { is: 'unknown' }
    }
  }

  /** What is not as it was answered, in the database itself; nothing may be written meanwhile. */
  async wrongIn(databaseUrl: string): Promise<string[]> {
    const stored = await storedIn(databaseUrl)
    const titles = Map.groupBy(stored.values(), ({ title }) => title)
    const twice = this.#documents.filter(({ title }) => idsOf(titles.get(title)).size > 1)
    const refused = [...this.#refusedTitles].filter((title) => titles.has(title))
    const counts = [...stored.values()].filter(({ id, count }) => this.#refusedCounts.has(`${id} ${count}`))
    return [
      ...twice.map(({ title }) => `${title} is there twice`),
      ...refused.map((title) => `${title} was refused, and is there`),
      ...counts.map(({ id, count }) => `${id} has ${count}, which was refused`),
      ...this.#documents.flatMap((document) => wrongOf(document, stored)),
    ]
  }

  /** Scheduled changes that have not come; what is archived or gone waits. */
  async lateIn(databaseUrl: string): Promise<string[]> {
    const stored = await storedIn(databaseUrl)
    return this.#documents.flatMap(({ id, title, scheduled, isArchived, isRemoved, isOpen }) => {
      if (id === null || scheduled === null || isArchived || isRemoved || !isOpen) return []
      const count = stored.get(`${id} published`)?.count ?? -1
      return count < scheduled ? [`${title} was scheduled with ${scheduled} and is published with ${count}`] : []
    })
  }

  /** Files that were answered and cannot be had. */
  async lostFiles(address: string): Promise<string[]> {
    const lost: string[] = []
    for (const { url, text } of this.#uploads) {
      const found = await fileAt(new URL(url, address))
      if (found !== text) lost.push(`${url}: ${found.slice(0, 200)}`)
    }
    return lost
  }

  /** How many documents and files are held against what is stored. */
  get size(): number {
    return this.#documents.length + this.#uploads.length
  }
}
