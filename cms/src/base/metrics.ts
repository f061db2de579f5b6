import { resultWithin } from './patience.ts'

/** Names and values of labels, from closed or bounded sets: each combination is a series of its own. */
type Labels = { readonly [name: string]: string }

/** One figure of a metric. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
  /** The figure of a histogram that this is. */
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

/** A metric as it is scraped. JSON: processes send each other theirs. */
export interface Metric {
  readonly name: string
  /** A description of what it counts, in one line. */
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** Reads figures when they are scraped. */
type Collector = () => readonly Metric[] | Promise<readonly Metric[]>

/** How long a scrape waits for one collector, in milliseconds: its metrics are left out then. */
const COLLECT_MS = 2_000

/** The metrics of a process: code that has figures adds a collector or a counter. */
export class Metrics {
  readonly #collectors: Collector[] = []
  readonly #counters = new Map<string, Counter>()
  readonly #gather: () => Promise<readonly Metric[]>

  /** `gather` asks all processes that serve on one address; alone, a process returns its own. */
  constructor(gather?: () => Promise<readonly Metric[]>) {
    this.#gather = gather ?? (() => this.collect())
  }

  /** The metrics of all processes that serve on this address. */
  gather(): Promise<readonly Metric[]> {
    return this.#gather()
  }

  /** Adds figures that are read at each scrape. */
  add(collector: Collector): void {
    this.#collectors.push(collector)
  }

  /** The counter of a name, which ends in `_total`; made at the first call. */
  counter(name: string, help: string): Counter {
    const counter = this.#counters.get(name) ?? new Counter(name, help)
    this.#counters.set(name, counter)
    return counter
  }

  /** All metrics of this process. A collector that fails, or takes too long, is left out. */
  async collect(): Promise<Metric[]> {
    const collected = await Promise.all(this.#collectors.map(inTime))
    return [...collected.flat(), ...[...this.#counters.values()].map((counter) => counter.metric())]
  }
}

async function inTime(collector: Collector): Promise<readonly Metric[]> {
  try {
    return await resultWithin(COLLECT_MS, Promise.resolve(collector()), [])
  } catch {
    return []
  }
}

/** The most series of a counter: further labels are counted without labels. */
const MAX_SERIES = 500

/** Counts what happens, by labels. */
class Counter {
  readonly #name: string
  readonly #help: string
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  /** Counts one more, or several. */
  add(labels: Labels = {}, by = 1): void {
    const existing = this.#series.get(JSON.stringify(labels))
    const counted = existing === undefined && this.#series.size >= MAX_SERIES ? {} : labels
    const series = existing ?? this.#series.get(JSON.stringify(counted)) ?? { labels: counted, value: 0 }
    series.value += by
    this.#series.set(JSON.stringify(counted), series)
  }

  metric(): Metric {
    const samples = [...this.#series.values()].map(({ labels, value }) => ({ labels, value }))
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}

/** Counts durations by how long they are. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0

  /** With the upper bounds of the buckets, in seconds, in rising order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(seconds: number): void {
    let bucket = 0
    for (const bound of this.#bounds) {
      if (seconds <= bound) break
      bucket += 1
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += seconds
  }

  /** The metric of a histogram that has no labels. */
  metric(name: string, help: string): Metric {
    return { name, help, type: 'histogram', samples: this.samples({}) }
  }

  samples(labels: Labels): Sample[] {
    let count = 0
    const buckets = [...this.#counts].map((more, index): Sample => {
      count += more
      const le = String(this.#bounds[index] ?? '+Inf')
      return { suffix: '_bucket', labels: { ...labels, le }, value: count }
    })
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count }]
  }
}

/** A metric of one figure. */
export function single(type: 'counter' | 'gauge', name: string, help: string, value: number): Metric {
  return { name, help, type, samples: [{ labels: {}, value }] }
}

/** The media type of the answer to a scrape. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics in the text format of Prometheus; samples of one name are together, wherever they come from. */
export function metricsText(metrics: readonly Metric[]): string {
  const byName = new Map<string, Metric>()
  for (const metric of metrics) {
    const samples = [...(byName.get(metric.name)?.samples ?? []), ...metric.samples]
    byName.set(metric.name, { ...metric, samples })
  }
  return [...byName.values()].map(textOf).join('')
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelsText(labels)} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function labelsText(labels: Labels): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, escaped)}"`)
  return texts.length === 0 ? '' : `{${texts.join()}}`
}

function escaped(sign: string): string {
  return sign === '\n' ? '\\n' : `\\${sign}`
}
