import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { databaseUrl, runOn } from '../../test/postgres-server.ts'
import { quietLog } from '../cli/log.ts'
import { openDatabase } from './open.ts'

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

test('§3 a pooler that refuses the settings of a connection is quoted', async () => {
  const pooler = createServer((socket) => {
    const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'
    const length = Buffer.alloc(4)
    length.writeInt32BE(fields.length + 4)
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])))
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  // `as`: the address of a server that listens at a port.
  const { port } = pooler.address() as AddressInfo
  try {
    const opened = openDatabase(`postgres://quire@127.0.0.1:${port}/shelf`, { log: quietLog })
    await expect(opened).rejects.toThrow('refuses the connection: unsupported startup parameter: statement_timeout.')
  } finally {
    pooler.close()
  }
})
