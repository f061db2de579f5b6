import { setTimeout } from 'node:timers/promises'
import { changeUser, createUser } from '../src/cli/accounts/users.ts'
import { removeLocale, renameLocale } from '../src/cli/locales/locale-content.ts'
import { createKey, revokeKey } from '../src/engine/access/keys.ts'
import { reindex } from '../src/engine/lists/reindex.ts'
import { pruneVersions } from '../src/engine/versions/tidy-versions.ts'
import { cleanUploads } from '../src/features/media/clean-media.ts'
import { defineSite } from '../src/index.ts'
import { Dice } from './dice.ts'
import { PASSWORD } from './people.ts'
import { type Question, randomQuestion } from './random-questions.ts'
import { PIECES, World } from './random-world.ts'
import { randomWrite } from './random-writes.ts'
import type { Processes, Written } from './two-processes.ts'

/** So many questions are asked after each write; some of them are replaced by others then. */
const QUESTIONS = 32
const REPLACED = 5
/** These are asked each time. */
const ALWAYS = [...new Set(PIECES)].map((type) => ({ caller: 'admin', path: `/api/v1/${type}?aposLocale=en` }) as const)
/** How far behind another process may be on a server (§0.7), and what it takes to hear of it. */
const BEHIND_MILLISECONDS = 50

const NAMES = /^(?:cache-tag|surrogate-key): .*\n/gm
/** So many of the newest addresses of pages are visited in each locale. */
const PAGES = 10

const isOpen = (caller: Question['caller']) => ['frontend', 'static'].includes(caller)

/** The locales of the site, but two. */
const LATER = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    es: { label: 'Spanish', prefix: '/es' },
  },
})

/** A cached answer that differs from the one that is made at the same moment. */
export interface Contradiction {
  readonly step: number
  readonly write: string
  readonly process: number
  readonly question: Question
  readonly cached: string
  readonly right: string
}

/** What was done. */
interface Done {
  readonly what: string
  /** Which of the two processes did it; null when it was another one. */
  readonly by: 0 | 1 | null
  readonly revision: string | null
}

/** Random reads and writes by random callers in two processes. */
export class RandomRequests {
  readonly #processes: Processes
  readonly #world: World
  readonly #questions: Question[] = []
  readonly #isServer: boolean
  #step = 0
  /** How many requests there were, by their statuses. */
  readonly statuses = new Map<number, number>()
  /** How often something in the background changed what was compared. */
  unsettled = 0

  constructor(processes: Processes, seed: number) {
    this.#processes = processes
    this.#world = new World(new Dice(seed))
    this.#world.userId = processes.userId
    this.#isServer = !processes.databaseUrl.startsWith('sqlite:')
  }

