import { expect, it } from 'vitest'
import { compileSite } from '../src/model/compile/site.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { type ContentType, page, piece } from '../src/model/declared/content-type.ts'
import { ConfigurationError } from '../src/model/terms/configuration-error.ts'
import { sampledDatabases } from './databases.ts'
import { describeService } from './service.ts'

const namespace = '@apostrophecms'

function mistakes(type: ContentType): readonly string[] {
  try {
    compileSite(defineSite({ namespace, types: [type] }))
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ path }) => path)
    throw error
  }
  return []
}

const site = defineSite({ namespace })

describeService('§0.1 names of the service', { site, on: sampledDatabases('names of the service') }, (service) => {
  it('§0.1 no piece type is served where the service has a route of its own', async () => {
    const { body } = await service.admin.get('openapi.json')
    const names = Object.keys(body.paths).flatMap(
      (path) => /^\/api\/v1\/((?:@[^/]+\/)?[\w-]+)(?=\/|$)/.exec(path)?.[1] ?? [],
    )
    expect(names).toEqual(expect.arrayContaining(['docs', 'metrics', `${namespace}/webhook`, `${namespace}/login`]))
    for (const name of new Set(names))
      expect({ name, at: mistakes(piece(name)) }).toEqual({ name, at: [`types.${name}`] })
    expect(mistakes(piece('Docs'))).toEqual([])
    expect(mistakes(page('docs'))).toEqual([])
  })
})
