import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, Connection } from './connection.ts'

const LONG = 'x'.repeat(100_000)
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** The answers of the server, in the pieces in which it sends it. */
const answers: Readonly<Record<string, readonly string[]>> = {
  '/short': ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
  '/empty': ['HTTP/1.1 204 No Content\r\n\r\n'],
  '/long': [`HTTP/1.1 200 OK\r\nContent-Length: ${LONG.length}\r\n\r\n`, LONG.slice(0, 7), LONG.slice(7)],
  '/split': ['HTTP/1.1 404 Not', ' Found\r\ncontent-length: 4\r', '\n\r', '\nno', 'ne'],
  '/chunked': [`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunk('abc')}`, chunk(LONG), '0\r\n', '\r\n'],
  '/chunked-at-once': [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('abc')}0\r\n\r\n`],
  '/chunked-and-empty': ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '0\r\n\r\n'],
}

describe('a connection of the benchmarks', () => {
  let sockets: Socket[] = []
  let url = ''
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.setNoDelay(true)
    socket.on('data', async (text) => {
      const [, path = ''] = String(text).split(' ')
      if (path === '/closed') return socket.destroy()
      for (const piece of answers[path] ?? []) {
        socket.write(piece)
        await pause(5)
      }
    })
  })
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    sockets = []
    server.close()
  })

  async function send(connection: Connection, path: string): Promise<Answer | Error> {
    return new Promise((resolve) => connection.send(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`, resolve))
  }

  test('knows where each answer ends, however it comes', async () => {
    const connection = await Connection.open(url)
    const statuses: (number | string)[] = []
    for (const path of [...Object.keys(answers), '/short']) {
      const answer = await send(connection, path)
      statuses.push(answer instanceof Error ? answer.message : answer.status)
      // An answer that came too late would be taken for the next answer.
      await pause(30)
    }
    connection.close()
    expect(statuses).toEqual([200, 204, 200, 404, 200, 200, 200, 200])
  })

  test('says that it was closed, in the midst of an answer and before the next one', async () => {
    const connection = await Connection.open(url)
    expect(await send(connection, '/closed')).toBeInstanceOf(Error)
    expect(await send(connection, '/short')).toBeInstanceOf(Error)
  })
})
