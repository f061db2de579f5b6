import sharp from 'sharp'
import type { JsonObject } from '../src/base/json.ts'
import type { Dice } from './dice.ts'
import { type NaiveChoice, type NaiveList, NaiveLists } from './lists-naive.ts'
import { type Calling, type ListQuestion, type QuestionSource, queryOf } from './lists-questions.ts'
import { type Role, TYPES } from './lists-site.ts'
import { folded, type Stored, storedIn } from './lists-truth.ts'
import { inserted, type ListWrite, type Written } from './lists-writes.ts'
import { jpeg, upload } from './media.ts'
import { makeUser, tokenOf } from './people.ts'
import type { Service } from './service.ts'
import { FRONT_KEY } from './visits.ts'

const FIRST = ['topic', 'topic', 'topic', 'person', 'person', 'plan', 'plan', 'vault', 'club', 'stamp', 'stamp']
const PRODUCTS = 12
/** The filters whose values an index page counts. */
const COUNTED = ['topics', 'price']

/** What is compared: choices as texts in one order. */
type ListAnswer = (Omit<NaiveList, 'choices'> & { readonly choices: object }) | number

/** Callers of two processes, and what is stored. */
export class ListCallers {
  readonly #service: Service
  readonly #addresses: readonly string[]
  readonly #dice: Dice
  readonly #versions: { docId: string; id: string }[] = []
  #userId = ''
  #token = ''
  #truth: readonly Stored[] = []
  /** The revision of the last write (§0.7). */
  revision = ''
  /** How many writes and questions there were, by their statuses. */
  readonly writes = new Map<number, number>()
  readonly answers = new Map<number, number>()

  constructor(service: Service, addresses: readonly string[], dice: Dice) {
    this.#service = service
    this.#addresses = addresses
    this.#dice = dice
  }

