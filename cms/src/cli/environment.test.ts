import { expect, test } from 'vitest'
import { address, appOptions, environmentKeys } from './environment.ts'

test('§5 environment keys have a role, a key and an optional name', () => {
  expect(environmentKeys('admin:some-key, editor:other:CI')).toEqual([
    { role: 'admin', key: 'some-key', name: 'admin key of the environment' },
    { role: 'editor', key: 'other', name: 'CI' },
  ])
  expect(environmentKeys(undefined)).toEqual([])
  expect(environmentKeys(' ')).toEqual([])
})

test('§5 an unknown role, an empty key and a stray comma are refused without revealing a key', () => {
  expect(() => environmentKeys('admin:a,boss:secret')).toThrow(/entry 2: the role must be one of guest, contributor/)
  expect(() => environmentKeys('boss:secret')).not.toThrow(/secret/)
  expect(() => environmentKeys('editor:')).toThrow(/entry 1: write role:key/)
  expect(() => environmentKeys('editor:a,')).toThrow(/entry 2/)
})

test('§5 the port is a whole number, and options come before the environment', () => {
  expect(address({}, {})).toEqual({ port: 3000, host: 'localhost' })
  expect(address({ port: '0' }, { PORT: '80', HOST: '0.0.0.0' })).toEqual({ port: 0, host: '0.0.0.0' })
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
  expect(() => appOptions({ QUIRE_UPLOADS: 's3:files' })).toThrow(
    /^QUIRE_UPLOADS must be a folder or an address like s3:/,
  )
  expect(() => appOptions({ QUIRE_UPLOADS_URL: 'cdn' })).toThrow(/^QUIRE_UPLOADS_URL must begin with https:/)
  expect(() => appOptions({ QUIRE_SYNCHRONOUS: 'off' })).toThrow('QUIRE_SYNCHRONOUS must be normal or full, not “off”.')
})
