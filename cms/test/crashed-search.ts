import { newId } from '../src/base/ids.ts'
import { foundTexts } from '../src/engine/lists/found-texts.ts'
import { indexedWords, languageOf } from '../src/engine/lists/indexed-words.ts'
import type { Site } from '../src/model/declared/types.ts'
import type { Document } from '../src/model/terms/document.ts'
import { BrokenConnection, type Caller } from './caller.ts'
import { rowsOf } from './consistency.ts'
import { Dice } from './dice.ts'
import { seed } from './sample.ts'

const WORDS = ['alder', 'almond', 'ash', 'aspen', 'beech', 'birch']
const WRITERS = 8
const MOST_DOCUMENTS = 160
/** Long enough for indexing to take its time. */
const FILLER = Array.from({ length: 1200 }, (_, index) => `filler${index.toString(36)}`).join(' ')

/** What is known of a document: its titles, null where there is no copy. */
interface State {
  readonly draft: string | null
  readonly published: string | null
  readonly isArchived: boolean
}
const GONE: State = { draft: null, published: null, isArchived: false }

/** What was answered of a document, and what may have been done without an answer. */
interface WrittenDocument {
  readonly writer: number
  answered: State
  begun: State | null
}

interface Step {
  readonly state: State
  send(caller: Caller): Promise<{ status: number }>
}

type Mode = 'draft' | 'published'

/** Documents that writers change until the service is killed, and what searches must find of them. */
export class CrashedSearch {
  readonly #url: string
  readonly #site: Site
  readonly #known = new Map<string, WrittenDocument>()
  readonly #dice = new Dice(seed)

  constructor(url: string, site: Site) {
    this.#url = url
    this.#site = site
  }

