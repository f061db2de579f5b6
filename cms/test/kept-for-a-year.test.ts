import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { site } from './answers-site.ts'
import { sampledDatabases } from './databases.ts'
import { imagePiece } from './media.ts'
import { describeService, type Service } from './service.ts'
import { send } from './wire.ts'

// What may be kept for a year has its version in its address, and no other address leads to it with that permission.

const YEAR = 31_536_000

describeService('answers that are kept for a year', { site, on: sampledDatabases('kept for a year') }, (service) => {
  const ask = (path: string) => send(service.address, { method: 'GET', path })
  const keepsFor = async (path: string) => {
    const { status, headers } = await ask(path)
    const [, seconds = '0'] = /max-age=(\d+)/.exec(headers['cache-control'] ?? '') ?? []
    return { status, isYear: Number(seconds) >= YEAR }
  }

  it('§0.7 are those that the reference names', async () => {
    const kept: string[] = []
    for (const { path, method, operationId } of service.app.routes) {
      if (method !== 'GET') continue
      const filled = path
        .replace(':locale', 'en')
        .replace(':mode', 'published')
        .replaceAll(/:\w+|\*/g, 'x')
      if ((await keepsFor(filled)).isYear) kept.push(operationId)
    }
    expect(kept).toEqual(['styles.stylesheet', 'styles.stylesheet-of-locale'])
  })

  it('§0.7 name in their address what they are: no other address leads to them for a year', async () => {
    const addresses = await versionedAddresses(service)
    expect(addresses.length).toBeGreaterThan(10)
    for (const { path, version } of addresses) {
      expect({ path, ...(await keepsFor(path)) }).toEqual({ path, status: 200, isYear: true })
      const others = [
        version.toUpperCase(),
        `${version}x`,
        version.slice(1),
        createHash('md5').update(version).digest('hex'),
      ]
      for (const other of others.filter((one) => one !== version)) {
        const at = path.replace(version, other)
        expect({ at, isYear: (await keepsFor(at)).isYear }).toEqual({ at, isYear: false })
      }
    }
  })
})

/** The addresses with a version that pages, documents and the documentation lead to. */
async function versionedAddresses(service: Service): Promise<{ path: string; version: string }[]> {
  const textOf = async (path: string) => (await send(service.address, { method: 'GET', path })).text
  const { body: styles } = await service.admin.get('@cms/styles')
  await service.admin.patch(`@cms/styles/${styles.results[0]._id}`, { bodyColor: '#123456' })
  const { attachment } = await imagePiece(service)
  const files = [attachment._url, ...Object.values<string>(attachment._urls)].map((url) => ({
    path: new URL(url, 'http://site.test').pathname,
    version: attachment._id as string,
  }))
  const docs = [...(await textOf('/api/v1/docs')).matchAll(/"(\/api\/v1\/docs\/[\w-]+-(\w{12})\.\w+)"/g)]
  const sheets = [...(await textOf('/')).matchAll(/"([^"]*\/styles\/stylesheet\/[^"]*version=([\w-]+))"/g)]
  const linked = [...docs, ...sheets].map(([, path = '', version = '']) => ({ path, version }))
  expect([docs.length, sheets.length]).toEqual([3, 1])
  return [...files, ...linked]
}
