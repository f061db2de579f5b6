import { expect, test } from 'vitest'
import { shownAddress } from '../serve/open-service.ts'
import { address, appOptions, environmentKeys, replicaOptions } from './environment.ts'

const KEY = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)

test('§5 environment keys have a role, a key and an optional name', () => {
  expect(environmentKeys(`admin:${KEY}, editor:${OTHER}:CI`)).toEqual([
    { role: 'admin', key: KEY, name: 'admin key of the environment' },
    { role: 'editor', key: OTHER, name: 'CI' },
  ])
  expect(environmentKeys(undefined)).toEqual([])
  expect(environmentKeys(' ')).toEqual([])
})

test('§5 an unknown role, an empty key and a stray comma are refused without revealing a key', () => {
  expect(() => environmentKeys(`admin:${KEY},boss:secret`)).toThrow(
    /entry 2: the role must be one of guest, contributor/,
  )
  expect(() => environmentKeys('boss:secret')).not.toThrow(/secret/)
  expect(() => environmentKeys('editor:')).toThrow(/entry 1: write role:key/)
  expect(() => environmentKeys(`editor:${KEY},`)).toThrow(/entry 2/)
})

test('§5 keys of fewer than 32 characters and repeated keys are refused without revealing them', () => {
  const short = 'secret'.padEnd(31, 'x')
  for (const options of [{ QUIRE_API_KEYS: `admin:${short}` }, { QUIRE_EXTERNAL_FRONT_KEY: short }]) {
    expect(() => appOptions(options)).toThrow(/: the key is too short. Use at least 32 random characters/)
    expect(() => appOptions(options)).not.toThrow(/secret/)
  }
  expect(appOptions({ QUIRE_EXTERNAL_FRONT_KEY: KEY })).toMatchObject({ frontKey: KEY })
  expect(() => environmentKeys(`admin:${KEY},guest:${KEY}`)).toThrow('every key must be different')
  const keysOf = (...roles: string[]) => roles.map((role, index) => `${role}:${KEY}${index}:Robot`).join(',')
  expect(() => environmentKeys(keysOf('admin', 'guest'))).toThrow('keys of several roles are called “Robot”')
  expect(environmentKeys(keysOf('guest', 'guest'))).toHaveLength(2)
})

test('§6.8 the credential for the cache in front is a value of a header, and never shown', () => {
  expect(appOptions({ QUIRE_PURGE_TOKEN: ' token ' })).toMatchObject({ purgeToken: 'token' })
  expect(appOptions({})).not.toHaveProperty('purgeToken')
  expect(() => appOptions({ QUIRE_PURGE_TOKEN: 'two\nlines' })).toThrow(/^QUIRE_PURGE_TOKEN must be/)
  expect(() => appOptions({ QUIRE_PURGE_TOKEN: 'two\nlines' })).not.toThrow(/lines/)
})

test('§5 the port is a whole number, and options come before the environment', () => {
  expect(address({}, {})).toEqual({ port: 3000, host: 'localhost' })
  expect(address({ port: '0' }, { PORT: '80', HOST: '0.0.0.0' })).toEqual({ port: 0, host: '0.0.0.0' })
  for (const host of ['::1', '[::1]']) expect(address({ host }, {})).toEqual({ port: 3000, host: '::1' })
  expect(['::1', '::', '127.0.0.1', 'localhost'].map((host) => shownAddress(80, host))).toEqual([
    'http://[::1]:80',
    'http://localhost:80',
    'http://127.0.0.1:80',
    'http://localhost:80',
  ])
  expect(() => address({}, { PORT: '80a' })).toThrow('PORT must be a whole number from 0 to 65535, not “80a”.')
  expect(() => address({ port: '70000' }, {})).toThrow(/^--port must be/)
})

