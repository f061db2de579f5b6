import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { jpeg, upload } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'

const TOP = '--xx\r\nContent-Disposition: form-data; name="file"; filename="slow.jpg"\r\n\r\n'

describeService('§4.3 senders who stand still', { timeouts: { uploadPause: 200 }, isLong: true }, (service) => {
  let temporary: string
  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'quire-slow-'))
    vi.stubEnv('TMPDIR', temporary)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(temporary, { recursive: true, force: true })
  })

  /** Sends the beginning of an upload, and then nothing more: the answer. */
  function sendBeginning(bytes: Uint8Array): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const call = request(`${service.address}/api/v1/@cms/attachment/upload`, {
        method: 'POST',
        headers: {
          authorization: 'ApiKey key-contributor',
          'content-type': 'multipart/form-data; boundary=xx',
          'content-length': 10_000_000,
        },
      })
      call.on('response', (response) => {
        response.toArray().then((parts) => {
          call.destroy()
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() })
        }, reject)
      })
      call.on('error', reject)
      call.write(Buffer.concat([Buffer.from(TOP), bytes]))
    })
  }

  test('§4.3 senders who stall get an error, and nothing of theirs is left', async () => {
    const image = await jpeg()
    const answers = await Promise.all([image.subarray(0, 20), image.subarray(0, 800), image].map(sendBeginning))
    for (const { status, text } of answers) {
      expect([status, JSON.parse(text).message]).toEqual([400, 'The upload stalled for too long.'])
    }
    await expect.poll(() => readdir(temporary)).toEqual([])
    expect(existsSync(service.uploads)).toBe(false)
    expect(await service.app.store.attachments.count()).toBe(0)
    expect((await upload(service, 'contributor', image)).status).toBe(200)
    await expect.poll(() => readdir(temporary)).toEqual([])
  })
})
