import { describe, expect, test } from 'vitest'
import { testRoute, testServer } from '../../../test/http-server.ts'
import { send } from '../../../test/wire.ts'

const ROUTES = [
  ['GET', '/api/v1/@cms/image'],
  ['GET', '/api/v1/article/:_id'],
  ['POST', '/api/v1/article/publish'],
  ['POST', '/api/v1/article/:_id/publish'],
] as const

const routes = ROUTES.map(([method, path]) =>
  testRoute({ method, path, handle: async (_, { params }) => ({ route: path, params }) }),
)

describe('§0.1 routes', () => {
  test.each<[string, string, unknown]>([
    ['GET', '/api/v1/@cms/image', ['/api/v1/@cms/image', {}]],
    ['GET', '/api/v1/%40cms/image/', ['/api/v1/@cms/image', {}]],
    ['GET', '/fr/api/v1/%40cms/image', ['/api/v1/@cms/image', {}]],
    ['GET', '/api/v1/article/a%3Aen%3adraft', ['/api/v1/article/:_id', { _id: 'a:en:draft' }]],
    ['GET', '/api/v1/article/a%2Fb', ['/api/v1/article/:_id', { _id: 'a/b' }]],
    ['GET', '/api/v1/article/a%2540%25', ['/api/v1/article/:_id', { _id: 'a%40%' }]],
    ['POST', '/api/v1/article/publish', ['/api/v1/article/publish', {}]],
    ['GET', '/api/v1/article/publish', ['/api/v1/article/:_id', { _id: 'publish' }]],
    ['POST', '/api/v1/article/publish/publish', ['/api/v1/article/:_id/publish', { _id: 'publish' }]],
    ['GET', '/api/v1/article/__proto__', ['/api/v1/article/:_id', { _id: '__proto__' }]],
    ['PUT', '/api/v1/@cms/nothing', null],
    ['GET', '/api/v1/article//', null],
    ['GET', '/api/v1/article/', null],
    ['GET', '//api/v1/@cms/image', null],
    ['GET', '/api/v1', null],
    ['GET', '/api', null],
    ['GET', '/', null],
  ])('%s %s', async (method, path, expected) => {
    const { address } = await testServer(routes)
    const { status, text } = await send(address, { method, path })
    const body = JSON.parse(text)
    expect(status === 200 ? [body.route, body.params] : body.name).toEqual(expected ?? 'notfound')
  })

  test('§0 OPTIONS names what every route of a path takes', async () => {
    const { address } = await testServer(routes)
    const allowed = async (path: string) => (await send(address, { method: 'OPTIONS', path })).headers.allow
    expect(await allowed('/api/v1/article/publish')).toBe('OPTIONS, HEAD, GET, POST')
    expect(await allowed('/fr/api/v1/article/x')).toBe('OPTIONS, HEAD, GET')
    // What is not there looks like what a caller may not know of.
    expect(await allowed('/api/v1/article/x/y')).toBe('OPTIONS')
  })

  test('two routes of one method and path are a mistake found at start', async () => {
    const route = testRoute({ path: '/api/v1/a/:_id', handle: async () => ({}) })
    await expect(testServer([route, { ...route, path: '/api/v1/a/:id' }])).rejects.toThrow('/api/v1/a/:id')
  })
})