  /** Some documents of each type, made by requests as well. */
  async prepare(): Promise<void> {
    const world = this.#world
    for (const type of ['@cms/global', '@cms/styles', '@cms/user']) await this.#learn(type)
    for (const _ of [1, 2]) world.attachments.push(await this.#processes.upload(this.#processes.addresses[0]))
    const types = ['topic', '@cms/image-tag', '@cms/image', 'article', 'article', 'product', 'note', 'guesty', 'secret']
    for (const type of [...types, ...types]) {
      await this.#write(0, { caller: 'admin', method: 'POST', path: type, body: world.fields(type, true), makes: type })
    }
    for (const type of ['default-page', 'default-page', 'article-page', 'default-page']) {
      const body = {
        ...world.fields(type, true),
        type,
        _targetId: '_home',
        _position: 'lastChild',
        visibility: 'public',
      }
      await this.#write(0, { caller: 'admin', method: 'POST', path: '@cms/page', body, makes: type })
    }
    for (const type of ['default-page', 'article-page']) {
      for (const toLocale of ['fr', 'es', 'de']) {
        const path = `@cms/page/${world.id(type)}/localize`
        await this.#write(0, { caller: 'admin', method: 'POST', path, body: { toLocale, publish: true } })
      }
    }
    this.#replaceQuestions(QUESTIONS)
    await this.#contradictions({ what: 'nothing', by: null, revision: null })
  }

  /** Writes so often, and asks after each write; the first contradictions, if there are any. */
  async run(steps: number): Promise<Contradiction[]> {
    for (let step = 0; step < steps; step += 1) {
      const found = await this.#contradictions(await this.change())
      if (found.length > 0) return found
      this.#replaceQuestions(REPLACED)
    }
    return []
  }

  /** Does what the command line does with locales that a site has no more; the first contradictions. */
  async removeLocales(): Promise<Contradiction[]> {
    const content = { declaration: LATER, env: { QUIRE_DATABASE: this.#processes.databaseUrl } }
    const options = { force: true, onProgress: () => {} }
    await renameLocale(content, { from: 'de', to: 'es' }, options)
    const found = await this.#contradictions({ what: 'locale rename', by: null, revision: null })
    await removeLocale(content, 'it', options)
    return [...found, ...(await this.#contradictions({ what: 'locale remove', by: null, revision: null }))]
  }

  async #learn(type: string): Promise<void> {
    const ctx = this.#processes.plain.context({ kind: 'operator' })
    const locale = type === '@cms/user' ? '' : 'en'
    const view = { type, locale, mode: 'published', archived: 'any', visibility: null } as const
    const { documents } = await ctx.store.documents.find({ ...view, conditions: [], sort: [], offset: 0, limit: 9 })
    for (const { id } of documents) this.#world.add(type, id.docId)
  }

  /** Random questions of visitors, of the front end for them and of a static build; and the files of the site. */
  publicQuestions(): readonly Question[] {
    const questions = Array.from({ length: QUESTIONS }, () => randomQuestion(this.#world))
    const asked = questions.map(
      ({ caller, path }) => ({ caller: isOpen(caller) ? caller : 'anonymous', path }) as const,
    )
    const pages = this.#world.slugs.slice(-PAGES).flatMap((slug) => ['', '/fr', '/es'].map((prefix) => prefix + slug))
    const files = ['/sitemap.xml', '/llms.txt', ...pages].map((path) => ({ caller: 'anonymous', path }) as const)
    return [...asked, ...files]
  }

  /** One random write, or what the command line does. */
  async change(): Promise<Done> {
    const { dice } = this.#world
    this.#step += 1
    if (dice.isBelow(0.08)) return this.#command()
    const by = dice.isBelow(0.5) ? 0 : 1
    if (dice.isBelow(0.04)) {
      this.#world.attachments.push(await this.#processes.upload(this.#processes.addresses[by]))
      return { what: 'an upload', by, revision: null }
    }
    const write = randomWrite(this.#world)
    const { status, revision } = await this.#write(by, write)
    const { caller, method, path, body } = write
    return { what: `${caller} ${method} ${path} ${JSON.stringify(body)} → ${status}`, by, revision }
  }

  async #write(by: 0 | 1, write: ReturnType<typeof randomWrite>): Promise<Written> {
    const written = await this.#processes.write(this.#processes.addresses[by], write)
    const { status, body } = written
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status !== 200) return written
    if (write.makes !== undefined) this.#world.add(write.makes, String(body.aposDocId))
    if (typeof body.slug === 'string' && body.slug.startsWith('/')) this.#world.slugs.push(body.slug)
    if (write.method === 'PATCH' && body.type === 'article') await this.#learnVersion(String(body.aposDocId))
    return written
  }

  async #learnVersion(docId: string): Promise<void> {
    const first = await this.#processes.plain.store.versions.first({ docId, locale: 'en' })
    if (first !== null) this.#world.versions.push({ type: 'article', docId, id: first.id })
  }

  /** What the command line does, on the same database. */
  async #command(): Promise<Done> {
    const { plain } = this.#processes
    const ctx = plain.context({ kind: 'operator' })
    const username = `user-${this.#step}`
    const commands = {
      reindex: () => reindex(ctx, () => {}),
      'versions prune': () => pruneVersions(ctx, { days: null, count: 1 }),
      'media clean': () => cleanUploads(ctx),
      'user create': () => createUser(ctx, { username, password: PASSWORD, role: 'guest' }),
      'user disable': () => changeUser(ctx, 'erin', { disabled: true }),
      'user enable': () => changeUser(ctx, 'erin', { disabled: false }),
      key: async () => revokeKey(ctx, (await createKey(ctx, { name: 'key', role: 'guest' })).stored.id),
    }
    const [what = '', run = () => {}] = this.#world.dice.pick(Object.entries(commands))
    await run()
    return { what, by: null, revision: null }
  }

  #replaceQuestions(count: number): void {
    for (let replaced = 0; replaced < count; replaced += 1) {
      if (this.#questions.length >= QUESTIONS) this.#questions.splice(this.#world.dice.below(QUESTIONS), 1)
      this.#questions.push(randomQuestion(this.#world))
    }
  }

  async #contradictions({ what, by, revision }: Done): Promise<Contradiction[]> {
    const questions = [...ALWAYS, ...this.#questions]
    const found: Contradiction[] = []
    const right = this.#processes.askPlain(questions)
    const order = by === 1 ? [1, 0] : [0, 1]
    for (const process of order) {
      const address = this.#processes.addresses[process] ?? ''
      if (process !== by) await this.#untilHeard(address, revision)
      const cached = await this.#processes.ask(address, questions)
      for (const [index, answer] of cached.entries()) {
        const expected = (await right)[index] ?? ''
        const question = questions[index]
        if (question === undefined || saidIn(answer) === saidIn(expected)) continue
        if (!(await this.#isStill(question, expected))) this.unsettled += 1
        else found.push({ step: this.#step, write: what, process, question, cached: answer, right: expected })
      }
    }
    return found
  }

  /** Another process hears of a write on a server within milliseconds, or at once who names the write. */
  async #untilHeard(address: string, revision: string | null): Promise<void> {
    if (!this.#isServer) return
    if (revision === null || this.#world.dice.isBelow(0.5)) await setTimeout(BEHIND_MILLISECONDS)
    else await this.#processes.ask(address, [{ caller: 'guest', path: '/robots.txt' }], { 'quire-revision': revision })
  }

  /** False when something in the background has changed it meanwhile. */
  async #isStill(question: Question, expected: string): Promise<boolean> {
    return saidIn((await this.#processes.askPlain([question]))[0] ?? '') === saidIn(expected)
  }
}

/** An answer without the names of what it was made of: other processes may have read that in another order. */
function saidIn(answer: string): string {
  return answer.replaceAll(NAMES, '')
}
