import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Child, Usage } from './children.ts'
import { startChild } from './children.ts'
import type { Server } from './measure.ts'
import type { ServiceSettings } from './service.ts'

const COLD_STARTS = 5

/** Starts the service on a free port; a CPU profile goes into the folder `profile`. */
export async function startService(settings: Omit<ServiceSettings, 'port'>, profile: string | null): Promise<Server> {
  const port = await freePort()
  const options = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  return { address: `http://127.0.0.1:${port}`, child: await startChild('service.ts', { ...settings, port }, options) }
}

export async function startBare(): Promise<Server> {
  const port = await freePort()
  return { address: `http://127.0.0.1:${port}`, child: await startChild('bare.ts', { port }) }
}

export function startClient(): Promise<Child> {
  return startChild('client.ts', {})
}

/** From the start of the process to its first answer, on a database that is there: milliseconds, median; and memory. */
export async function coldStart(
  settings: Omit<ServiceSettings, 'port'>,
  path: string,
): Promise<{ readonly milliseconds: number; readonly rss: number }> {
  const starts: { milliseconds: number; rss: number }[] = []
  for (let count = 0; count < COLD_STARTS; count += 1) {
    const port = await freePort()
    const started = performance.now()
    const starting = startChild('service.ts', { ...settings, port })
    await firstAnswer(`http://127.0.0.1:${port}${path}`)
    const milliseconds = performance.now() - started
    const child = await starting
    // `as`: service.ts answers every message with this.
    const { rss } = (await child.ask({})) as Usage
    starts.push({ milliseconds, rss })
    await child.stop()
  }
  const sorted = starts.toSorted((a, b) => a.milliseconds - b.milliseconds)
  return sorted[Math.floor(COLD_STARTS / 2)] ?? { milliseconds: 0, rss: 0 }
}

async function firstAnswer(url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    if (response) throw new Error(`${url} answers ${response.status}.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${url} does not answer.`)
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
