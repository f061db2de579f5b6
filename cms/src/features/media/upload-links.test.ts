import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { defineSite, piece } from 'quire-cms'
import { expect, it } from 'vitest'
import { agentOf } from '../../../test/agent-caller.ts'
import { rowsOf } from '../../../test/consistency.ts'
import { fetchFile, jpeg, type UploadAnswer } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { createKey, revokeKey } from '../../engine/access/keys.ts'
import { makeUploadLink } from '../../engine/access/make-upload-link.ts'
import { takeUploadLink } from '../../engine/access/take-upload-link.ts'
import type { Context } from '../../engine/context.ts'

const MB = 1024 * 1024
const site = defineSite({ types: [piece('book')], limits: { uploadBytes: 3 * MB } })

describeService('§4.10 links for uploads', { site }, (service) => {
  const operator = () => service.app.context({ kind: 'operator' })
  const contributor = agentOf(() => service.address, 'key-contributor')
  const linkFor = async (given: object, call = contributor): Promise<string> => {
    const { data, text } = await call('upload', given)
    expect(text).toContain('curl -T FILE')
    return data.url
  }
  const put = async (
    url: string,
    bytes: Uint8Array | string,
    headers: Record<string, string> = {},
  ): Promise<UploadAnswer> => {
    const sent = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes)
    const answer = await fetch(url, { method: 'PUT', body: sent, headers })
    return { status: answer.status, body: await answer.json() }
  }
  const post = async (url: string, bytes: Uint8Array | string, name = 'other.jpg'): Promise<UploadAnswer> => {
    const form = new FormData()
    form.append('file', new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]), name)
    const answer = await fetch(url, { method: 'POST', body: form })
    return { status: answer.status, body: await answer.json() }
  }
  const text = (length: number) => 'word '.repeat(Math.ceil(length / 5)).slice(0, length)

  it('takes the body as it is, once, without a key, under the name of the link', async () => {
    const bytes = await jpeg(1200, 800)
    const url = await linkFor({ name: 'Old Bridge.jpg' })
    const { status, body } = await put(url, bytes)
    expect([status, body.name, body.width, body.length]).toEqual([200, 'old-bridge', 1200, bytes.length])
    expect(Buffer.from(await (await fetchFile(service, body._url)).arrayBuffer()).equals(bytes)).toBe(true)
    const again = await put(url, bytes)
    expect([again.status, again.body.name]).toEqual([404, 'notfound'])
    const made = await agentOf(() => service.address)('write_draft', {
      type: '@cms/image',
      values: { title: 'A', attachment: { _id: body._id } },
    })
    expect(made.isError).toBe(false)
  })

  it('takes a form, and of two at once only one', async () => {
    const bytes = await jpeg()
    const { status, body } = await post(await linkFor({ name: 'wells.jpg' }), bytes)
    expect([status, body.name, body.extension]).toEqual([200, 'wells', 'jpg'])
    const url = await linkFor({ name: 'eels.jpg' })
    const both = await Promise.all([put(url, bytes), post(url, bytes)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 404])
  })

  it('takes no more than it says', async () => {
    const url = await linkFor({ name: 'long.txt', size: 2000 })
    const { status, body } = await put(url, text(2001))
    expect([status, body.name, body.message]).toEqual([413, 'toolarge', expect.stringContaining('2000 bytes')])
    expect((await put(await linkFor({ name: 'long.txt', size: 2000 }), text(2000))).status).toBe(200)
    const stream = new ReadableStream({
      start: (sink) => {
        sink.enqueue(new TextEncoder().encode(text(3000)))
        sink.close()
      },
    })
    const init = { method: 'PUT', body: stream, duplex: 'half' } as RequestInit
    expect((await fetch(await linkFor({ name: 'long.txt', size: 2000 }), init)).status).toBe(413)
    expect((await post(await linkFor({ name: 'long.txt', size: 2000 }), text(2001), 'long.txt')).status).toBe(413)
    const most = await contributor('upload', { name: 'long.txt', size: 3 * MB + 1 })
    expect([most.data.name, most.data.message]).toEqual(['toolarge', expect.stringContaining(String(3 * MB))])
    expect((await put(await linkFor({ name: 'long.txt' }), text(3 * MB + 1))).status).toBe(413)
    expect((await put(await linkFor({ name: 'long.txt' }), text(3 * MB))).status).toBe(200)
    expect((await contributor('upload', { name: 'long.txt', size: 0 })).data.errors).toMatchObject([{ path: 'size' }])
  })

  it('stores nothing of a file that breaks off', async () => {
    const { hostname, port, pathname, search } = new URL(await linkFor({ name: 'half.txt' }))
    const socket = connect(Number(port), hostname)
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n${text(500)}`)
    await setTimeout(200)
    socket.destroy()
    expect((await put(await linkFor({ name: 'whole.txt' }), text(500))).status).toBe(200)
    const [stored] = await rowsOf(service.databaseUrl, ["select name from attachments where name in ('half', 'whole')"])
    expect(stored?.map((row) => JSON.stringify(row)).join()).toMatch(/^[^h]*whole[^h]*$/)
  })

  it('takes files of the kinds that the site takes', async () => {
    const program = await put(await linkFor({ name: 'run.exe' }), 'MZ')
    expect([program.status, program.body.name]).toEqual([400, 'invalid'])
    expect((await put(await linkFor({ name: 'fake.jpg' }), 'no picture')).body.name).toBe('invalid')
    expect((await put(await linkFor({ name: 'empty.txt' }), '')).body.name).toBe('invalid')
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const { body } = await put(await linkFor({ name: 'note.txt' }), '{}', { 'content-type': type })
      expect(body).toMatchObject({ name: 'invalid', message: expect.stringContaining('multipart/form-data') })
    }
    const url = await linkFor({ name: 'note.txt' })
    expect((await put(url, 'zip', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await put(url, 'A note', { 'content-type': 'text/plain' })).body.extension).toBe('txt')
  })

  it('ends after 15 minutes, and with its key', async () => {
    const { key, stored } = await createKey(operator(), { name: 'Agent', role: 'contributor', ai: true })
    const call = agentOf(() => service.address, key)
    const url = await linkFor({ name: 'note.txt' }, call)
    await revokeKey(operator(), stored.id)
    expect((await put(url, 'A note')).body.name).toBe('notfound')
    const editor = service.app.context({ kind: 'key', ...EDITOR })
    const { token } = await makeUploadLink(editor, { name: 'note.txt', mostBytes: 10 })
    const later = (ms: number): Context => ({ ...operator(), now: () => new Date(Date.now() + ms) })
    await expect(takeUploadLink(later(15 * 60_000 + 1), token)).rejects.toMatchObject({ name: 'notfound' })
    expect(await takeUploadLink(later(14 * 60_000), token)).toMatchObject({ name: 'note.txt', actor: { id: 'editor' } })
    await makeUploadLink(editor, { name: 'note.txt', mostBytes: 10 })
    await service.app.store.transaction(({ uploadLinks }) => uploadLinks.removeExpired('2100-01-01T00:00:00.000Z'))
    expect((await rowsOf(service.databaseUrl, ['select hash from upload_links']))[0]).toEqual([])
  })

  it('is a secret, and opens nothing else', async () => {
    const { data } = await contributor('upload', { name: 'note.txt', idempotencyKey: 'u1' })
    const again = await contributor('upload', { name: 'note.txt', idempotencyKey: 'u1' })
    expect(again.data.url).not.toBe(data.url)
    const token = new URL(data.url).searchParams.get('token') ?? ''
    expect(JSON.stringify(await rowsOf(service.databaseUrl, ['select * from upload_links']))).not.toContain(token)
    const bearer = { authorization: `Bearer ${token}` }
    expect((await fetch(`${service.address}/api/v1/book`, { headers: bearer })).status).toBe(401)
    for (const wrong of ['', '?token=', '?token=x', `?token=${token.slice(1)}`, `?token[]=${token}`]) {
      expect((await put(data.url.replace(/\?.*/, wrong), 'A note')).status).toBeGreaterThanOrEqual(400)
    }
    expect((await fetch(data.url)).status).toBe(404)
    expect((await put(data.url, 'A note')).status).toBe(200)
    expect(JSON.stringify(service.logged)).not.toContain(token)
    const guest = agentOf(() => service.address, 'key-guest')
    expect((await guest('upload', { name: 'note.txt' })).data.name).toBe('forbidden')
  })

  it.skipIf(spawnSync('curl', ['--version']).status !== 0)('curl sends a file of megabytes', async () => {
    const path = join(service.uploads, 'sent.txt')
    await writeFile(path, text(2 * MB))
    const url = await linkFor({ name: 'sent.txt' })
    const { stdout } = await promisify(execFile)('curl', ['-s', '-T', path, url])
    expect(JSON.parse(stdout)).toMatchObject({ name: 'sent', length: 2 * MB })
  })
})

const EDITOR = {
  id: 'editor',
  role: 'editor',
  name: 'Editor',
  username: null,
  firstName: '',
  lastName: '',
  ai: false,
  draftsOnly: false,
} as const
