import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../src/app.ts'
import { defineSite } from '../src/index.ts'
import { testDatabases } from './databases.ts'

describe.each(testDatabases)('§0.11 health on $name', (databases) => {
  it('answers everybody while the database can be reached, and is not kept', async () => {
    const database = await databases.createReady()
    const app = await createApp(defineSite({}), { database: database.url })
    onTestFinished(async () => {
      await app.close()
      await database.drop()
    })
    const address = await app.listen(0, '127.0.0.1')
    for (const path of ['health', 'ready']) {
      const response = await fetch(`${address}/api/v1/${path}`)
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect((await fetch(`${address}/api/v1/${path}`, { method: 'HEAD' })).status).toBe(200)
    }
    await app.store.close()
    const response = await fetch(`${address}/api/v1/health`)
    const body = (await response.json()) as { name: string; message: string }
    expect([response.status, body.name]).toEqual([503, 'unavailable'])
    expect(body.message).not.toMatch(/sqlite|postgres|select|pool/i)
  })
})
