import { audienceOf, isAnonymous, refusal, type Viewer } from '../../engine/permissions.ts'
import { JoinedBytes, SharedBytes } from '../../engine/shared-bytes.ts'
import { editingSchema } from '../../http/openapi/editing-schemas.ts'
import { Reply, type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { describeCaller, describeSchema } from './describe-schema.ts'

/** The types, widgets and fields that the caller may know of, and the actions that are allowed (§5.11). */
export const schema: Feature = { name: 'schema', routes: schemaRoutes }

function schemaRoutes(site: Site): readonly Route[] {
  const kept = new Map<string, SharedBytes>()
  return [
    route({
      method: 'GET',
      path: `/api/v1/${site.namespace}/schema`,
      summary: 'What there is to edit, and what the caller may do with it',
      description:
        'The types, widgets and fields that the caller may know of, with all that a form needs; what they may not do comes with the reason. It changes with the declaration of the site and the rights of the caller only: ask again with its ETag.',
      tag: 'service',
      operationId: 'service.schema',
      ignoresLocale: true,
      isRevalidated: true,
      isFor: (actor) => !isAnonymous(actor),
      answer: editingSchema,
      handle: async (ctx) => answerSchema(ctx, kept),
    }),
  ]
}

/** Made once for all callers of an audience, who differ in nothing but who they are. */
function answerSchema({ site, actor }: Viewer, kept: Map<string, SharedBytes>): Reply {
  const caller = describeCaller({ site, actor })
  if (caller === null) throw refusal(actor)
  const audience = audienceOf(actor)
  const rest = kept.get(audience) ?? new SharedBytes(JSON.stringify(describeSchema({ site, actor })).slice(1))
  kept.set(audience, rest)
  return new Reply(new JoinedBytes([`{"caller":${JSON.stringify(caller)},`, rest]))
}
