import { expect, it } from 'vitest'
import { refusedOperations } from './refused-operations.ts'
import { describeService, type Service } from './service.ts'

describeService('§7 operations that a site can only refuse', { isLong: true }, (service) => {
  const described = async (): Promise<Record<string, object>> => (await service.admin.get('openapi.json')).body.paths

  it('are not described; all others are', async () => {
    const paths = await described()
    const shown = (method: string, path: string) => Object.hasOwn(paths[path] ?? {}, method.toLowerCase())
    const refused = refusedOperations(service.app.site)
    expect(refused.filter(([method, path]) => shown(method, path))).toEqual([])
    expect(refused.length).toBeGreaterThan(40)
    for (const [method, path] of [
      ['PUT', '/api/v1/@cms/global/{id}'],
      ['POST', '/api/v1/@cms/global/{id}/publish'],
      ['POST', '/api/v1/@cms/global/{id}/localize'],
      ['DELETE', '/api/v1/@cms/user/{id}'],
      ['POST', '/api/v1/@cms/user/archive'],
      ['POST', '/api/v1/article/{id}/unpublish'],
      ['GET', '/api/v1/article/{id}/locale/{toLocale}'],
    ] as const) {
      expect([path, shown(method, path)]).toEqual([path, true])
    }
  })

  it('say why they are refused', async () => {
    for (const [method, path] of refusedOperations(service.app.site)) {
      const id = await documentAt(service, path)
      if (id === null) continue
      const filled = path.slice('/api/v1/'.length).replace('{id}', id).replace('{toLocale}', 'fr')
      const sent = { _ids: [id], toLocale: 'fr' }
      const { status, body } =
        method === 'POST'
          ? await service.admin.post(filled, sent)
          : await service.admin[method === 'GET' ? 'get' : 'delete'](filled)
      // The redirect to another locale finds no document there before it finds that it has no page.
      const isRead = method === 'GET' && path.endsWith('{toLocale}')
      expect([method, path, status, body.name]).toEqual([
        method,
        path,
        isRead ? expect.toBeOneOf([400, 404]) : 400,
        isRead ? expect.toBeOneOf(['invalid', 'notfound']) : 'invalid',
      ])
    }
  })
})

/** A document of the type in a path, made where there is none; null for those that need a file. */
async function documentAt({ admin, app }: Service, path: string): Promise<string | null> {
  const type = [...app.site.types.values()].find(({ name }) => `${path}/`.startsWith(`/api/v1/${name}/`))
  if (type === undefined) return 'nothing'
  if (type.fields.byName.has('attachment')) return null
  const [first] = (await admin.get(type.name)).body.results
  if (first !== undefined) return first._id
  const sent = {
    title: type.name,
    username: 'refused',
    password: 'refused-password-1',
    role: 'guest',
    price: 1,
    sku: 'a',
    color: 'red',
  }
  return (await admin.post(type.name, sent)).body._id
}
