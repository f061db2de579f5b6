import { expect, it } from 'vitest'
import { testDatabases } from './databases.ts'
import { callerOf, describeService } from './service.ts'

/** A sample of the text format: its name, its labels as they stand there, its value. */
interface Line {
  readonly name: string
  readonly labels: string
  readonly value: number
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      expect(name, line).not.toBe('')
      return { name, labels, value: Number(value) }
    })
}

describeService('§0.12 metrics', { on: testDatabases }, (service) => {
  async function scraped(): Promise<Line[]> {
    const response = await fetch(`${service.address}/api/v1/metrics`, {
      headers: { authorization: 'ApiKey key-admin' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    return linesOf(await response.text())
  }

  async function total(name: string, ...labels: readonly string[]): Promise<number> {
    const found = (await scraped()).filter(
      (line) => line.name === name && labels.every((one) => line.labels.includes(one)),
    )
    return found.reduce((sum, { value }) => sum + value, 0)
  }

  it('are told to admins alone', async () => {
    for (const caller of [service.anonymous, service.wrong, service.guest, service.contributor, service.editor]) {
      expect([401, 403]).toContain((await caller.get('metrics')).status)
    }
    expect((await scraped()).length).toBeGreaterThan(50)
  })

  it('count requests by the pattern of their route, however many addresses are asked for', async () => {
    const { body } = await service.editor.post('topic', { title: 'Counted' })
    await scraped()
    const series = (await scraped()).length
    const asked = () => total('quire_http_requests_total', 'route="/api/v1/topic/:_id"', 'method="GET"')
    const before = await asked()
    for (let number = 0; number < 20; number += 1) await service.editor.get(`topic/${body.aposDocId}`, `x${number}=1`)
    for (let number = 0; number < 20; number += 1) await service.editor.get(`topic/none-${number}`)
    for (let number = 0; number < 20; number += 1) await fetch(`${service.address}/api/v1/nothing/${number}`)
    expect(await asked()).toBe(before + 40)
    expect(await total('quire_http_requests_total', 'route="/api/v1/topic/:_id"', 'status="4xx"')).toBeGreaterThan(0)
    // At most: a route of its own for each way of being asked, with the buckets of its histogram.
    expect((await scraped()).length).toBeLessThan(series + 60)
    const text = (await scraped()).map(({ labels }) => labels).join('\n')
    expect(text).not.toMatch(/none-|nothing\/|x1=/)
  })

  it('tell answers from the cache, which take no time, from others, which do', async () => {
    const anonymous = callerOf(service.address, null, null)
    // What goes on in the background after a start may change what was cached.
    for (let number = 0; number < 20; number += 1) await anonymous.get('topic')
    const isList = 'route="/api/v1/topic",method="GET"'
    expect(await total('quire_http_requests_total', isList, 'cache="hit"')).toBeGreaterThanOrEqual(3)
    expect(await total('quire_answer_cache_lookups_total', 'result="hit"')).toBeGreaterThanOrEqual(3)
    expect(await total('quire_cache_bytes', 'cache="answers"')).toBeGreaterThan(0)
    const made = await total('quire_http_requests_total', isList, 'cache="none"')
    expect(await total('quire_http_request_duration_seconds_count', isList)).toBe(made)
    expect(await total('quire_http_request_duration_seconds_bucket', isList, 'le="+Inf"')).toBe(made)
  })

  it('count statements, transactions, versions and uploads, and what waits for search', async () => {
    const names = [
      'quire_database_statements_total',
      'quire_database_transactions_total',
      'quire_database_transaction_wait_seconds_count',
      'quire_versions_total',
    ]
    const before = await Promise.all(names.map((name) => total(name)))
    expect((await service.editor.post('article', { title: 'A version' })).status).toBe(200)
    const after = await Promise.all(names.map((name) => total(name)))
    for (const [index, name] of names.entries()) expect(after[index], name).toBeGreaterThan(before[index] ?? 0)
    await expect.poll(() => total('quire_search_waiting_documents')).toBe(0)
    expect(await total('quire_database_up')).toBe(1)
    expect(await total('quire_database_connections')).toBeGreaterThan(0)
  })

  it('count attempts to sign in that come too often', async () => {
    const before = await total('quire_http_refusals_total', 'reason="throttling"')
    const attempt = { username: 'nobody-counted', password: 'wrong' }
    for (let number = 0; number < 7; number += 1) await service.anonymous.post('@cms/login/login', attempt)
    expect(await total('quire_http_refusals_total', 'reason="throttling"')).toBeGreaterThan(before)
  })

  it('hold what hooks and routes of a site count', async () => {
    const counter = service.app.context({ kind: 'operator' }).metrics.counter('shop_orders_total', 'Orders.')
    counter.add({ kind: 'say "yes"\n' })
    counter.add({ kind: 'say "yes"\n' }, 2)
    expect(await total('shop_orders_total', 'kind="say \\"yes\\"\\n"')).toBe(3)
    for (let number = 0; number < 700; number += 1) counter.add({ order: String(number) })
    const lines = (await scraped()).filter(({ name }) => name === 'shop_orders_total')
    expect(lines.length).toBeLessThanOrEqual(501)
    expect(lines.reduce((sum, { value }) => sum + value, 0)).toBe(703)
  })

  it('tell of the process', async () => {
    expect(await total('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(await total('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await total('nodejs_eventloop_lag_max_seconds')).toBeLessThan(60)
  })
})
