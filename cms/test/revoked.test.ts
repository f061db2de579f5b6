import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createKey, revokeKey } from '../src/engine/access/keys.ts'
import { sampledDatabases } from './databases.ts'
import { cookieOf, loginCall, makeUser, tokenOf } from './people.ts'
import { type Service, startService } from './service.ts'
import { serve } from './serving.ts'

type Headers = Record<string, string>

describe.each(sampledDatabases('revoked'))('§5.4 keys, tokens and sessions on $name', (databases) => {
  async function start(): Promise<Service> {
    const service = await startService(databases, { cacheBytes: 0 })
    onTestFinished(() => service.stop())
    return service
  }

  /** A key, a token and a session of the database, as headers; and the id of the key. */
  async function credentials(service: Service) {
    const userId = await makeUser(service.app, 'ann', { role: 'editor' })
    const operator = service.app.context({ kind: 'operator' })
    const { key, stored } = await createKey(operator, { name: 'k', role: 'editor' })
    const all: Record<'key' | 'token' | 'session', Headers> = {
      key: { authorization: `ApiKey ${key}` },
      token: { authorization: `Bearer ${await tokenOf(service.address, 'ann')}` },
      session: { cookie: await cookieOf(service.address, 'ann') },
    }
    return { ...all, userId, keyId: stored.id }
  }

  const statusAt = async (address: string, headers: Headers) =>
    (await fetch(`${address}/api/v1/topic?aposMode=draft`, { headers })).status

  it('cost no statement when they were seen a moment ago', async () => {
    const service = await start()
    const { key, token, session } = await credentials(service)
    await service.editor.post('topic', { title: 'Topic' })
    await service.quiet()
    const statementsOf = async (headers: Headers) => {
      const before = service.statements.length
      expect(await statusAt(service.address, headers)).toBe(200)
      return service.statements.slice(before)
    }
    // A key of the environment is never looked up. What the list itself needs, it needs anew but for its total.
    const ofEnvironment = { authorization: 'ApiKey key-editor' }
    await statementsOf(ofEnvironment)
    const needed = await statementsOf(ofEnvironment)
    expect(needed).not.toEqual([])
    for (const headers of [key, token, session]) {
      // Should the machine stand still for a second in between, it is looked up again: then once more.
      await expect
        .poll(async () => {
          await statementsOf(headers)
          return statementsOf(headers)
        })
        .toEqual(needed)
    }
  })

  it('are not looked up again for some seconds while they are used', async () => {
    const service = await start()
    const { key } = await credentials(service)
    const lookups = () => service.statements.filter((text) => text.includes('from api_keys')).length
    // Should the machine stand still meanwhile, they are looked up again: then once more.
    const lookupsInTwoSeconds = async () => {
      await statusAt(service.address, key)
      const before = lookups()
      for (let asked = 0; asked < 8; asked += 1) {
        await pause(250)
        expect(await statusAt(service.address, key)).toBe(200)
      }
      return lookups() - before
    }
    await expect.poll(lookupsInTwoSeconds).toBe(0)
  })

  it('end in another process, too, when they are ended in this one', async () => {
    const service = await start()
    const { key, token, session, userId, keyId } = await credentials(service)
    const other = await serve(service.databaseUrl)
    onTestFinished(async () => void (await other.end('SIGKILL')))
    const isEnded = (headers: Headers) =>
      expect.poll(() => statusAt(other.address, headers), { interval: 20 }).toBe(401)
    for (const headers of [key, token, session]) expect(await statusAt(other.address, headers)).toBe(200)
    await revokeKey(service.app.context({ kind: 'operator' }), keyId)
    await isEnded(key)
    expect((await loginCall(service.address, 'logout', {}, token)).status).toBe(200)
    await isEnded(token)
    expect(await statusAt(other.address, session)).toBe(200)
    expect((await service.admin.patch(`@cms/user/${userId}`, { disabled: true })).status).toBe(200)
    await isEnded(session)
  })
})
