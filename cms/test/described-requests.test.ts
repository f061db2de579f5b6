import { expect, it } from 'vitest'
import { obstacles } from './generator-obstacles.ts'
import { describeService, type Service } from './service.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
}
interface Get {
  readonly operationId: string
  readonly path: string
  readonly parameters: readonly Parameter[]
}

const LOCALES = ['en', 'fr', 'de', 'es', 'pt']

describeService('§0.4 what the OpenAPI document says of requests', {}, (service) => {
  it.each(['anonymous', 'admin'] as const)('a projected answer holds what its schema requires: %s', async (name) => {
    await makeDocuments(service)
    const narrowed = (await gets(service, name)).filter(({ parameters }) => parameters.some(isNamed('project')))
    expect(narrowed.length).toBeGreaterThan(name === 'admin' ? 25 : 6)
    let answered = 0
    for (const { path } of narrowed) {
      const filled = await filledPath(service, path, name)
      for (const query of ['project[title]=1', 'project[createdAt]=0&project[slug]=0', 'project[type]=0']) {
        // The caller checks the answer by its schema.
        const { status, body } = await service[name].get(filled, query)
        const [document] = body.results ?? [body]
        if (status !== 200 || document === undefined) continue
        answered += 1
        expect(document).toMatchObject({ _id: expect.any(String), type: expect.any(String), metaType: 'doc' })
        expect(document).not.toHaveProperty(query === 'project[title]=1' ? 'createdAt' : 'nothing')
      }
    }
    expect(answered).toBeGreaterThan(name === 'admin' ? 50 : 10)
  })

  it('a required parameter is demanded, and no other', async () => {
    await makeDocuments(service)
    for (const { operationId, path, parameters } of await gets(service, 'admin')) {
      const needed = parameters.filter((one) => one.in === 'query' && one.required === true)
      const filled = await filledPath(service, path, 'admin')
      const query = needed.map(({ name }) => `${name}=${VALUES[name]}`).join('&')
      expect([operationId, (await service.admin.get(filled, query)).status]).not.toEqual([operationId, 400])
      for (const { name } of needed) {
        const rest = query.replace(`${name}=${VALUES[name]}`, '')
        expect([name, (await service.admin.get(filled, rest)).status]).toEqual([name, 400])
      }
    }
    const named = (await gets(service, 'admin')).flatMap(({ parameters }) =>
      parameters.filter(({ required }) => required),
    )
    expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(['docId', 'url']))
  })

  it('generators can take what is said to everybody', async () => {
    for (const name of ['anonymous', 'contributor', 'admin'] as const) {
      expect(obstacles((await service[name].get('openapi.json')).body)).toEqual([])
    }
  })

  it('a part is about its types, and tells nothing of others', async () => {
    const part = async (name: 'anonymous' | 'admin', query: string) => service[name].get('openapi.json', query)
    const { paths, components, tags } = (await part('admin', 'types=article')).body
    expect(Object.keys(paths).filter((path) => !path.startsWith('/api/v1/article'))).toEqual([])
    expect(paths['/api/v1/article']).toHaveProperty('post')
    expect(tags).toHaveLength(1)
    expect(components.schemas).toHaveProperty('article.input')
    expect(components.schemas).not.toHaveProperty('product.input')
    const both = Object.keys((await part('admin', 'types[]=article&types[]=page')).body.paths)
    expect(both).toEqual(expect.arrayContaining(['/api/v1/article/{id}', '/api/v1/@cms/page/{id}']))
    for (const wrong of ['article', 'secret', '@cms/user', 'page', 'service']) {
      const { status, body } = await part('anonymous', `types=${wrong}`)
      expect([status, body.message]).toEqual([400, (await part('anonymous', 'types=nothing')).body.message])
    }
  })

  it('whoever has the document already is told so', async () => {
    for (const name of ['anonymous', 'admin'] as const) {
      for (const query of ['', 'types=topic']) {
        const { headers } = await service[name].get('openapi.json', query)
        const again = { 'if-none-match': headers.get('etag') ?? '' }
        expect((await service[name].get('openapi.json', query, again)).status).toBe(304)
        expect((await service[name].get('openapi.json', query, { 'if-none-match': '"other"' })).status).toBe(200)
      }
    }
    const tagOf = async (name: 'anonymous' | 'admin') => (await service[name].get('openapi.json')).headers.get('etag')
    expect(await tagOf('anonymous')).not.toBe(await tagOf('admin'))
  })

  it('names of locales are those that the caller may know of', async () => {
    for (const [name, has] of [
      ['anonymous', false],
      ['guest', true],
      ['admin', true],
    ] as const) {
      const { schemas } = (await service[name].get('openapi.json')).body.components
      const known = Object.keys((await service[name].get('@cms/i18n/locales')).body)
      expect(schemas.Locale?.enum ?? known).toEqual(known)
      const drafts = schemas.LocaleAndMode.enum.filter((one: string) => one.endsWith(':draft'))
      expect(drafts).toEqual(name === 'admin' ? known.map((locale) => `${locale}:draft`) : [])
      expect(known.length === LOCALES.length).toBe(has)
    }
  })
})

const VALUES: { readonly [name: string]: string } = {
  docId: 'nothing',
  url: 'https://youtu.be/nothing',
  token: 'x',
  from: 'en',
  to: 'fr',
}

function isNamed(name: string) {
  return (parameter: Parameter) => parameter.name === name
}

async function gets(service: Service, name: 'anonymous' | 'admin'): Promise<Get[]> {
  const { paths } = (await service[name].get('openapi.json')).body
  return Object.entries<{ get?: Omit<Get, 'path'> }>(paths).flatMap(([path, { get }]) =>
    get === undefined || path === '/api/v1' ? [] : [{ ...get, path: path.slice('/api/v1/'.length) }],
  )
}

/** One document of each type that needs nothing but texts and numbers. */
async function makeDocuments({ admin }: Service): Promise<void> {
  for (const type of ['article', 'topic', 'product', 'secret', 'note', 'draftless', 'guesty']) {
    const { total } = (await admin.get(type)).body
    if (total === 0) await admin.post(type, { title: type, price: 1, sku: 'a', color: 'red' })
  }
}

async function filledPath(service: Service, path: string, name: 'anonymous' | 'admin'): Promise<string> {
  if (!path.includes('{id}')) return path.replace(/\{\w+\}/g, (step) => STEPS[step] ?? 'nothing')
  const [type = ''] = path.split('/{')
  const { body } = await service[name].get(type)
  const id = body._id ?? body.results?.[0]?._id ?? 'nothing'
  return path.replace('{id}', id).replace(/\{\w+\}/g, (step) => STEPS[step] ?? 'nothing')
}

const STEPS: { readonly [name: string]: string } = {
  '{versionId}': '0'.repeat(26),
  '{toLocale}': 'fr',
  '{locale}': 'en',
  '{mode}': 'published',
}