test('§5 every setting has a working default', () => {
  expect(appOptions({})).toEqual({ database: 'sqlite:data/quire.db', keys: [] })
  expect(appOptions({ QUIRE_SYNCHRONOUS: 'full', QUIRE_CACHE_MB: '1', QUIRE_POOL_SIZE: '4' })).toEqual({
    database: 'sqlite:data/quire.db',
    keys: [],
    synchronous: 'full',
    cacheBytes: 1_048_576,
    poolSize: 4,
  })
  expect(appOptions({ QUIRE_UPLOADS: 's3://files/here', AWS_ENDPOINT_URL: 'http://localhost:9000' })).toMatchObject({
    uploads: 's3://files/here',
    uploadsEndpoint: 'http://localhost:9000',
  })
  expect(appOptions({ QUIRE_UPLOADS: '/var/uploads', QUIRE_UPLOADS_URL: 'https://cdn.example.org/' })).toMatchObject({
    uploads: '/var/uploads',
    uploadsUrl: 'https://cdn.example.org/',
  })
  expect(() => appOptions({ QUIRE_UPLOADS: 'gs://files' })).toThrow(
    /^QUIRE_UPLOADS must be a folder or an address like s3:/,
  )
  for (const name of ['QUIRE_UPLOADS', 'QUIRE_UPLOADS_URL', 'QUIRE_UPLOADS_ENDPOINT', 'QUIRE_STATIC_BASE_URL']) {
    const read = () => appOptions({ [name]: 'ftp://ann:s3cret@example.org' })
    expect(read).toThrow(`${name} must `)
    expect(read).not.toThrow('s3cret')
  }
  expect(() => appOptions({ QUIRE_UPLOADS: 's3:files' })).toThrow(
    /^QUIRE_UPLOADS must be a folder or an address like s3:/,
  )
  expect(() => appOptions({ QUIRE_UPLOADS_URL: 'cdn' })).toThrow(/^QUIRE_UPLOADS_URL must begin with https:/)
  expect(appOptions({ QUIRE_STATIC_BASE_URL: 'https://www.example.org/' })).toMatchObject({
    staticBaseUrl: 'https://www.example.org/',
  })
  for (const value of ['www.example.org', 'https://example.org/path', 'https://example.org?x', 'ftp://example.org']) {
    expect(() => appOptions({ QUIRE_STATIC_BASE_URL: value })).toThrow(/^QUIRE_STATIC_BASE_URL must be like https:/)
  }
  expect(appOptions({ QUIRE_EMBED_NETWORKS: '10.1.0.0/16, fd00::/8' }).embedNetworks).toEqual([
    '10.1.0.0/16',
    'fd00::/8',
  ])
  expect(() => appOptions({ QUIRE_EMBED_NETWORKS: '10.1.0.0/16,all' })).toThrow(
    'QUIRE_EMBED_NETWORKS: “all” is not a network. Write it as 10.1.0.0/16.',
  )
  expect(() => appOptions({ QUIRE_SYNCHRONOUS: 'off' })).toThrow('QUIRE_SYNCHRONOUS must be normal or full, not “off”.')
  expect(() => appOptions({ QUIRE_SLOW_STATEMENT_MS: 'never' })).toThrow(
    'QUIRE_SLOW_STATEMENT_MS must be a whole number',
  )
  expect(() => appOptions({ QUIRE_DATABASE_LISTEN: 'db.example' })).toThrow('the address of PostgreSQL itself')
  expect(() => appOptions({ QUIRE_DATABASE_LISTEN: 'postgres://quire:a#b@db/x' })).toThrow('are percent-encoded')
  expect(appOptions({ QUIRE_DATABASE_LISTEN: 'none', QUIRE_SLOW_STATEMENT_MS: '0' })).toMatchObject({
    listenAt: 'none',
    slowStatementMs: 0,
  })
})

test('§3 replicas are addresses of PostgreSQL servers, each another one', () => {
  const database = { QUIRE_DATABASE: 'postgres://quire@db1/shelf' }
  const replicas = ['postgres://quire:s3cret@db2/shelf', 'postgresql://quire@db3:5433/shelf']
  const read = (listed: string, more = {}) => replicaOptions({ ...database, QUIRE_DATABASE_REPLICAS: listed, ...more })
  expect(replicaOptions(database)).toEqual({})
  expect(replicaOptions({ QUIRE_DATABASE_REPLICAS: ' ' })).toEqual({})
  expect(read(` ${replicas.join(' , ')},`, { QUIRE_REPLICA_MAX_AGE: '60' })).toEqual({
    replicas,
    replicaMaxAge: 60_000,
  })
  expect(() => read('postgres://quire@db2/shelf,db3:5432')).toThrow(
    'QUIRE_DATABASE_REPLICAS, entry 2: write postgres://user@host/database, one address',
  )
  expect(() => read('postgres://quire:s3cret@db2:port/shelf')).toThrow(/^QUIRE_DATABASE_REPLICAS, entry 1: write /)
  expect(() => read('postgres://quire:a#b@db2/shelf')).toThrow(/^QUIRE_DATABASE_REPLICAS, entry 1: /)
  for (const same of ['postgres://quire@db2/other', 'postgresql://DB2:5432/shelf?sslmode=disable'])
    expect(() => read(`${replicas[0]},${same}`)).toThrow('every replica must be another server')
  expect(read('postgres://quire@db2/shelf,postgres://quire@db2:5433/shelf').replicas).toHaveLength(2)
  expect(() => read(replicas.join(), { QUIRE_DATABASE: 'data/quire.db' })).toThrow(/QUIRE_DATABASE names a file/)
  expect(() => read(replicas.join(), { QUIRE_REPLICA_MAX_AGE: '-1' })).toThrow('QUIRE_REPLICA_MAX_AGE must be a whole')
})
