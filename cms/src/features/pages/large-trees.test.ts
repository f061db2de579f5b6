import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { testDatabases } from '../../../test/databases.ts'
import { longPages } from '../../../test/long-pages.ts'
import { describePages, PagesBench } from '../../../test/pages.ts'
import { sample } from '../../../test/sample.ts'
import { type Answer, describeService } from '../../../test/service.ts'

const TREE = '@cms/page'
const MANY = 270
/** Of which 600 make 20 MB. */
const LONG = 'Words of a long page. '.repeat(1500)

interface PageNode {
  readonly _id: string
  readonly aposDocId: string
  readonly title: string
  readonly _children: readonly PageNode[]
}

const flattened = (page: PageNode): PageNode[] => [page, ...page._children.flatMap(flattened)]

const ON_ONE = { site: longPages, on: sample(testDatabases, 1), timeout: 90_000 }

describePages('§4.2 GET: trees too large to be read at once', { isLong: true, timeout: 90_000 }, (pages) => {
  const get = async (query: string, caller = pages.admin): Promise<Answer['body']> => {
    const answer = await caller.get(TREE, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }

  test('they are answered as small ones are, in a few statements for each 50 pages', async () => {
    const [first, big, last] = [await pages.made('First'), await pages.made('Big'), await pages.made('Last')]
    await pages.made('Below', { _targetId: last._id })
    await pages.made('Hidden', { _targetId: first._id, visibility: 'loginRequired' })
    const others = (tree: PageNode) => ({
      ...tree,
      _children: tree._children.map((page) => (page.aposDocId === big.aposDocId ? { ...page, _children: [] } : page)),
    })
    const forms = ['all=1', 'all=1&aposMode=draft', 'all=1&archived=any']
    const before = await Promise.all(forms.map((form) => get(form)))
    const anonymous = await get('all=1', pages.service.anonymous)
    const topics = [
      await pages.admin.post('topic', { title: 'One' }),
      await pages.admin.post('topic', { title: 'Two' }),
    ]
    const related = { _topics: topics.map(({ body }) => body) }
    await pages.fill(big._id, MANY, related)
    const costs = async () => {
      return [
        await pages.cost(() => pages.admin.get(TREE, 'all=1')),
        await pages.cost(() => pages.admin.get(TREE, 'all=1&flat=1')),
      ]
    }
    const after = await Promise.all(forms.map((form) => get(form)))
    expect(after.map(others)).toEqual(before.map(others))
    expect(others(await get('all=1', pages.service.anonymous))).toEqual(others(anonymous))
    for (const tree of after) expect(flattened(tree).length).toBe(flattened(before[after.indexOf(tree)]).length + MANY)

    const { results } = await get('all=1&flat=1')
    const nested: PageNode = await get('all=1')
    const ids = (some: readonly PageNode[]) => some.map(({ _id }) => _id)
    expect(ids(results)).toEqual(ids(flattened(nested)))
    for (const [index, page] of flattened(nested).entries()) {
      const { _children, _ancestors: above, ...fields } = page as PageNode & { readonly _ancestors?: unknown }
      const { _ancestors, ...flat } = results[index]
      expect(flat).toEqual({ ...fields, _children: ids(_children) })
      expect(_ancestors).toHaveLength(flat.level)
      expect(above).toEqual(index === 0 ? [] : undefined)
    }
    expect((await get('all=1&flat=1&children=false')).results[0]).not.toHaveProperty('_children')

    // Pages, former URLs, and what a batch of pages names.
    expect(Math.max(...(await costs()))).toBeLessThan(3 + 3 * Math.ceil(flattened(nested).length / 50))
  })

  test('§4.2 many top-level pages, without orphans', async () => {
    const orphan = await pages.made('Orphan', { orphan: true })
    const top: PageNode = await get('')
    const home = top._id
    await pages.fill(home, MANY, {}, 1)
    const listed: PageNode = await get('')
    expect(listed._children).toHaveLength(top._children.length + MANY)
    expect(flattened(listed)).not.toContainEqual(expect.objectContaining({ _id: orphan._id }))
    const { results } = await get('flat=1')
    expect(results.map(({ _id }: PageNode) => _id)).toEqual(flattened(listed).map(({ _id }) => _id))
    expect(await get('children=false')).toMatchObject({ _id: home })
  })
})

describeService('§4.2 GET: a whole tree of 20 MB', ON_ONE, (service) => {
  let child: ChildProcess
  let url: string

  beforeAll(async () => {
    const pages = new PagesBench(service)
    await pages.fill((await pages.made('Top')).aposDocId, 600, { main: '<p>word</p>' })
    await service.quiet()
    await rowsOf(service.databaseUrl, [
      `update contents set body = replace(body, '<p>word</p>', '<p>${LONG}</p>')`,
      'update documents set bytes = (select octet_length(c.body) from contents c where c.n = documents.content)',
    ])
    const file = fileURLToPath(new URL('../../../test/long-pages.ts', import.meta.url))
    child = fork(file, [service.databaseUrl], { execArgv: ['--max-old-space-size=96'] })
    const [address] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    url = `${address}/api/v1/${TREE}?all=1`
  }, 120_000)
  afterAll(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
  })

  test('many at once wait for each other in a process with little memory', async () => {
    const forms = ['', '&flat=1', '&x=1', '']
    const answers = await Promise.all(forms.map((form) => fetch(url + form)))
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(19_000_000)
    }
  })

  test('§0.7 ETag, 304, HEAD, and callers who go away', async () => {
    const headers = { 'accept-encoding': 'identity' }
    const response = await fetch(url, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    const etag = String(response.headers.get('etag'))
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const expected = { etag, 'cache-control': 'public, no-cache', 'content-length': String(bytes.length) }
    expect(Object.fromEntries(response.headers)).toMatchObject(expected)
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304)
    expect(Object.fromEntries((await fetch(url, { method: 'HEAD', headers })).headers)).toMatchObject(expected)
    await (await fetch(url)).body?.cancel()
    const again = await fetch(url)
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('§0.7 what fails near the end of a long answer is a failure from its beginning', async () => {
    const last = await new PagesBench(service).made('Last')
    expect((await service.admin.patch(`${TREE}/${last._id}`, { title: 'Broken' })).status).toBe(500)
    const broken = await Promise.all([fetch(url), fetch(`${url}&x=1`)])
    for (const answer of broken) expect(await answer.json()).toMatchObject({ name: 'error' })
    expect((await service.admin.delete(`${TREE}/${last._id}`)).status).toBe(200)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  })
})
