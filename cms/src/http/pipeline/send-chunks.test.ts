import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JoinedBytes, SharedBytes } from '../../engine/shared-bytes.ts'
import { sendChunks } from './send-chunks.ts'

const short = new SharedBytes(JSON.stringify('a short part of ä text'))
const long = new SharedBytes(JSON.stringify('x'.repeat(50_000)))

/** Parts of all lengths, so many that the answer is about 5 MB. */
function answer(seed: number): JoinedBytes {
  const parts = Array.from({ length: 20_000 }, (_, index) => [
    index % 300 === seed ? long : short,
    `,"é ${index + seed}",${index % 4_000 === 0 ? `"${'y'.repeat(100_000)}",` : ''}`,
  ])
  return new JoinedBytes(['[', ...parts.flat(), '0]'])
}

/** An answer that is sent at once. */
const shortAnswer = (letter: string) => new JoinedBytes(['[', short, ',"', letter.repeat(90_000), '"]'])

const answers = [answer(0), answer(1), shortAnswer('a'), shortAnswer('b')]
const server = createServer((request, response) => {
  const body = answers[Number(request.url?.slice(1))] ?? new JoinedBytes([short])
  response.writeHead(200, { 'content-length': body.length })
  sendChunks(response, body)
})

let port = 0
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // `as`: it listens on a port.
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
})

test('a long answer arrives as it is, also when several are requested at once', async () => {
  const socket = connect(port, '127.0.0.1')
  const paths = ['/0', '/1', '/2', '/0']
  const last = '/1'
  for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
  socket.write(`GET ${last} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  let rest = await buffer(socket)
  for (const path of [...paths, last]) {
    const body = (answers[Number(path.slice(1))] ?? new JoinedBytes([short])).bytes()
    const start = rest.indexOf('\r\n\r\n') + 4
    expect(rest.subarray(start, start + body.length).equals(body)).toBe(true)
    rest = rest.subarray(start + body.length)
  }
  expect(rest).toHaveLength(0)
})

test('an answer for a slow reader stays as it is while others are sent', async () => {
  const socket = connect(port, '127.0.0.1').pause()
  const count = 150
  const request = (path: string, header = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${header}\r\n`
  socket.write(request('/2').repeat(count - 1) + request('/2', 'connection: close\r\n'))
  const others = Array.from({ length: count }, async () => {
    const body = Buffer.from(await (await fetch(`http://127.0.0.1:${port}/3`)).arrayBuffer())
    expect(body.equals(answers[3]?.bytes() ?? Buffer.of())).toBe(true)
  })
  await Promise.all(others)
  const bytes = (await buffer(socket)).toString()
  const expected = answers[2]?.bytes().toString() ?? ''
  expect(bytes.split(expected)).toHaveLength(count + 1)
})

test('readers who disconnect while a long answer is sent do not delay others', async () => {
  for (let reader = 0; reader < 5; reader += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /0 HTTP/1.1\r\nhost: a\r\n\r\n')
    await new Promise((read) => socket.once('data', read))
    socket.destroy()
  }
  const whole = await fetch(`http://127.0.0.1:${port}/0`)
  expect(Buffer.from(await whole.arrayBuffer()).equals(answers[0]?.bytes() ?? Buffer.alloc(0))).toBe(true)
})
