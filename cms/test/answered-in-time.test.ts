import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import { silentLog } from '../src/cli/command/json-log.ts'
import type { AppOptions } from '../src/service.ts'
import { type TestDatabases, testDatabases } from './databases.ts'
import { jpeg } from './media.ts'
import { callerOf } from './service.ts'
import { startProxy } from './tcp-proxy.ts'

const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
/** What a busy machine may add. */
const SLACK_MS = 3_000
const postgres = testDatabases.filter(({ name }) => name === 'PostgreSQL')

async function started(databases: TestDatabases, options: Partial<AppOptions> = {}) {
  const database = await databases.createReady()
  const url = new URL(database.url)
  const isServer = url.protocol === 'postgres:'
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  if (isServer) url.port = String(proxy.port)
  const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), {
    database: isServer ? url.href : database.url,
    keys: KEYS,
    log: silentLog,
    ...options,
  })
  onTestFinished(async () => {
    proxy.mend()
    await app.close()
    await proxy.close()
    await database.drop()
  })
  const address = await app.listen(0, '127.0.0.1')
  const editor = callerOf(address, 'key-editor', null)
  const article = (await editor.post('article', { title: 'One' })).body
  return { address, editor, article, proxy, url: database.url }
}

/** The status of an answer, and how long it took. */
async function timed(answer: Promise<{ readonly status: number }>): Promise<{ status: number; ms: number }> {
  const began = performance.now()
  const { status } = await answer
  return { status, ms: performance.now() - began }
}

const longest = (answers: readonly { readonly ms: number }[]) => Math.max(...answers.map(({ ms }) => ms))

describe.each(postgres)('§8 on $name', { timeout: 90_000 }, (databases) => {
  test('each write of a row that somebody else keeps locked is refused within ten seconds', async () => {
    const { editor, article, url } = await started(databases)
    const locker = new Client({ connectionString: url })
    await locker.connect()
    onTestFinished(() => locker.end())
    await locker.query('begin')
    await locker.query('select * from documents where doc_id = $1 for update', [article.aposDocId])
    const writes: Promise<{ status: number; ms: number }>[] = []
    for (let number = 0; number < 40; number += 1) {
      writes.push(timed(editor.patch(`article/${article.aposDocId}`, { code: `c${number}` })))
      await pause(100)
    }
    const answers = await Promise.all(writes)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(longest(answers)).toBeLessThan(10_000 + SLACK_MS)
  })

  // Ten for a slot, five for a transaction, five to connect.
  test.each(['cut', 'freeze'] as const)('no request hangs when the way to the server is lost (%s)', async (fault) => {
    const { editor, article, proxy } = await started(databases)
    const asked: Promise<{ status: number; ms: number }>[] = []
    const path = `article/${article.aposDocId}`
    for (let number = 0; number < 60; number += 1) {
      if (number === 10) proxy[fault]()
      asked.push(
        timed(editor.patch(path, { code: `c${number}` })),
        timed(editor.get(path)),
        timed(editor.get('article', `search=one&page=${number + 1}`)),
        timed(editor.post('article', { title: `Two ${number}` })),
      )
      await pause(200)
    }
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => ![200, 404, 503].includes(status))).toEqual([])
    expect(longest(answers)).toBeLessThan(20_000 + SLACK_MS)
  })
})

describe.each(testDatabases.slice(0, 1))('§4.3 a bucket that answers nothing', { timeout: 90_000 }, (databases) => {
  test('an upload and a download are refused within 15 seconds, and others are served meanwhile', async () => {
    const bucket = createServer(() => {}).listen(0, '127.0.0.1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
    onTestFinished(() => {
      vi.unstubAllEnvs()
      bucket.closeAllConnections()
      bucket.close()
    })
    await new Promise((resolve) => bucket.once('listening', resolve))
    const { address, editor } = await started(databases, {
      uploads: 's3://silent',
      uploadsEndpoint: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
    })
    const file = new Blob([Uint8Array.from(await jpeg(800, 600))])
    const upload = () => {
      const body = new FormData()
      body.append('file', file, 'sea.jpg')
      const headers = { authorization: 'ApiKey key-editor' }
      return fetch(`${address}/api/v1/@cms/attachment/upload`, { method: 'POST', headers, body })
    }
    const hanging = Promise.all([
      ...[1, 2, 3].map(() => timed(upload())),
      timed(fetch(`${address}/uploads/attachments/abc-sea.jpg`)),
    ])
    let isOver = false
    void hanging.then(() => {
      isOver = true
    })
    const others: { status: number; ms: number }[] = []
    for (let number = 0; !isOver; number += 1) {
      others.push(
        await timed(editor.post('article', { title: `Meanwhile ${number}` })),
        await timed(editor.get('article')),
      )
      await pause(100)
    }
    const answers = await hanging
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect(longest(answers)).toBeLessThan(15_000)
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
    expect(longest(others)).toBeLessThan(SLACK_MS)
  })
})
