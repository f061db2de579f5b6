import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabases } from '../cms/test/databases.ts'
import { type Service, startService } from '../cms/test/service.ts'
import { startProxy, type TcpProxy } from '../cms/test/tcp-proxy.ts'
import { fillFrontEnd } from './front-end-content.ts'
import { frontEndSite } from './front-end-site.ts'

// The unmodified gatsby-source-apostrophe, given what Gatsby gives a plugin.

interface GatsbyNode {
  readonly title: string
  readonly internal: { readonly type: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into nodes freely
  readonly [name: string]: any
}

interface Plugin {
  sourceNodes(gatsby: object, options: object): Promise<void>
}

// `as`: the plugin has no types.
const plugin = createRequire(import.meta.url)('gatsby-source-apostrophe/gatsby-node.js') as Plugin

/** Runs the plugin; the nodes that it makes. */
async function nodesOf(options: object): Promise<GatsbyNode[]> {
  const nodes: GatsbyNode[] = []
  const digest = (value: unknown) => createHash('md5').update(JSON.stringify(value)).digest('hex')
  const actions = { createNode: (node: GatsbyNode) => void nodes.push(node) }
  await plugin.sourceNodes({ actions, createNodeId: digest, createContentDigest: digest }, options)
  return nodes
}

describe('§2.1 a Gatsby site whose content comes from the service', () => {
  const behind = { host: '127.0.0.1', port: 0 }
  let proxy: TcpProxy
  let service: Service
  let nodes: GatsbyNode[]

  beforeAll(async () => {
    const [database] = testDatabases
    if (database === undefined) throw new Error('There is a database to test on.')
    proxy = await startProxy(behind)
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    service = await startService(database, { site: frontEndSite({ baseUrl }) })
    behind.port = Number(new URL(service.address).port)
    await fillFrontEnd(service.address)
    const options = { baseUrl, apiKey: 'key-contributor', pieceTypes: ['@apostrophecms/blog', 'author'] }
    nodes = await nodesOf(options)
  })
  afterAll(async () => {
    await service?.stop()
    await proxy?.close()
  })

  const ofType = (type: string) => nodes.filter((node) => node.internal.type === type)
  const page = (title: string) => ofType('AposCorePage').find((node) => node.title === title)

  test('§4.1 every piece comes once, from all pages of the list', () => {
    const titles = ofType('AposCoreBlog').map(({ title }) => title)
    expect(titles).toEqual(['Post 5', 'Post 4', 'Post 3', 'Post 2', 'Post 1'])
    expect(ofType('AposAuthor').map(({ title }) => title)).toEqual(['Ann Other'])
  })

  test('§2.1 areas are HTML in place of their widgets, on every page of the list', () => {
    for (const [index, { main }] of ofType('AposCoreBlog').entries()) {
      expect(main._rendered).toContain(`<p>Text of post ${5 - index}.</p>`)
      expect(main.items).toBeUndefined()
    }
  })

  test('§4.2 every page comes once, but those in the archive', () => {
    const titles = ofType('AposCorePage').map(({ title }) => title)
    expect(titles).toEqual(['Home', 'About', 'Team', 'Blog', 'Members', 'New name'])
  })

  test('§4.2 pages come with their HTML, and their areas too', () => {
    expect(page('About')?._rendered).toContain('<p>We make <strong>maps</strong>.</p>')
    expect(page('About')?._rendered).not.toContain('<html')
    expect(page('About')?.main._rendered).toContain('<p>We make <strong>maps</strong>.</p>')
    const home = page('Home')
    expect(home?.main._rendered).toContain('<h2>Welcome</h2>')
    expect(home?.main._rendered).toMatch(/<img[^>]*alt="Moss on a stone"/)
    expect(home?.main._rendered).toContain('Wide column')
    expect(home?.main._rendered).toContain('So it goes &lt;again&gt;')
    expect(page('Blog')?._rendered).toContain('Post 5')
  })

  test('§5.10 what the public may not see is no part of the HTML that everyone gets', () => {
    expect(page('Members')).toBeDefined()
    expect(page('Members')?._rendered).not.toContain('Members')
  })
})
