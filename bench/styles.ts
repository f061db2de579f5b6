import { parseArgs } from 'node:util'
import { freePort } from '../cms/test/free-port.ts'
import { type JobRequest, startChild } from './children.ts'
import { measureServer, type Server } from './measure.ts'
import { startClient } from './start.ts'
import { median } from './steady.ts'
import { siteValues, type WidgetStyling, widgetStylings } from './styled-site.ts'
import type { StyledSettings } from './styles-service.ts'
import { type EmptyDatabase, runTable, TABLE_FLAGS } from './tables.ts'

// `node bench/styles.ts`: what styles cost, of the site and of widgets, in answers that are cached and in those that
// are not. Writes `bench/results-styles.md`, or prints the table when only some of it is asked for.

const { values: flags } = parseArgs({
  options: {
    ...TABLE_FLAGS,
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '1000' },
    profile: { type: 'string' },
  },
})

const KEY = 'bench-key'
const CONNECTIONS = 8
const PAGES = 20
const WIDGETS = 20
const RENDERS = 2000
const WARM_UP = 5000
const AMOUNT = Number(flags.requests)

const client = await startClient()
await runTable({
  name: 'styles',
  title: 'Benchmarks of styles',
  columns: [
    ['Database', 'Row'],
    ['CPU µs', 'Added by styles, %'],
  ],
  flags,
  isWhole: flags.rounds === '15',
  measure: measureStyles,
  explanation:
    () => `${PAGES} pages of ${WIDGETS} widgets with a text of 400 characters, on a site with sixty style values of its own: widgets of a type without
styles, and widgets of a type with five (alignment, padding, background, border, the colour of its heading) that has none of them
set, two (padding, background) or all. Asked for anonymously by ${CONNECTIONS} connections, ${flags.rounds} times ${flags.requests} requests to each in turn:
*cached* with the same addresses again and again; *made* with one of its own for each request, so that each answer is made again. *CPU* is the processor time of the service for a request, the median of all rounds, and *added* the median of
what differs from widgets without styles in the same round. \`toCss\` makes the stylesheet of the sixty values; \`render\` checks
them before, and answers it. Styles are to add at most 10 %.`,
}).finally(() => client.stop())

async function measureStyles({ database, url, add }: EmptyDatabase): Promise<void> {
  const service = await startStyled(url)
  try {
    addCompared(await compared(service, true), `${database}, made`)
    // `as`: styles-service.ts answers this with a number.
    add([database, '`toCss`, 60 values', (await service.child.ask({ renders: RENDERS })) as number, ''])
    add([database, '`POST render`, 60 values', await cpuOf(service, renders()), ''])
    addCompared(await compared(service, false), `${database}, cached`)
  } finally {
    await service.child.stop()
  }

  function addCompared(all: readonly Compared[], where: string): void {
    for (const { styling, cpu, added } of all) {
      add([where, `page of ${WIDGETS} widgets, ${styling}`, cpu, styling === 'plain' ? '' : added])
    }
  }
}

async function startStyled(database: string): Promise<Server> {
  const port = await freePort()
  const settings: StyledSettings = { database, port, key: KEY, pages: PAGES, widgets: WIDGETS }
  const options = flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`]
  return { address: `http://127.0.0.1:${port}`, child: await startChild('styles-service.ts', settings, options) }
}

interface Compared {
  readonly styling: WidgetStyling
  readonly cpu: number
  /** Percent of what the same page without styles takes. */
  readonly added: number
}

/** Pages of each styling, in rounds that take turns; with `isUnique` none of them is cached. */
async function compared(service: Server, isUnique: boolean): Promise<Compared[]> {
  const requests = new Map(widgetStylings.map((styling) => [styling, visits(styling)]))
  for (const some of requests.values()) {
    for (let sent = 0; sent < WARM_UP; sent += AMOUNT) await cpuOf(service, some, isUnique)
  }
  const rounds: Map<WidgetStyling, number>[] = []
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const one = new Map<WidgetStyling, number>()
    for (const [styling, some] of requests) one.set(styling, await cpuOf(service, some, isUnique))
    rounds.push(one)
  }
  return widgetStylings.map((styling) => {
    const of = (round: Map<WidgetStyling, number>) => round.get(styling) ?? Number.NaN
    const plain = (round: Map<WidgetStyling, number>) => round.get('plain') ?? Number.NaN
    const added = rounds.map((round) => (100 * (of(round) - plain(round))) / plain(round))
    return { styling, cpu: median(rounds.map(of)), added: median(added) }
  })
}

function visits(styling: WidgetStyling): JobRequest[] {
  const path = styling.replaceAll(' ', '-')
  return Array.from({ length: PAGES }, (_, index) => ({ method: 'GET', path: `/${path}-${index}` }))
}

function renders(): JobRequest[] {
  const body = JSON.stringify({ data: siteValues })
  return [{ method: 'POST', path: '/api/v1/@cms/styles/render', body }]
}

/** Microseconds of processor time for each of some requests. */
async function cpuOf(service: Server, requests: readonly JobRequest[], isUnique = false): Promise<number> {
  const isPost = requests[0]?.method === 'POST'
  const headers = isPost ? { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' } : {}
  const measuring = { client, connections: CONNECTIONS }
  const { cpu, failures } = await measureServer(measuring, service, {
    headers,
    requests,
    isUnique,
    seconds: null,
    amount: AMOUNT,
  })
  if (failures > 0) throw new Error(`${failures} of ${AMOUNT} requests have failed.`)
  return cpu
}
