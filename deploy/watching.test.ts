import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { createApp, defineSite, piece } from 'quire-cms'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { metricsText } from '../cms/src/base/metrics.ts'
import { RunningProcess } from '../cms/src/cli/serve/running-process.ts'
import { Workers } from '../cms/src/cli/serve/workers.ts'
import { runJob } from '../cms/src/engine/run-jobs.ts'
import { type TestDatabases, testDatabases } from '../cms/test/databases.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'

const textOf = (name: string) => readFile(join(import.meta.dirname, name), 'utf8')
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const KEY = 'abcdef0123456789abcdef0123456789abcdef'

/** What Prometheus adds itself. */
const OWN_METRICS = ['up']
const OWN_LABELS = ['job', 'instance', 'le']

/** Something in a query that the service must answer: a metric, with the values that its labels are compared with. */
interface Asked {
  readonly query: string
  readonly metric: string
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  /** The labels by which it is grouped. */
  readonly groups: readonly string[]
}

/** The queries of the dashboard and of the alerts, without the variables of Grafana. */
async function queries(): Promise<string[]> {
  const { panels, templating } = JSON.parse(await textOf('grafana-dashboard.json'))
  const ofPanels = panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr))
  const ofVariables = templating.list.flatMap(
    ({ query }: { query: string }) => /^label_values\((.*), \w+\)$/.exec(query)?.[1] ?? [],
  )
  const document = parseDocument(await textOf('prometheus-alerts.yaml'), { strict: true, uniqueKeys: true })
  expect([...document.errors, ...document.warnings]).toEqual([])
  const ofAlerts = document
    .toJS()
    .groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr))
  return [...ofPanels, ...ofVariables, ...ofAlerts].map((query) => query.replaceAll('$__rate_interval', '5m'))
}

/** What a query asks for, by the grammar of Prometheus; a query that is not valid fails. */
function askedBy(query: string): Asked[] {
  const asked: Asked[] = []
  const groups = new Set<string>()
  const textOfNode = ({ from, to }: { readonly from: number; readonly to: number }) => query.slice(from, to)
  parser.parse(query).iterate({
    enter({ type, node }) {
      expect(type.isError, `${query}: ${textOfNode(node)}`).toBe(false)
      if (type.name === 'GroupingLabels') for (const one of node.getChildren('LabelName')) groups.add(textOfNode(one))
      if (type.name !== 'VectorSelector') return
      const name = node.getChild('Identifier')
      const labels = [...textOfNode(node).matchAll(/(\w+)="([^"]*)"/g)]
      asked.push({
        query,
        metric: name === null ? '' : textOfNode(name),
        labels: labels.map(([, name = '', value = '']) => ({ name, value })),
        groups: [],
      })
    },
  })
  return asked.map((one) => ({ ...one, groups: [...groups] }))
}

/** The samples of a scrape: the labels of each, by metric. */
function samplesOf(text: string): Map<string, Record<string, string>[]> {
  const samples = new Map<string, Record<string, string>[]>()
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? []
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])
    samples.set(name, [...(samples.get(name) ?? []), Object.fromEntries(pairs)])
  }
  return samples
}

const fails = async () => {
  throw new Error('It fails.')
}
const site = defineSite({
  types: [piece('note', { publicApiProjection: ['title'] }), piece('broken', { hooks: { beforeSave: fails } })],
  jobs: [{ name: 'fails', every: '1h', as: { role: 'admin', name: 'Test' }, run: fails }],
})

/** What a service answers to a scrape when everything that is counted has happened once. */
async function scraped(databases: TestDatabases): Promise<string> {
  const database = await databases.createReady()
  const keys = [{ role: 'admin' as const, key: KEY, name: 'Test' }]
  const running = new RunningProcess(null, silent)
  const uploads = await temporaryFolder('quire-watching')
  const parts = { database: database.url, log: silent, keys, uploads, metrics: running.metrics }
  const app = await createApp(site, parts)
  try {
    const address = await app.listen(0, '127.0.0.1')
    running.listens({ site: '', address, database: database.url, uploads, key: null })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const ask = (path: string, init: RequestInit = {}) => fetch(`${address}/api/v1/${path}`, { headers, ...init })
    const post = async (path: string) => (await ask(path, { method: 'POST', body: '{"title":"Counted"}' })).status
    expect([await post('note'), await post('broken')]).toEqual([200, 500])
    for (let count = 0; count < 20; count += 1) await (await fetch(`${address}/api/v1/note`)).text()
    const form = new FormData()
    form.set('file', new File(['Counted'], 'counted.txt'))
    await ask('@cms/attachment/upload', { method: 'POST', body: form, headers: { authorization: `Bearer ${KEY}` } })
    const { signal } = new AbortController()
    for (const job of app.jobs) await runJob(app.context({ kind: 'operator' }), job, { signal, isForced: true })
    return await (await ask('metrics')).text()
  } finally {
    await app.close()
    await database.drop()
  }
}

/** Prometheus has a label of this name itself, and gives ours another one. */
const ownLabel = (name: string) => (name === 'exported_job' ? 'job' : name)

describe.runIf(testDatabases.length > 1)('§0.12 dashboard and alerts', () => {
  test('each metric that they ask for is answered, with the labels and values that they name', async () => {
    const texts = await Promise.all(testDatabases.map(scraped))
    const samples = samplesOf(
      texts.join('') + metricsText(await new Workers(0, { stopMs: 0, isSocketInherited: false }, silent).metrics()),
    )
    const asked = (await queries()).flatMap(askedBy)
    expect(asked.length).toBeGreaterThan(50)
    for (const { query, metric, labels, groups } of asked) {
      if (OWN_METRICS.includes(metric)) continue
      expect([...samples.keys()], query).toContain(metric)
      const known = samples.get(metric) ?? []
      const isKnown = (name: string, value?: string) =>
        OWN_LABELS.includes(name) ||
        known.some((sample) => {
          const own = sample[ownLabel(name)]
          return own !== undefined && (value === undefined || own === value)
        })
      for (const { name, value } of labels) expect(isKnown(name, value), `${name}="${value}" in ${query}`).toBe(true)
      for (const name of groups) expect(isKnown(name), `${name} in ${query}`).toBe(true)
    }
  })

  test('each panel has a title and queries, and no place of another', async () => {
    const { panels } = JSON.parse(await textOf('grafana-dashboard.json'))
    const places = new Set(panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`))
    expect(places.size).toBe(panels.length)
    for (const { type, title, targets } of panels) {
      expect(title).not.toBe('')
      if (type !== 'row') expect(targets.length, title).toBeGreaterThan(0)
    }
  })

  test('each alert says what is the matter, and how bad it is', async () => {
    const { groups } = parseDocument(await textOf('prometheus-alerts.yaml')).toJS()
    const names = new Set<string>()
    for (const { alert, labels, annotations } of groups.flatMap(({ rules }: { rules: object[] }) => rules)) {
      names.add(alert)
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(annotations.summary, alert).toMatch(/\.$/)
    }
    expect(names.size).toBe(groups[0].rules.length)
  })
})
