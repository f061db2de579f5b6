import { late } from '../base/late.ts'
import { roleOf } from '../engine/permissions.ts'
import type { Role } from '../model/roles.ts'
import type { SiteFacts } from './openapi.ts'
import { Reply, type Route, route } from './route.ts'

const openApiText = late(() => import('./openapi.ts'), 'openApiText')

/** `GET /api/v1/openapi.json`: these routes and itself, as far as the caller's role may know of them (§5). */
export function openApiRoute(site: SiteFacts, routes: readonly Route[]): Route {
  const byRole = new Map<Role | null, Buffer>()
  const self: Route = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The types, fields and routes that the caller may know of: with a credential it tells more.',
    tag: 'service',
    operationId: 'service.openapi',
    ignoresLocale: true,
    answer: { type: 'object' },
    cached: true,
    handle: async ({ actor }) => {
      const role = roleOf(actor)
      const bytes = byRole.get(role) ?? (await openApiText(site, [...routes, self], role))
      byRole.set(role, bytes)
      return new Reply(bytes)
    },
  })
  return self
}
