import { METRICS_TYPE, metricsText } from '../../base/metrics.ts'
import type { Context } from '../../engine/context.ts'
import { Reply } from '../requests/route.ts'

/** The metrics of all processes that serve on this address, in the text format of Prometheus. */
export async function answerMetrics({ metrics }: Context): Promise<Reply> {
  const text = metricsText(await metrics.gather())
  return new Reply(text, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' })
}
