import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { type Actor, isAnonymous, refusal } from '../../engine/permissions.ts'
import { editableTypes } from '../../engine/versions/editable.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import { listVersionChanges } from './list-changes.ts'
import { labelVersion, listRecentChanges, listVersions } from './list-versions.ts'
import { readVersion } from './single.ts'
import {
  againstParameter,
  annotateParameter,
  consolidateChanges,
  consolidateParameter,
  docIdParameter,
  listParameters,
  typeParameter,
} from './version-parameters.ts'
import {
  labelBody,
  recentVersions,
  versionChanges,
  versionList,
  versionRecord,
  versionWithDocument,
} from './version-schemas.ts'

/** The routes of document versions (§4.4). For callers who may not edit a document, it has no versions. */
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
      isLong: (query) => flag(query, 'consolidate'),
      answer: versionList,
      handle: known(listVersions),
    }),
    route({
      ...common,
      method: 'GET',
      path: one,
      summary: 'One version with its document',
      operationId: 'document-versions.read',
      isLong: (query) => flag(query, 'annotate'),
      query: [annotateParameter, consolidateChanges],
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
      isLong: () => true,
      query: [consolidateChanges, againstParameter],
      answer: versionChanges,
      handle: known(listVersionChanges),
    }),
    route({
      ...common,
      method: 'PATCH',
      path: one,
      summary: 'Name a version',
      description: 'A version with a label is never pruned.',
      operationId: 'document-versions.label',
      body: labelBody,
      answer: versionRecord,
      permit: assertMayEditSome,
      handle: labelVersion,
    }),
    route({
      ...common,
      method: 'GET',
      path: `/api/v1/${site.namespace}/recent-changes`,
      summary: 'The newest versions of all documents',
      description: 'Those that the caller may edit, paged as the versions of one document are.',
      operationId: 'document-versions.recent',
      query: [...listParameters, typeParameter],
      answer: recentVersions,
      handle: known(listRecentChanges),
    }),
  ]
}

/** Asks who the caller is before anything else. */
function known(handle: Route['handle']): Route['handle'] {
  return async (ctx, request) => {
    assertMayEditSome(ctx)
    return handle(ctx, request)
  }
}

/** Anonymous callers are `unauthorized`; to all others what they may not edit is not found. */
function assertMayEditSome(ctx: Context): void {
  if (isAnonymous(ctx.actor)) throw refusal(ctx.actor)
  if (editableTypes(ctx).length === 0) throw notFound()
}
