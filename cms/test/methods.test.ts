import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { refusedOperations } from './refused-operations.ts'
import { some } from './sample.ts'
import { describeService, type Service } from './service.ts'

const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Paths = { readonly [path: string]: { readonly [method: string]: object } }

describeService('§0.6 methods that an address does not take', { isLong: true }, (service) => {
  it.each([null, 'guest', 'contributor', 'admin'])('are refused by a true list: %s', async (role) => {
    const refused = refusedOperations(service.app.site)
    const [all, known] = [await pathsFor(service, 'admin'), await pathsFor(service, role)]
    for (const path of some(Object.keys(all), 60, (role ?? '').length)) {
      const url = path.replaceAll(/\{[^}]+\}/g, 'nothing')
      const allowed = methodsOf(all, known, url)
      const told = allowed.length === 0 ? 'OPTIONS' : ['OPTIONS', ...allowed].join(', ')
      expect([path, (await send(service, 'OPTIONS', url, role)).allow]).toEqual([path, told])
      for (const method of [...METHODS, 'TRACE', ...(role === null ? ['PROPFIND'] : [])].filter(
        (method) =>
          !takes(all, url, method) && !refused.some(([one, path]) => one === method && patternOf(path).test(url)),
      )) {
        const answer = await send(service, method, url, role)
        const [status, allow, name] = allowed.length === 0 ? [404, undefined, 'notfound'] : [405, told, 'notallowed']
        // HEAD has no body.
        const expected = { status, allow, name: method === 'HEAD' ? null : name }
        expect([method, url, answer]).toEqual([method, url, expected])
      }
    }
  })

  it('wrong credentials are refused first', async () => {
    expect(await send(service, 'OPTIONS', '/api/v1/article', 'nobody')).toMatchObject({ status: 401 })
    expect(await send(service, 'DELETE', '/api/v1/article', 'nobody')).toMatchObject({ status: 401 })
  })

  it.each(['/', '/about/team', '/robots.txt', '/uploads/attachments/x.jpg'])('at %s, too', async (path) => {
    const allow = 'OPTIONS, HEAD, GET'
    expect(await send(service, 'OPTIONS', path, null)).toMatchObject({ status: 200, allow })
    for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      expect(await send(service, method, path, null)).toEqual({ status: 405, allow, name: 'notallowed' })
    }
  })
})

async function pathsFor(service: Service, role: string | null): Promise<Paths> {
  const headers: Record<string, string> = role === null ? {} : { authorization: `ApiKey key-${role}` }
  const answer = await fetch(`${service.address}/api/v1/openapi.json`, { headers })
  // `as`: the document has its own test.
  return ((await answer.json()) as { paths: Paths }).paths
}

/** The methods of the paths that the caller may know of and that cover a URL. */
function methodsOf(all: Paths, known: Paths, url: string): string[] {
  return METHODS.filter((method) => {
    const path = Object.keys(known).filter((path) => patternOf(path).test(url))
    return path.some((one) => Object.hasOwn(all[one] ?? {}, method === 'HEAD' ? 'get' : method.toLowerCase()))
  })
}

function takes(all: Paths, url: string, method: string): boolean {
  return methodsOf(all, all, url).includes(method)
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}

/** Unlike `fetch`, sends any method. */
async function send({ address }: Service, method: string, path: string, role: string | null) {
  const headers = role === null ? {} : { authorization: `ApiKey key-${role}` }
  return new Promise<{ status: number; allow: string | undefined; name: string | null }>((resolve, reject) => {
    const sent = request(address + path, { method, headers }, async (answer) => {
      const body = await text(answer)
      const { statusCode: status = 0, headers } = answer
      resolve({ status, allow: headers.allow, name: body === '' ? null : (JSON.parse(body).name ?? null) })
    })
    sent.on('error', reject).end()
  })
}
