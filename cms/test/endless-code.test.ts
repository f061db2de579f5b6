import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, expect, it, vi } from 'vitest'
import { html } from '../src/base/html.ts'
import type { Feature } from '../src/features/feature.ts'
import { route } from '../src/http/requests/typed-route.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece, widget } from '../src/model/declared/content-type.ts'
import { sampledDatabases } from './databases.ts'
import { describeService } from './service.ts'

let endless: string | null = null
let begun = Promise.withResolvers<void>()

/** Never ends while it is the one that is endless. */
function code(name: string): Promise<void> {
  if (endless !== name) return Promise.resolve()
  begun.resolve()
  return new Promise(() => {})
}

const feature: Feature = {
  name: 'endless',
  routes: () => [
    route({
      method: 'GET',
      path: '/api/v1/endless',
      tag: 'Endless',
      operationId: 'endless.read',
      summary: 'May never end.',
      answer: { type: 'object' },
      handle: async () => {
        await code('route')
        return { ended: true }
      },
    }),
  ],
  hooks: { beforeSend: () => code('beforeSend'), getLiteralContentRoutes: () => code('getLiteralContentRoutes') },
}
const counter = widget('counter', {
  data: async (_ctx, widgets) => {
    await code('widget')
    return widgets
  },
  render: () => html`<b>1</b>`,
})
const body = { type: 'area', widgets: { counter: {} } } as const
const leaf = page('leaf', { data: () => code('page'), render: () => html`<p>leaf</p>` })
const site = defineSite({
  static: true,
  types: [piece('thing', { fields: { add: { body } }, publicApiProjection: ['title', 'body'] }), leaf],
  widgets: [counter],
  features: [feature],
})

describeService(
  "§6 a site's own code that never ends",
  { site, on: sampledDatabases('endless code'), frontKey: 'front-key' },
  (service) => {
    afterEach(() => {
      vi.useRealTimers()
      endless = null
      begun = Promise.withResolvers()
      service.logged.splice(0)
    })

    const front = {
      'x-requested-with': 'AposExternalFront',
      'apos-external-front-key': 'front-key',
    }
    const visit = (path: string, headers = {}) => fetch(`${service.address}${path}`, { headers })

    it.each([
      ['widget', '/api/v1/thing?render-areas=1'],
      ['page', '/leaf'],
      // An address of its own: the answer to the one before may be cached.
      ['beforeSend', '/leaf?again'],
      ['getLiteralContentRoutes', '/api/v1/@cms/url/literal-routes'],
      ['route', '/api/v1/endless'],
    ])('%s: the request ends after a minute, and the next ones are answered', async (name, path) => {
      if ((await service.anonymous.get('thing')).body.total === 0) {
        await service.editor.post('thing', { title: 'A', body: { items: [{ type: 'counter' }] } })
        await service.editor.post('@cms/page', {
          type: 'leaf',
          title: 'Leaf',
          _targetId: '_home',
          _position: 'lastChild',
        })
      }
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      endless = name
      const waiting = visit(path, name === 'getLiteralContentRoutes' ? front : {})
      await Promise.race([begun.promise, waiting])
      await pause(20)
      vi.advanceTimersByTime(61_000)
      expect((await waiting).status).toBe(500)
      vi.useRealTimers()
      endless = null
      expect((await visit(path, name === 'getLiteralContentRoutes' ? front : {})).status).toBe(200)
      expect(inspect(service.logged, { depth: 5 })).toContain('not ended within a minute')
    })
  },
)
