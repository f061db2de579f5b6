import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { databaseUrl, runOn } from '../../test/postgres-server.ts'
import { quietLog } from '../cli/log.ts'
import { openDatabase } from './open.ts'
import { rethrow } from './postgres-errors.ts'

test('§3 a database of another encoding than UTF8 is refused, and says how to make one', async () => {
  const server = process.env.QUIRE_TEST_POSTGRES ?? ''
  const name = `quire_test_ascii_${process.pid}`
  await runOn(server, `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  try {
    const opened = openDatabase(databaseUrl(server, name), { log: quietLog })
    await expect(opened).rejects.toThrow(/^The database has the encoding SQL_ASCII. Create one with: /)
  } finally {
    await runOn(server, `drop database ${name}`)
  }
})

/** A message of the server as it is sent. */
function message(kind: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(content)])
}

/** The address of a pooler that answers to what it is sent first, and second. */
async function pooler(answers: readonly (readonly Buffer[])[]): Promise<string> {
  const server = createServer((socket) => {
    const left = answers.map((messages) => Buffer.concat(messages))
    socket.on('error', () => {})
    socket.on('data', () => {
      const answer = left.shift()
      if (answer !== undefined) socket.write(answer)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  // `as`: the address of a server that listens at a port.
  return `postgres://quire@127.0.0.1:${(server.address() as AddressInfo).port}/shelf`
}

test('§3 a pooler that refuses the settings of a connection is quoted', async () => {
  const refusal = message('E', 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0')
  const opened = openDatabase(await pooler([[refusal]]), { log: quietLog })
  await expect(opened).rejects.toThrow('refuses the connection: unsupported startup parameter: statement_timeout.')
})

test.each([
  ['42P05', 'prepared statement "quire_0" already exists'],
  ['26000', 'prepared statement "quire_0" does not exist'],
])('§3 a pooler of transactions is named as such when the server says %s', async (code, text) => {
  const ready = message('Z', 'I')
  const refusal = message('E', `SERROR\0C${code}\0M${text}\0\0`)
  const opened = openDatabase(
    await pooler([
      [message('R', '\0\0\0\0'), ready],
      [refusal, ready],
    ]),
    { log: quietLog },
  )
  await expect(opened).rejects.toThrow(/transaction pooling.*Use session mode/)
})

test('§0.2 callers are not told of a pooler, but the log is', () => {
  const refused = Object.assign(new Error('prepared statement "quire_0" does not exist'), { code: '26000' })
  const cause = expect.objectContaining({ message: expect.stringContaining('transaction pooling') })
  const message = 'The database cannot be used at present. Try again later.'
  expect(() => rethrow(refused)).toThrow(expect.objectContaining({ name: 'unavailable', message, cause }))
})
