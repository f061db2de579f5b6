import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** A certificate of `localhost` for tests, valid until 2120, and its key, which protects nothing. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvF00MKZdv713LrkVHunTZiO+KvLYq0A6rRrh6pxLVf2hRANCAATOdOZqVZygrW65MPBCviRWW4gCuBRwTvBBbR36AAGHIr7GKCMZnq8Wzg286+Vt7fuLHFOj2vscgSJbw8lWiwZR
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABM505mpVnKCtbrkw
8EK+JFZbiAK4FHBO8EFtHfoAAYcivsYoIxmerxbODbzr5W3t+4scU6Pa+xyBIlvD
yVaLBlGjYDBeMCwGA1UdEQQlMCOCCWxvY2FsaG9zdIcEfwAAAYcQAAAAAAAAAAAA
AAAAAAAAATAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQ3rb+mHm46qNrmmBi8
niw7vJOtVDAKBggqhkjOPQQDAgNIADBFAiBdfIGBXOLj6AYwyqXT5NST1x4CDU3e
L5wwjYcLUsntAQIhAMYfZf3/c4EJNbSLOIq44TKN3F4mYWU1jUGpykwjhPhm
-----END CERTIFICATE-----
`

/** An https server on a port of this machine. */
export interface SecureServer {
  /** `https://localhost:1234` */
  readonly address: string
  readonly port: number
  /** The requested paths, with their queries. */
  readonly requests: string[]
  /** How many connections were made. */
  connections(): number
  close(): Promise<void>
}

/** Starts an https server that this process trusts until it is closed. */
export async function secureServer(
  answer: (url: URL, response: ServerResponse, request: IncomingMessage) => void,
): Promise<SecureServer> {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, CERTIFICATE])
  const requests: string[] = []
  let connections = 0
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    answer(new URL(path, 'https://localhost'), response, request)
  })
  server.on('connection', () => {
    connections += 1
  })
  await once(server.listen(0, 'localhost'), 'listening')
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    address: `https://localhost:${port}`,
    port,
    requests,
    connections: () => connections,
    close: async () => {
      setDefaultCACertificates(trusted)
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
