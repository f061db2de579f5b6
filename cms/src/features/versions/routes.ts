import type { Context } from '../../engine/context.ts'
import { type Actor, isAnonymous, refusal } from '../../engine/permissions.ts'
import { editableTypes } from '../../engine/versions/editable.ts'
import { type Route, route } from '../../http/route.ts'
import type { Site } from '../../model/types.ts'
import { listVersionChanges } from './changes.ts'
import { listVersions } from './list.ts'
import {
  againstParameter,
  consolidateChanges,
  consolidateParameter,
  docIdParameter,
  listParameters,
} from './parameters.ts'
import { versionChanges, versionList, versionWithDocument } from './schemas.ts'
import { readVersion } from './single.ts'

/** The routes of document versions (§4.4). Who may not edit a document is told that it has no versions. */
export function versionRoutes(site: Site): readonly Route[] {
  const path = `/api/v1/${site.namespace}/document-versions`
  const one = `${path}/:versionId`
  const common = {
    tag: 'document-versions',
    isFor: (actor: Actor) => editableTypes({ site, actor }).length > 0,
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'The versions of a document, newest first',
      operationId: 'document-versions.list',
      query: [docIdParameter, consolidateParameter, ...listParameters],
      answer: versionList,
      handle: known(listVersions),
    }),
    route({
      ...common,
      method: 'GET',
      path: one,
      summary: 'One version with its document',
      operationId: 'document-versions.read',
      answer: versionWithDocument,
      handle: known(readVersion),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${one}/changes`,
      summary: 'What a version has changed',
      description: 'The changes between the version and the one before it, field by field, at any depth.',
      operationId: 'document-versions.changes',
      query: [consolidateChanges, againstParameter],
      answer: versionChanges,
      handle: known(listVersionChanges),
    }),
  ]
}

/** Refuses anonymous callers before anything else. */
function known(handle: Route['handle']): Route['handle'] {
  return async (ctx, request) => {
    assertKnown(ctx)
    return handle(ctx, request)
  }
}

function assertKnown({ actor }: Context): void {
  if (isAnonymous(actor)) throw refusal(actor)
}
