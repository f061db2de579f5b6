import { createServer } from 'node:http'
import { METRICS_TYPE, type Metric, metricsText, single } from '../../base/metrics.ts'
import { hasCode } from '../../base/thrown.ts'
import { UsageError } from '../command/failure.ts'

/** Serves metrics to everybody who reaches the port (§0.12): `GET /metrics`. A port that is in use is a usage error. */
export async function serveMetrics(
  port: number,
  host: string,
  gather: () => Promise<readonly Metric[]>,
): Promise<void> {
  const server = createServer(async ({ method = '', url = '' }, response) => {
    const isKnown = ['/metrics', '/api/v1/metrics'].includes(url.split('?', 1)[0] ?? '')
    if (!isKnown || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('GET /metrics\n')
      return
    }
    const text = await gather().then(metricsText, () => metricsText([single('gauge', 'up', 'It failed.', 0)]))
    response.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' }).end(text)
  })
  // It holds up neither a stop nor an end.
  server.unref()
  server.on('connection', (socket) => socket.unref())
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => {
    reject(
      hasCode(error, 'EADDRINUSE')
        ? new UsageError(`Port ${port} is in use: choose another one with QUIRE_METRICS_PORT.`)
        : error,
    )
  })
  server.listen(port, host, resolve)
  await promise
}
