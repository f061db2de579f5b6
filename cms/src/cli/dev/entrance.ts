import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { html } from '../../base/html.ts'

const POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** Where connections go. */
type Target =
  /** Requests wait for the service to start. */
  | { readonly kind: 'none' }
  | { readonly kind: 'service'; readonly port: number }
  /** The site cannot be served; this is why. */
  | { readonly kind: 'mistake'; readonly message: string }

/**
 * The address that browsers know while the service behind it comes and goes: requests wait while it restarts, and are
 * answered with what is wrong while the site has a mistake.
 */
export class Entrance {
  readonly #server: Server
  readonly #mistakes: HttpServer
  readonly #sockets = new Set<Socket>()
  #waiting: Socket[] = []
  #target: Target = { kind: 'none' }

  constructor() {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#enter(socket))
    this.#mistakes = createHttpServer((request, response) => {
      const message = this.#target.kind === 'mistake' ? this.#target.message : 'The service restarts.'
      const [type, body] = answerFor(request.url ?? '/', message)
      // The connection ends: the next request may be for a service that works.
      const headers = { 'Content-Type': type, 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' }
      response.writeHead(503, { ...headers, 'Retry-After': '1', Connection: 'close' }).end(body)
    })
  }

  /** Begins to listen: the port. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen({ port, host }, resolve)
    })
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /** Makes connections wait, go to a service, or get a mistake as the answer, from now on. */
  leadTo(target: Target): void {
    this.#target = target
    if (target.kind === 'none') return
    const waiting = this.#waiting
    this.#waiting = []
    for (const socket of waiting) this.#lead(socket)
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #enter(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    // Browsers make connections in advance: the service that is there when they are used is the right one.
    socket.once('readable', () => this.#lead(socket))
  }

  #lead(socket: Socket): void {
    if (this.#target.kind === 'none') this.#waiting.push(socket)
    else if (this.#target.kind === 'mistake') this.#mistakes.emit('connection', socket.resume())
    else this.#connect(socket, this.#target.port)
  }

  #connect(socket: Socket, port: number): void {
    const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    service.on('error', () => socket.destroy())
    service.on('close', () => socket.destroySoon())
    socket.on('close', () => service.destroy())
    socket.pipe(service)
    service.pipe(socket)
  }
}

/** The answer to a program, or a browser, while the site has a mistake. */
function answerFor(url: string, message: string): readonly [type: string, body: string] {
  if (/\/api\//.test(url)) {
    return ['application/json; charset=utf-8', JSON.stringify({ name: 'unavailable', message, data: {} })]
  }
  const page = html`<!doctype html>
<meta charset="utf-8">
<title>The site has a mistake</title>
<style>
  body { font: 1rem/1.5 system-ui; max-width: 60rem; margin: 3rem auto; padding: 0 1rem }
  pre { white-space: pre-wrap }
</style>
<h1>The site has a mistake</h1>
<pre>${message}</pre>
<p>Save the file again, then reload this page.</p>
`
  return ['text/html; charset=utf-8', page.text]
}