  /** Index pages in all locales, and some documents of each type. */
  async prepare(): Promise<void> {
    this.#userId = await makeUser(this.#service.app, 'erin')
    this.#token = await tokenOf(this.#service.address, 'erin')
    const post = (path: string, body: JsonObject) => this.write({ caller: 'admin', method: 'POST', path, body })
    await post('@cms/page', { type: 'index-page', title: 'Index', _targetId: '_home', _position: 'lastChild' })
    for (const type of ['@cms/home-page', 'index-page']) {
      const page = this.#truth.find((one) => one.type === type)?.docId
      for (const toLocale of ['fr', 'it']) {
        await post(`@cms/page/${page}/localize`, { toLocale, publish: true, update: type !== 'index-page' })
      }
    }
    for (const [title, file] of Object.entries(await pictures())) {
      const { body: attachment } = await upload(this.#service, 'admin', file, title)
      await post('@cms/image', { title, attachment, alt: title.startsWith('a') ? title : '' })
    }
    for (const type of FIRST) await this.write(inserted(this.written, type))
    for (let count = 0; count < PRODUCTS; count += 1) await this.write(inserted(this.written, 'product'))
  }

  /** What writes are about. */
  get written(): Written {
    return { dice: this.#dice, ids: this.#byType(({ docId }) => docId), versions: this.#versions, userId: this.#userId }
  }

  /** What questions ask by. */
  get asked(): QuestionSource {
    const slugs = this.#byType(({ fields }) => String(fields.slug))
    const userIds = [...new Set(this.#truth.map(({ updatedById }) => updatedById))]
    return { dice: this.#dice, ids: this.#byType(({ docId }) => docId), slugs, userIds }
  }

  #byType(key: (one: Stored) => string): Record<string, string[]> {
    const keysOf = (name: string) => this.#truth.filter(({ type }) => type === name).map(key)
    return Object.fromEntries(Object.keys(TYPES).map((name) => [name, [...new Set(keysOf(name))]]))
  }

  /** Writes in one of the processes, and looks at what is stored then; what was done, and how it was answered. */
  async write({ caller, method, path, body }: ListWrite): Promise<string> {
    const headers = { ...this.#headersOf(caller), 'content-type': 'application/json' }
    const url = `${this.#dice.pick(this.#addresses)}/api/v1/${path}`
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    // `as`: some answer `true`, which has no members.
    const answer = (await response.json()) as JsonObject
    this.revision = response.headers.get('quire-revision') ?? ''
    count(this.writes, response.status)
    this.#truth = await storedIn(this.#service.databaseUrl)
    if (answer.type === 'product' && method !== 'DELETE') await this.#learnVersion(String(answer.aposDocId))
    return `${caller} ${method} ${path} ${JSON.stringify(body)} → ${response.status} ${answer.message ?? ''}`
  }

  async #learnVersion(docId: string): Promise<void> {
    const first = await this.#service.app.store.versions.first({ docId, locale: 'en' })
    if (first !== null) this.#versions.push({ docId, id: first.id })
  }

  #headersOf(caller: Calling | ListWrite['caller'], isVisit = false): Record<string, string> {
    const front = isVisit ? { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY } : {}
    if (caller === 'anonymous') return front
    return { ...front, authorization: caller === 'user' ? `Bearer ${this.#token}` : `ApiKey key-${caller}` }
  }

  /** What a question must be answered. */
  expected(question: ListQuestion): ListAnswer {
    const answer = new NaiveLists(this.#truth).answer(question, this.#roleOf(question.caller))
    if (typeof answer === 'number') return answer
    const { isVisit, page, counts } = question
    if (isVisit && page > Math.max(1, answer.pages)) return 404
    const isCounted = (name: string) => name === 'state' || (isVisit ? COUNTED : counts).includes(name)
    const choices = Object.entries(answer.choices).map(([name, list]) => {
      return [
        name,
        list.map(([value, label, count]) => [value, label, isCounted(name) ? count : null] as const),
      ] as const
    })
    return { ...answer, choices: shown(choices, isVisit) }
  }

  #roleOf(caller: Calling): Role | null {
    if (caller === 'anonymous') return null
    if (caller === 'ai') return 'editor'
    // `as`: a user has one of the roles.
    return caller === 'user' ? (this.#truth.find(({ docId }) => docId === this.#userId)?.fields.role as Role) : caller
  }

  /** What each process answers. */
  ask(question: ListQuestion, headers: Readonly<Record<string, string>>): Promise<ListAnswer[]> {
    return Promise.all(this.#addresses.map((address) => this.#askAt(address, question, headers)))
  }

  async #askAt(address: string, question: ListQuestion, given: Readonly<Record<string, string>>): Promise<ListAnswer> {
    const { isVisit, caller, type, locale } = question
    const path = isVisit ? `${locale === 'en' ? '' : `/${locale}`}/index` : `/api/v1/${type}`
    const headers = { ...this.#headersOf(caller, isVisit), ...given }
    const response = await fetch(`${address}${path}?${queryOf(question)}`, { headers, redirect: 'manual' })
    const text = await response.text()
    count(this.answers, response.status)
    if (response.status !== 200) return response.status
    const body = JSON.parse(text)
    const results: JsonObject[] = isVisit ? body.pieces : body.results
    const named = Object.keys(TYPES[type]?.relationships ?? {})
    const choices: Record<string, Choice[]> = (isVisit ? body.piecesFilters : body.choices) ?? {}
    const all = Object.entries(choices).map(([name, list]) => {
      return [
        name,
        list.map(({ value, label, count }) => [String(value), label ?? null, count ?? null] as const),
      ] as const
    })
    return {
      ids: results.map(({ aposDocId }) => String(aposDocId)),
      total: isVisit ? body.totalPieces : body.total,
      pages: isVisit ? body.totalPages : body.pages,
      choices: shown(all, isVisit),
      related: results.map((result) => Object.fromEntries(named.map((name) => [name, idsOf(result[name])]))),
    }
  }
}

/** Pictures of three sizes and two kinds, by their names. */
async function pictures(): Promise<Readonly<Record<string, Buffer>>> {
  const png = await sharp(await jpeg(40, 120))
    .png()
    .toBuffer()
  return { 'a.jpg': await jpeg(120, 40), 'b.jpg': await jpeg(60, 60), 'c.png': png, 'ad.png': png }
}

interface Choice {
  readonly value: string | number | boolean
  readonly label?: string
  readonly count?: number
}
type ShownChoice = readonly [value: string, label: NaiveChoice[1], count: number | null]

/**
 * Texts folded, since one spelling stands for all; labels of related documents alone. An index page offers all filters.
 */
function shown(choices: readonly (readonly [string, readonly ShownChoice[]])[], isVisit: boolean): object {
  const textOf = (name: string, [value, label, count]: ShownChoice) =>
    `${folded(value)} ${TYPES.product?.fields[name] === undefined ? label : ''} ${count}`
  const all = choices.map(([name, list]) => [name, list.map((one) => textOf(name, one)).toSorted()] as const)
  const offered = all.filter(([, list]) => !isVisit || list.length > 0)
  return Object.fromEntries(offered.toSorted(([one], [next]) => (one < next ? -1 : 1)))
}

function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(({ aposDocId, _id }) => String(aposDocId ?? _id).split(':')[0] ?? '') : []
}

function count(counts: Map<number, number>, status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1)
}
