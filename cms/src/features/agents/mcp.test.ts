import { request } from 'node:http'
import { expect, it } from 'vitest'
import { agentOf, mcp } from '../../../test/agent-caller.ts'
import { rowsOf } from '../../../test/consistency.ts'
import { describeService } from '../../../test/service.ts'
import { createKey, revokeKey } from '../../engine/access/keys.ts'
import { defineSite, piece } from '../../index.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describeService('§4.10 agents by MCP', {}, (service) => {
  const send = (message: unknown, more: object = {}, key: string | null = 'key-ai') => {
    return mcp(service.address, key, message, more)
  }

  it('§4.10 only API keys in the header may ask', async () => {
    const { status, headers } = await send(PING, {}, null)
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await send(PING, {}, 'key-unknown')).status).toBe(401)
    expect((await send(PING)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const asKey = await fetch(`${service.address}/api/v1/mcp`, {
      method: 'POST',
      headers: { authorization: 'ApiKey key-ai', 'content-type': 'application/json' },
      body: JSON.stringify(PING),
    })
    expect(asKey.status).toBe(200)
    for (const query of ['?apikey=key-ai', '?apiKey=key-ai']) {
      for (const more of [{}, { authorization: 'Bearer key-ai' }]) {
        const headers = { 'content-type': 'application/json', ...more }
        const init = { method: 'POST', headers, body: JSON.stringify(PING) }
        expect((await fetch(`${service.address}/api/v1/mcp${query}`, init)).status).toBe(401)
      }
    }
  })

  it('§4.10 tokens and sessions of people are refused', async () => {
    await service.admin.post('@cms/user', { title: 'Ada', username: 'ada', password: 'correct horse', role: 'admin' })
    const login = { username: 'ada', password: 'correct horse' }
    const { body } = await service.anonymous.post('@cms/login/login', login)
    expect(typeof body.token).toBe('string')
    expect((await send(PING, {}, body.token)).status).toBe(401)
    const { headers } = await service.anonymous.post('@cms/login/login', { ...login, session: true })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).not.toBe('')
    expect((await send(PING, { cookie, 'sec-fetch-site': 'same-origin' }, null)).status).toBe(401)
  })

  it('§4.10 other methods are 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${service.address}/api/v1/mcp`, { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST'])
    }
  })

  it('§4.10 there is no signing in, said as JSON', async () => {
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
      for (const path of [`/.well-known/${name}`, `/.well-known/${name}/api/v1/mcp`]) {
        const answer = await fetch(service.address + path)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
      }
    }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${service.address}/register`, { method: 'POST', headers, body: '{}' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    expect((await fetch(`${service.address}/register`)).headers.get('content-type')).toContain('text/html')
  })

  it('§4.10 pages of other sites may not ask', async () => {
    expect((await send(PING, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send(PING, { origin: service.address })).status).toBe(200)
  })

  it('§4.10 all revisions have the same tools', async () => {
    const older = ['2025-03-26', '2025-06-18', '2025-11-25'].map(async (protocolVersion) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const begun = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      expect(begun.body.result).toMatchObject({ protocolVersion, serverInfo: { name: 'quire' } })
      const ready = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      expect([ready.status, ready.body]).toEqual([202, null])
      return (await send(LIST, { 'mcp-protocol-version': protocolVersion })).body.result.tools
    })
    const [first, ...others] = await Promise.all(older)
    for (const tools of others) expect(tools).toEqual(first)
    const modern = await send({ ...LIST, params: { _meta: META } }, { ...MODERN, 'mcp-method': 'tools/list' })
    expect(modern.body.result.tools).toEqual(first)
    expect(first.length).toBeLessThanOrEqual(12)
    expect(JSON.stringify(first).length).toBeLessThanOrEqual(12_000)
  })

  it('§4.10 an unknown revision is refused with those that there are', async () => {
    const old = await send(LIST, { 'mcp-protocol-version': '1999-01-01' })
    expect([old.status, typeof old.body.error.message]).toEqual([400, 'string'])
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }
    const later = await send({ ...LIST, params: { _meta } }, headers)
    expect([later.status, later.body.error.data.supported]).toEqual([400, ['2026-07-28']])
  })

  it('§4.10 malformed messages are refused', async () => {
    for (const message of ['{', '[]', JSON.stringify([PING, PING]), '"ping"', '']) {
      expect([message, (await send(message)).status]).toEqual([message, 400])
    }
    expect((await send({ jsonrpc: '1.0', id: 1, method: 'ping' })).status).toBe(400)
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'nothing' })).body.error.code).toBe(-32601)
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' })).body.error.code).toBe(-32601)
    const unknown = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'publish', arguments: {} } }
    expect((await send(unknown)).body.error.message).toContain('publish')
    const long = { ...PING, params: { text: 'x'.repeat(4 * 1024 * 1024) } }
    expect((await send(long)).status).toBe(413)
  })

  it('§4.10 a revoked key ends at once', async () => {
    const { key, stored } = await createKey(service.app.context({ kind: 'operator' }), {
      name: 'Agent',
      role: 'contributor',
      ai: true,
    })
    expect((await send(PING, {}, key)).status).toBe(200)
    await revokeKey(service.app.context({ kind: 'operator' }), stored.id)
    expect((await send(PING, {}, key)).status).toBe(401)
  })

  it('§4.10 admins see which calls were made, and nothing that was said', async () => {
    const call = agentOf(() => service.address, 'key-contributor')
    await agentOf(() => service.address)('describe_site')
    const { data } = await call('write_draft', { type: 'article', values: { title: 'A secret plan' } })
    await call('read', { id: 'a secret plan' })
    const { body } = await service.admin.get('@cms/agent-calls', 'perPage=2')
    expect(body.results).toMatchObject([
      { tool: 'read', result: 'notfound', document: null, key: 'contributor key' },
      { tool: 'write_draft', result: 'ok', document: data._id, key: 'contributor key' },
    ])
    // The title is the one that the document has now.
    const told = body.results.map(({ documentTitle: _, ...call }: { documentTitle: string }) => call)
    expect(JSON.stringify(told)).not.toContain('secret')
    expect(JSON.stringify(await rowsOf(service.databaseUrl, ['select * from agent_calls']))).not.toContain('secret')
    const [failed, last] = body.results
    expect(body.next).toBe(last._id)
    expect(last).toMatchObject({ documentType: 'article', documentTitle: 'A secret plan', locale: 'en' })
    const { results: others, next } = (await service.admin.get('@cms/agent-calls', 'failed=true&perPage=1')).body
    expect([others.map(({ _id }: { _id: string }) => _id), next]).toEqual([[failed._id], null])
    const ofKey = (keyId: string) => service.admin.get('@cms/agent-calls', `keyId=${keyId}&perPage=500`)
    expect((await ofKey(last.keyId)).body.results.map(({ key }: { key: string }) => key)).toContain('contributor key')
    expect((await ofKey(last.keyId)).body.results.map(({ key }: { key: string }) => key)).not.toContain('AI key')
    expect((await ofKey('nobody')).body).toEqual({ results: [], next: null })
    const older = (await service.admin.get('@cms/agent-calls', `before=${last._id}`)).body.results
    expect(older.map(({ _id }: { _id: string }) => _id)).not.toContain(last._id)
    expect((await service.editor.get('@cms/agent-calls')).status).toBe(403)
    expect((await service.anonymous.get('@cms/agent-calls')).status).toBe(401)
    expect((await service.admin.get('@cms/agent-calls', 'before=1')).status).toBe(400)
    await service.app.store.transaction(({ agentCalls }) => agentCalls.prune(Date.now() + 1))
    expect((await service.admin.get('@cms/agent-calls')).body.results).toEqual([])
  })
})

const MODERN = { 'mcp-protocol-version': '2026-07-28' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

const book = piece('book', { fields: { add: { note: { type: 'string' } } } })
const prompts = [
  {
    name: 'shorten',
    title: 'Shorten',
    arguments: [{ name: 'id', required: true }],
    text: 'Shorten {id} to {words} words.',
  },
]
const small = defineSite({
  name: 'Small',
  types: [book],
  baseUrl: 'https://books.example.org',
  mcp: { prompts, limits: { calls: 3, characters: 300 } },
})

describeService('§4.10 agents of a site', { site: small }, (service) => {
  const send = (method: string, params: object = {}, more: object = {}) => {
    return mcp(service.address, 'key-ai', { jsonrpc: '2.0', id: 1, method, params }, more)
  }

  it('§4.10 the prompts of the site are offered', async () => {
    const { body } = await send('prompts/list')
    expect(body.result.prompts).toEqual([
      { name: 'shorten', title: 'Shorten', arguments: [{ name: 'id', required: true }] },
    ])
    const filled = await send('prompts/get', { name: 'shorten', arguments: { id: 'k3x', words: '9' } })
    expect(filled.body.result.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Shorten k3x to {words} words.' } },
    ])
    expect((await send('prompts/get', { name: 'shorten' })).body.error.message).toContain('id')
    expect((await send('prompts/get', { name: 'other' })).body.error.message).toContain('other')
  })

  it('§4.10 a key has so many calls and characters in a minute', async () => {
    const call = agentOf(() => service.address, 'key-ai')
    expect((await call('find')).isError).toBe(false)
    const long = await call('write_draft', { type: 'book', values: { title: 'x'.repeat(400) } })
    expect([long.data.name, typeof long.data.retryAfter]).toEqual(['toomany', 'number'])
    expect((await call('find')).isError).toBe(false)
    expect((await call('find')).isError).toBe(false)
    expect((await call('find')).data).toMatchObject({ name: 'toomany', message: expect.stringContaining('seconds') })
    expect((await agentOf(() => service.address, 'key-editor')('find')).isError).toBe(false)
  })

  it('§4.10 other hosts are refused', async () => {
    const statusAt = (host: string) =>
      new Promise((resolve, reject) => {
        const headers = { host, authorization: 'Bearer key-ai', 'content-type': 'application/json' }
        const sent = request(`${service.address}/api/v1/mcp`, { method: 'POST', headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.on('error', reject).end(JSON.stringify(PING))
      })
    const hosts = ['books.example.org', 'localhost', '127.0.0.1:3000', 'evil.example', 'books.example.org.evil.example']
    expect(await Promise.all(hosts.map(statusAt))).toEqual([200, 200, 200, 403, 403])
  })
})

describeService(
  '§4.10 a site that is closed to agents',
  { site: defineSite({ types: [book], mcp: false }) },
  (service) => {
    it('§4.10 has no address for them', async () => {
      const { status } = await mcp(service.address, 'key-ai', PING)
      expect(status).toBe(404)
      expect((await service.admin.get('@cms/agent-calls')).status).toBe(404)
    })
  },
)
