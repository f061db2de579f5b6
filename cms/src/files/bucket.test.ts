import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { explain } from '../cli/command/failure.ts'
import { BucketFiles } from './bucket.ts'

const log = { info() {}, warn() {}, error() {} }
const READERS = 80

function text(bytes: Buffer) {
  return { source: bytes, type: 'text/plain' }
}

describe('§4.3 slow readers of a bucket', () => {
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

  test('§4.3 slow readers of a bucket block no other reads and writes', async () => {
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

  test('§4.3 errors of a bucket or the network are logged in words, and name what to check', async () => {
    const logged: object[] = []
    const noting = { ...log, error: (data: object) => void logged.push(data) }
    const refused = async (name: string, endpoint: string) => {
      const files = new BucketFiles({ bucket: name, prefix: '' }, { base: '/uploads', endpoint, log: noting })
      const error = await files.put('a.txt', text(Buffer.from('a'))).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'unavailable' })
      await files.close()
      return explain(error)
    }
    const messages = [await refused('none', bucket.url), await refused('media', 'http://127.0.0.1:1')]
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'wrong')
    messages.push(await refused('media', bucket.url))
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
    const [bucketLess, away, wrong] = [
      'NoSuchBucket: The specified bucket does not exist',
      'Error: connect ECONNREFUSED 127.0.0.1:1',
      expect.stringMatching(/^InvalidAccessKeyId: /),
    ]
    expect(logged).toEqual([
      { reason: bucketLess, bucket: 'none' },
      { reason: away, bucket: 'media' },
      { reason: wrong, bucket: 'media' },
    ])
    const advice =
      'Check QUIRE_UPLOADS, QUIRE_UPLOADS_ENDPOINT, and the credentials, as in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
    expect(messages).toEqual([
      `The bucket none fails: ${bucketLess}\n${advice}`,
      `The bucket media fails: ${away}\n${advice}`,
      expect.stringMatching(/^The bucket media fails: InvalidAccessKeyId: .*\nCheck QUIRE_UPLOADS, /),
    ])
  })

  test('§4.3 a reader that pauses past the bucket’s idle timeout still gets the whole file', async () => {
    const timeouts = { connect: 2000, idle: 100 }
    const hasty = new BucketFiles(
      { bucket: 'media', prefix: '' },
      { base: '/uploads', endpoint: bucket.url, log, timeouts },
    )
    const large = Buffer.alloc(16 * 1024 * 1024, 'some text or other, ')
    await files.put('larger.txt', text(large))
    const file = await hasty.open('larger.txt', { start: 5, end: large.length - 7 })
    const parts: Buffer[] = []
    for await (const part of (file?.stream ?? []) as AsyncIterable<Buffer>) {
      parts.push(part)
      if (parts.length % 60 === 1) await pause(400)
    }
    expect(Buffer.concat(parts).equals(large.subarray(5, -6))).toBe(true)
    await hasty.close()
  })
})

describe('§0.11 a bucket that may refuse writes', () => {
  let bucket: TestBucket
  const opened = () => {
    const files = new BucketFiles({ bucket: 'media', prefix: 'some/' }, { base: '/uploads', endpoint: bucket.url, log })
    onTestFinished(() => files.close())
    return files
  }
  const refusal = { name: 'unavailable', cause: { message: expect.stringContaining('AccessDenied: Access Denied') } }
  beforeAll(async () => {
    bucket = await startBucket('media')
  })
  afterEach(() => bucket.refuseWrites(false))
  afterAll(async () => {
    await bucket.stop()
    vi.unstubAllEnvs()
  })

  test('is written to once, until a write fails', async () => {
    const files = opened()
    const before = bucket.writes()
    await Promise.all(Array.from({ length: 5 }, () => files.check()))
    await files.check()
    expect([bucket.writes() - before, await bucket.names()]).toEqual([1, []])
    bucket.refuseWrites(true)
    await files.check()
    await expect(files.put('a.txt', text(Buffer.from('a')))).rejects.toMatchObject(refusal)
    await expect(files.check()).rejects.toMatchObject(refusal)
    bucket.refuseWrites(false)
    await files.put('a.txt', text(Buffer.from('a')))
    await files.check()
    expect(bucket.writes() - before).toBe(4)
  })

  test('that refuses the first one is asked again, but seldom', { timeout: 20_000 }, async () => {
    bucket.refuseWrites(true)
    const files = opened()
    const before = bucket.writes()
    for (let times = 0; times < 5; times += 1) await expect(files.check()).rejects.toMatchObject(refusal)
    expect(bucket.writes() - before).toBe(1)
    bucket.refuseWrites(false)
    await expect.poll(() => files.check().then(() => 'ready', String), { timeout: 10_000 }).toBe('ready')
    expect(bucket.writes() - before).toBe(2)
  })
})