  /** Writes until it is stopped, or the processes of the callers are gone. */
  write(callers: readonly Caller[]): () => Promise<void> {
    const run = { isOver: false }
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      this.#writeOn(callers[writer % callers.length] as Caller, writer, run),
    )
    return async () => {
      run.isOver = true
      await Promise.all(writers)
    }
  }

  async #writeOn(caller: Caller, writer: number, run: { isOver: boolean }): Promise<void> {
    try {
      while (!run.isOver) await this.#writeOne(caller, writer)
    } catch (error) {
      if (!(error instanceof BrokenConnection)) throw error
    }
  }

  async #writeOne(caller: Caller, writer: number): Promise<void> {
    const own = [...this.#known].flatMap(([id, known]) => (known.writer === writer ? [id] : []))
    const isFull = this.#known.size >= MOST_DOCUMENTS
    const id = own.length > 0 && (isFull || this.#dice.isBelow(0.6)) ? this.#dice.pick(own) : null
    if (id === null) return this.#create(caller, writer)
    const known = this.#known.get(id)
    if (known === undefined || known.begun !== null) return
    const step = this.#step(id, known.answered)
    known.begun = step.state
    const { status } = await step.send(caller)
    if (status !== 200) throw new Error(`A write was answered ${status}.`)
    known.answered = step.state
    known.begun = null
    if (step.state === GONE) this.#known.delete(id)
  }

  async #create(caller: Caller, writer: number): Promise<void> {
    const title = this.#title()
    const isDraft = this.#dice.isBelow(0.3)
    const body = { items: [{ type: '@cms/rich-text', content: `<p>${FILLER}</p>` }] }
    const answer = await caller.post('article', { title, slug: newId(), body }, isDraft ? 'aposMode=draft' : '')
    if (answer.status !== 200) throw new Error(`A new document was answered ${answer.status}.`)
    const answered = { draft: title, published: isDraft ? null : title, isArchived: false }
    this.#known.set(answer.body.aposDocId, { writer, answered, begun: null })
  }

  #title(): string {
    return `${this.#dice.pick(WORDS)} ${this.#dice.pick(WORDS)} survivor`
  }

  #step(id: string, { draft, published, isArchived }: State): Step {
    const path = `article/${id}`
    const title = this.#title()
    const all: Step[] = []
    if (isArchived)
      all.push({ state: { draft, published, isArchived: false }, send: (to) => to.post(`${path}/restore`) })
    else {
      all.push(
        { state: { draft: title, published, isArchived }, send: (to) => to.patch(path, { title }, 'aposMode=draft') },
        { state: { draft, published: draft, isArchived }, send: (to) => to.post(`${path}/publish`) },
        { state: { draft, published, isArchived: true }, send: (to) => to.post(`${path}/archive`) },
      )
      if (published !== null) {
        all.push(
          { state: { draft: title, published: title, isArchived }, send: (to) => to.patch(path, { title }) },
          { state: { draft, published: null, isArchived }, send: (to) => to.post(`${path}/unpublish`) },
        )
      }
    }
    if (this.#dice.isBelow(0.2)) {
      const query = published === null ? 'aposMode=draft' : ''
      all.push({ state: GONE, send: (to) => to.delete(path, query) })
    }
    return this.#dice.pick(all)
  }

  /** The documents whose state is neither what was answered nor what was begun. Afterwards what is there is known. */
  async lost(): Promise<string[]> {
    const found = await this.#stored()
    const lost: string[] = []
    for (const [id, { answered, begun }] of this.#known) {
      const state = found.get(id) ?? GONE
      const isKnown = [answered, begun].some((one) => one !== null && JSON.stringify(one) === JSON.stringify(state))
      if (!isKnown) lost.push(`${id}: ${JSON.stringify({ answered, begun, state })}`)
    }
    this.#known.clear()
    for (const [index, [id, answered]] of [...found].entries()) {
      this.#known.set(id, { writer: index % WRITERS, answered, begun: null })
    }
    return lost
  }

  async #stored(): Promise<Map<string, State>> {
    const [rows = []] = await rowsOf(this.#url, ["select * from documents where type = 'article'"])
    const found = new Map<string, State>()
    for (const { doc_id, mode, title, archived } of rows) {
      const id = String(doc_id)
      const { draft, published } = found.get(id) ?? GONE
      const state = mode === 'draft' ? { draft: String(title), published } : { draft, published: String(title) }
      found.set(id, { ...state, isArchived: Number(archived) === 1 })
    }
    return found
  }

  /** Where a search or a list of a process says something else than the documents do. */
  async mistakes(callers: readonly Caller[]): Promise<string[]> {
    const stored = await this.#stored()
    const mistakes: string[] = []
    for (const [process, caller] of callers.entries()) {
      for (const word of ['survivor', ...WORDS, '']) {
        for (const mode of ['published', 'draft'] as const) {
          const isFound = ({ isArchived, ...state }: State) => !isArchived && hasWord(state[mode], word)
          const expected = [...stored].flatMap(([id, state]) => (isFound(state) ? [id] : []))
          const found = await idsOf(caller, word, mode)
          if (found.toSorted().join() !== expected.toSorted().join()) {
            mistakes.push(`process ${process}, ${mode} ${word}: ${found.length} found, ${expected.length} there`)
          }
        }
      }
    }
    return mistakes
  }

  /** Where the index holds other words than those of the documents that do not wait for it. */
  async indexMistakes(): Promise<string[]> {
    const indexed = await this.#indexed()
    const [documents = []] = await rowsOf(this.#url, [
      'select d.*, c.body from documents d left join contents c on c.n = d.content where d.search_stale = 0',
    ])
    return documents.flatMap((row) => {
      const fields = { ...JSON.parse(String(row.body)), slug: row.slug }
      // `as`: words are made of the fields alone.
      const document = { id: { locale: row.locale }, type: row.type, fields } as Document
      const texts = foundTexts(this.#site.types, document, new Map())
      const words = indexedWords(texts, languageOf(this.#site, document.id.locale))
      const meant = [...new Set(words.split(' '))].filter(Boolean).toSorted().join(' ')
      const held = [...(indexed.get(Number(row.n)) ?? [])].toSorted().join(' ')
      return meant === held ? [] : [`${row.doc_id} ${row.mode}: ${held.slice(0, 80)} is not ${meant.slice(0, 80)}`]
    })
  }

  async #indexed(): Promise<Map<number, Set<string>>> {
    const found = new Map<number, Set<string>>()
    const add = (row: unknown, word: string) => {
      const words = found.get(Number(row)) ?? new Set()
      found.set(Number(row), words.add(word))
    }
    if (this.#url.startsWith('sqlite:')) {
      const [, rows = []] = await rowsOf(this.#url, [
        "create virtual table temp.held using fts5vocab('main', 'search', 'instance')",
        'select r.document, h.doc, h.term from temp.held h left join search_rows r on r.place = h.doc',
      ])
      for (const { document, term } of rows) add(document ?? -1, String(term))
      return found
    }
    const [rows = []] = await rowsOf(this.#url, [
      'select document, unnest(tsvector_to_array(words)) as term from search',
    ])
    // One of them says what list the document is in.
    for (const { document, term } of rows) if (!String(term).startsWith(' ')) add(document, String(term))
    return found
  }
}

function hasWord(title: string | null, word: string): boolean {
  return title !== null && (word === '' || title.split(' ').includes(word))
}

async function idsOf(caller: Caller, word: string, mode: Mode): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const query = `search=${word}&aposMode=${mode}&perPage=100&page=${page}&project[title]=1`
    const { status, body } = await caller.get('article', query)
    if (status !== 200) throw new Error(`A search was answered ${status}: ${JSON.stringify(body)}`)
    ids.push(...body.results.map((one: { aposDocId: string }) => one.aposDocId))
    if (page >= body.pages) return ids
  }
}
