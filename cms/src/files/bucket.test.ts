import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { BucketFiles } from './bucket.ts'

const log = { info() {}, warn() {}, error() {} }
const READERS = 80

describe('readers of a bucket who are slow', () => {
  let bucket: TestBucket
  let files: BucketFiles
  beforeAll(async () => {
    bucket = await startBucket('media')
    files = new BucketFiles({ bucket: 'media', prefix: '' }, { base: '/uploads', endpoint: bucket.url, log })
  })
  afterAll(async () => {
    await files.close()
    await bucket.stop()
    vi.unstubAllEnvs()
  })

  test('decisions 4.3: keep nobody else from reading and storing', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, 'text')
    await files.put('large.txt', { source: large })
    const readers = await Promise.all(Array.from({ length: READERS }, () => files.open('large.txt')))
    await files.put('small.txt', { source: Buffer.from('small') })
    expect(await files.facts('small.txt')).toMatchObject({ length: 5 })
    const small = await files.open('small.txt')
    expect(Buffer.concat((await small?.stream.toArray()) ?? []).toString()).toBe('small')
    for (const reader of readers) {
      reader?.stream.destroy()
      if (reader !== null && !reader.stream.closed) await once(reader.stream, 'close')
    }
    expect(readers).toHaveLength(READERS)
  })
})
