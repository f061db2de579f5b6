import { beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { describePages } from '../../../test/pages.ts'
import type { Answer } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site.ts'
import { page } from '../../model/declared/content-type.ts'
import type { Feature } from '../feature.ts'

const TREE = '@cms/page'
/** More than are read at a time. */
const MANY = 60

/** Called when the first page of the next tree is presented: the others are not read yet. */
let meanwhile: (() => Promise<unknown>) | null = null

const changing: Feature = {
  name: 'changing',
  hooks: {
    present: async () => {
      const change = meanwhile
      meanwhile = null
      await change?.()
    },
  },
}

const site = defineSite({
  types: [page('default-page', { publicApiProjection: ['title', '_children', '_ancestors'] }), page('secret-page', {})],
  pages: { publicApiProjection: ['title', '_children'] },
  features: [changing],
})

describePages('§4.2 GET: trees that change while they are read', { site, cacheBytes: 0, timeout: 60_000 }, (pages) => {
  type Made = Answer['body']
  let first: Made
  let hidden: Made
  beforeAll(async () => {
    hidden = await pages.made('Hidden', { visibility: 'loginRequired' })
    first = await pages.made('First')
    await pages.fill(first.aposDocId, MANY)
  })

  const patch = (made: Made, body: object) => pages.admin.patch(`${TREE}/${made._id}`, body)
  const move = (made: Made, target: string, position = 'lastChild') => {
    return patch(made, { _targetId: target, _position: position })
  }

  test.each<[string, (last: Made, below: Made) => Promise<Answer>]>([
    ['is hidden', (last) => patch(last, { visibility: 'loginRequired' })],
    ['is archived', (last) => move(last, '_archive')],
    ['is unpublished', (_, below) => pages.admin.post(`${TREE}/${below._id}/unpublish`)],
    ['gets a type that is not shown', (last) => patch(last, { type: 'secret-page' })],
    ['is moved to where it is not shown', (last) => move(last, hidden._id)],
    ['is moved up', (last) => move(last, '_home', 'firstChild')],
  ])('a page that %s meanwhile is answered as it is now', async (_, act) => {
    const read = async (query: string) => {
      const answer = await pages.service.anonymous.get(TREE, query)
      expect(answer.status).toBe(200)
      return answer.body
    }
    for (const query of ['all=1', 'all=1&flat=1']) {
      const last = await pages.made('Last', { _targetId: first._id })
      const below = await pages.made('Below', { _targetId: last._id })
      const before = await read(query)
      meanwhile = async () => expect((await act(last, below)).status).toBe(200)
      const during = await read(query)
      expect(meanwhile).toBeNull()
      expect(during).not.toEqual(before)
      expect(during).toEqual(await read(query))
    }
  })
})

describePages('§4.2 POST and PATCH', {}, (pages, databases) => {
  test.runIf(databases.name === 'SQLite')('no statement of theirs looks through all positions of a tree', async () => {
    const { statements, databaseUrl } = pages.service
    const home = await pages.made('Home of others')
    const before = statements.length
    const below = await pages.made('Below', { _targetId: home._id })
    await pages.admin.patch(`${TREE}/${below._id}`, { title: 'Still below' })
    const positions = statements.slice(before).filter((text) => /^select\b.*\bfrom places p\b/s.test(text))
    const plans = await rowsOf(
      databaseUrl,
      positions.map((text) => `explain query plan ${text}`),
    )
    const lookUps = plans.flat().flatMap(({ detail }) => (/^(SEARCH|SCAN) p\b/.test(String(detail)) ? [detail] : []))
    expect(lookUps).not.toEqual([])
    for (const detail of lookUps) expect(detail).toMatch(/\((locale=\? AND \w+|doc_id)=\?.*\)/)
  })
})
