import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** How often each service is asked whether it is ready. */
const CHECK_MILLISECONDS = 500

/** One port in front of several services: each request goes to the next one that is ready, and is never repeated. */
export interface Balancer {
  readonly address: string
  /** Sends requests to a service from when it is first ready, and as long as it is. */
  add(address: string): Promise<void>
  /** The services that requests are sent to. */
  ready(): readonly string[]
  close(): void
}

export async function startBalancer(): Promise<Balancer> {
  const services = new Map<string, boolean>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const ready = () => [...services].flatMap(([address, isReady]) => (isReady ? [address] : []))
  const check = async (address: string) => {
    const answer = await fetch(`${address}/api/v1/ready`).catch(() => null)
    await answer?.arrayBuffer()
    services.set(address, answer?.status === 200)
  }
  const server = createServer((asked, answer) => {
    const all = ready()
    turn += 1
    const address = all[turn % all.length]
    if (address === undefined) answer.writeHead(502).end('No service is ready.')
    else pass(asked, answer, new URL(asked.url ?? '/', address), agent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const timer = setInterval(() => void Promise.all([...services.keys()].map(check)), CHECK_MILLISECONDS)
  const { port } = server.address() as { port: number }
  return {
    address: `http://127.0.0.1:${port}`,
    add: check,
    ready,
    close: () => {
      clearInterval(timer)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

function pass(asked: IncomingMessage, answer: ServerResponse, url: URL, agent: Agent): void {
  const { host: _, connection: __, ...headers } = asked.headers
  const sent = request(url, { method: asked.method, headers, agent }, (got) => {
    const { connection: ___, 'transfer-encoding': ____, ...rest } = got.headers
    answer.writeHead(got.statusCode ?? 502, rest)
    got.pipe(answer)
    got.on('error', () => answer.destroy())
  })
  sent.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end('The service broke off.')))
  asked.pipe(sent)
}
