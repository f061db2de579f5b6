import { afterEach, expect } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { newId } from '../src/base/ids.ts'
import { insertPage } from '../src/engine/operations/insert-page.ts'
import { archiveId } from '../src/engine/pages/parked.ts'
import { treeTarget } from '../src/engine/pages/position.ts'
import { write } from '../src/engine/write.ts'
import { rowsOf } from './consistency.ts'
import type { TestDatabases } from './databases.ts'
import {
  type Answer,
  type Caller,
  describeService,
  type GroupOptions,
  type Service,
  type ServiceOptions,
} from './service.ts'
import { readTrees, unsound } from './trees.ts'

/** A page as it was answered. */
interface Answered {
  readonly _id: string
  readonly aposDocId: string
}

/** A service with a tree to work on: pages of the reference site, which anonymous callers may read. */
export class PagesBench {
  readonly service: Service

  constructor(service: Service) {
    this.service = service
  }

  get admin(): Caller {
    return this.service.admin
  }

  /** A new page, below home unless `more` says otherwise. */
  async made(title: string, more: object = {}, query?: string): Promise<Answer['body']> {
    const body = { type: 'default-page', title, _targetId: '_home', _position: 'lastChild', ...more }
    const answer = await this.admin.post('@cms/page', body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }

  read(page: Answered, query = ''): Promise<Answer> {
    return this.admin.get(`@cms/page/${page.aposDocId}`, query)
  }

  async slug(page: Answered, mode = 'published', locale = 'en'): Promise<string> {
    const answer = await this.read(page, `archived=any&aposMode=${mode}&aposLocale=${locale}`)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body.slug
  }

  /** All trees as the database holds them. */
  tree() {
    return readTrees(this.service.databaseUrl)
  }

  /**
   * `size` published pages below another one, by the function that every POST goes through: three levels deep, or all
   * of them its children.
   */
  async fill(id: string, size: number, more: object = {}, depth: 1 | 3 = 3): Promise<string[]> {
    const { app } = this.service
    const type = app.site.types.get('default-page')
    if (!type) throw new Error('The site has no default-page.')
    return write(app.context({ kind: 'operator' }), async (ctx) => {
      const ids: string[] = []
      for (let number = 0; number < size; number += 1) {
        const above = depth === 1 || number % 10 < 3 ? id : (ids[number - (number % 10) + (number % 3)] ?? id)
        const target = treeTarget(above, 'lastChild')
        const page = { docId: newId(), locale: 'en', mode: 'published', type, target } as const
        ids.push((await insertPage(ctx, page, { title: `Page ${number}`, ...more })).document.id.docId)
      }
      return ids
    })
  }

  /**
   * How many statements a request takes, without those by which search catches up meanwhile. Before, it has done so:
   * one transaction that meets another may have to begin again.
   */
  async cost(work: () => Promise<Answer>): Promise<number> {
    const { statements, databaseUrl } = this.service
    const unindexed = async () => (await rowsOf(databaseUrl, ['select n from documents where search_stale = 1'])).flat()
    while ((await unindexed()).length > 0) await this.admin.get('article', 'search=settled')
    const before = statements.length
    expect(await work()).toMatchObject({ status: 200 })
    return statements.slice(before).filter((statement) => !CATCHING_UP.test(statement)).length
  }

  /** The trees are sound, and nothing has failed. */
  async assertSound(): Promise<void> {
    for (const tree of (await this.tree()).values()) expect(unsound(tree, archiveId)).toEqual([])
    expect(this.service.logged.filter(({ level }) => level === 'error')).toEqual([])
  }
}

const CATCHING_UP =
  /total_changes\(\)|select 0 as count|gin_clean_pending_list|search_rows|search_scopes|search_words|(from|into|update) search\b|search_stale = 0 where|select value from meta where|where d\.search_stale|into changes|pg_logical_emit_message|^(begin|commit|set local|.*pg_notify.* commit$)/

/**
 * Tests of pages, on each kind of database: `describeService` with the reference site, and sound trees after each test.
 */
export function describePages(
  title: string,
  options: ServiceOptions & GroupOptions,
  tests: (pages: PagesBench, databases: TestDatabases) => void,
): void {
  describeService(title, { site: referenceSite({ QUIRE_PAGE_PUBLIC: '1' }), ...options }, (service, databases) => {
    const pages = new PagesBench(service)
    afterEach(() => pages.assertSound())
    tests(pages, databases)
  })
}
