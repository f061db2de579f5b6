import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { sampledDatabases } from './databases.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { type OpenApi, type Parameter, parametersOf } from './openapi-parameters.ts'
import { sample, some } from './sample.ts'
import { describeService } from './service.ts'
import { send, type WireRequest, wrongWith } from './wire.ts'

/** How much longer than ordinary work a request may take, and how much more may be held when all are answered. */
const MOST_TIMES_THE_WORK = 25
const MOST_TIMES_THE_MEMORY = 2
const PLAIN = 'plain words '

/** Other types have the same routes. */
const ROUTES = /^\/api\/v1\/(article|topic|@cms\/(page|image|user|login|attachment)|openapi)/
const JSON_BODY = { 'content-type': 'application/json' }
const PAGE = { type: 'default-page', _targetId: '_home', _position: 'lastChild' }

/** All forms in which a text can be given for a parameter. */
function requestsFor(parameter: Parameter, text: string, ids: Readonly<Record<string, string>>): WireRequest[] {
  const { path: template, name } = parameter
  const method = parameter.method.toUpperCase()
  const id = ids[template.split('/')[3] ?? ''] ?? ids[template.split('/').slice(3, 5).join('/')] ?? 'none'
  const path = template.replace('{id}', id)
  const posted = (body: object): WireRequest => ({ method, path, headers: JSON_BODY, body: JSON.stringify(body) })
  if (parameter.in === 'body') {
    const base = { title: 'Hostile', ...(template.includes('page') ? PAGE : {}) }
    const values = [text, [text], { [text]: text }, { items: [{ type: '@cms/rich-text', content: `<p>${text}` }] }]
    return values.map((value) => posted({ ...base, [name]: value }))
  }
  const escaped = encodeURIComponent(text.toWellFormed())
    .slice(0, 6000)
    .replace(/%[^%]?$/, '')
  if (parameter.in === 'path') {
    return [{ method, path: template.replace(`{${name}}`, escaped), ...(method === 'GET' ? {} : posted({})) }]
  }
  const written = [
    `${name}=${escaped}`,
    `${name}[]=${escaped}&${name}[]=x`,
    `${name}[min]=${escaped}`,
    `${name}[${escaped}]=1`,
  ]
  const asked = written.map((query) => ({ ...(method === 'GET' ? { method } : posted({})), path: `${path}?${query}` }))
  if (method !== 'GET') return asked
  const many = Array.from({ length: 990 }, (_, number) => `${number}${text.slice(0, 20)}`)
  const values = [text, [text], many, { min: text, max: text }, { [text]: text }]
  const queries = values.map((value) => ({ __aposGetWithQuery: { [name]: value } }))
  return [
    ...asked,
    ...queries.map((body) => ({ method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(body) })),
  ]
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const site = referenceSite({ QUIRE_ARTICLE_PUBLIC: '1', QUIRE_PAGE_PUBLIC: '1' })

describeService(
  '§0.5 every parameter of every route',
  { site, cacheBytes: 1_000_000, timeout: 3_600_000, on: sampledDatabases('every-parameter') },
  (service) => {
    const ids: Record<string, string> = {}

    beforeAll(async () => {
      for (const { name } of service.app.site.types.values()) {
        const { status, body } = await service.admin.post(name, { title: `Plain ${name}` })
        if (status === 200) ids[name] = body.aposDocId
      }
      ids['@cms/page'] = (await service.admin.post('@cms/page', { ...PAGE, title: 'Page' })).body.aposDocId
      for (let number = 0; number < 50; number += 1) {
        await service.editor.post('article', { title: `Plain ${number}`, body: `<p>${'plain words '.repeat(50)}</p>` })
      }
    })

    const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
      const start = process.hrtime.bigint()
      await work()
      return Number(process.hrtime.bigint() - start)
    }

    /** The usual work, which a loaded machine slows as it slows everything else: its time in the middle. */
    const ordinary = async (): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 5; round += 1) {
        times.push(
          await timeOf(() => service.editor.get('article', `search=plain words&perPage=50&n=${Math.random()}`)),
        )
      }
      return times.toSorted((a, b) => a - b)[2] ?? 0
    }

    /** Sends a request, and whatever it has left to index is indexed, too. */
    const sent = async (request: WireRequest, key: string | null): Promise<string | null> => {
      const headers = { ...request.headers, ...(key === null ? {} : { authorization: `ApiKey ${key}` }) }
      const answer = await send(service.address, { ...request, headers })
      if (request.body !== undefined && answer.status === 200)
        await service.editor.get('article', 'search=plain&perPage=1')
      return wrongWith(answer, request.method)
    }

    /**
     * What is wrong with the answer to a request, or with its time when it is too long three times in a row, beside a
     * search and beside the same request with as many plain letters; null: nothing.
     */
    const faultOf = async (request: WireRequest, plain: WireRequest, key: string | null, most: number) => {
      let problem: string | null = null
      const isSlow = async () => {
        const time = await timeOf(async () => {
          problem = await sent(request, key)
        })
        return time > most && time > MOST_TIMES_THE_WORK * (await timeOf(() => sent(plain, key)))
      }
      const isAlwaysSlow = (await isSlow()) && (await isSlow()) && (await isSlow())
      return isAlwaysSlow ? `takes more than ${MOST_TIMES_THE_WORK} times as long as ordinary work` : problem
    }

    test.each(['editor', null])('takes any text from %s in order, at the cost of ordinary work', async (role) => {
      const key = role && `key-${role}`
      const { body: document } = await service.editor.get('openapi.json')
      const parameters = parametersOf(document as OpenApi).filter(({ path }) => ROUTES.test(path))
      await sent({ method: 'GET', path: '/api/v1/article' }, key)
      const rest = held()
      const wrong: string[] = []
      for (const [index, parameter] of sample(parameters, 6).entries()) {
        service.statements.length = 0
        const most = MOST_TIMES_THE_WORK * (await ordinary())
        for (const [title, text] of some(Object.entries(HOSTILE_TEXTS), 3, index)) {
          const plain = requestsFor(parameter, PLAIN.repeat(text.length / PLAIN.length + 1).slice(0, text.length), ids)
          for (const [form, request] of requestsFor(parameter, text, ids).entries()) {
            const fault = await faultOf(request, plain[form] ?? request, key, most)
            const { method, path, body = '' } = request
            if (fault) wrong.push(`${title}: ${method} ${path.slice(0, 120)} ${body.slice(0, 120)}: ${fault}`)
          }
        }
      }
      expect(wrong).toEqual([])
      expect(held() / rest).toBeLessThan(MOST_TIMES_THE_MEMORY)
    })
  },
)
