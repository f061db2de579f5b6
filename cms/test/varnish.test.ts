import { describe, expect, onTestFinished, test } from 'vitest'
import { sampledDatabases } from './databases.ts'
import { site as edgeSite } from './edge-site.ts'
import { freePort } from './free-port.ts'
import { RandomRequests } from './random-requests.ts'
import { isWhole, sample, seed } from './sample.ts'
import { startProcesses } from './two-processes.ts'
import { startVarnish, VARNISH_WAYS, varnishIsMissing } from './varnish.ts'

const WRITES = isWhole ? 40 : 4
const PATHS = 60

/** What visitors get, and whether Varnish had kept it. */
async function get(url: string) {
  const response = await fetch(url, { redirect: 'manual' })
  const { status, headers } = response
  const text = `${status} ${headers.get('etag')} ${headers.get('location')} ${await response.text()}`
  return { text, isKept: / /.test(headers.get('x-varnish') ?? ''), named: headers.get('surrogate-key') }
}

const cases = sampledDatabases('varnish').flatMap((databases) =>
  sample(VARNISH_WAYS, 1).map((way) => ({ way, databases, name: databases.name })),
)

describe.each(cases)('Varnish by $way, on $name', { timeout: 600_000 }, ({ way, databases }) => {
  test('§6.8 keeps answers for a day, and shows none that a write has changed', async ({ skip }) => {
    const missing = await varnishIsMissing(way)
    if (missing !== null) return skip(missing)
    const port = await freePort()
    const purge = { ...edgeSite.options.purge, kind: 'varnish', url: `http://127.0.0.1:${port}/` } as const
    const declaration = { ...edgeSite, options: { ...edgeSite.options, purge } }
    const processes = await startProcesses(databases, false, { declaration, background: 0 })
    onTestFinished(() => processes.stop(), 60_000)
    const varnish = await startVarnish(way, processes.addresses[0], port)
    onTestFinished(() => varnish.close())
    const requests = new RandomRequests(processes, seed)
    await requests.prepare()
    const isTold = () => expect.poll(() => processes.plain.store.purges.countWaiting(), { timeout: 60_000 }).toBe(0)
    let kept = 0
    for (let write = 0; write < WRITES; write += 1) {
      await isTold()
      const paths = requests
        .publicQuestions()
        .map(({ path }) => path)
        .slice(0, PATHS)
      for (const path of paths) await get(varnish.address + path)
      await requests.change()
      await isTold()
      for (const path of paths) {
        const [shown, now] = [await get(varnish.address + path), await get(processes.addresses[0] + path)]
        expect({ path, text: shown.text, named: shown.named }).toEqual({ path, text: now.text, named: null })
        if (shown.isKept) kept += 1
      }
    }
    expect(kept).toBeGreaterThan(WRITES)
  })
})
