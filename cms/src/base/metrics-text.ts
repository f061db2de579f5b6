import type { Labels, Metric } from './metrics.ts'

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
