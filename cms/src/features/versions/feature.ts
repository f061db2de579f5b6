import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { type Actor, assertNotAnonymous } from '../../engine/permissions.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { editableTypes } from '../../engine/versions/editable.ts'
import { packVersions, pruneVersions } from '../../engine/versions/tidy-versions.ts'
import { changesAnswer } from '../../http/openapi/change-schemas.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { type Route, route } from '../../http/requests/route.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { listAiMarks } from './list-ai-marks.ts'
import { listVersionChanges } from './list-changes.ts'
import { labelVersion, listRecentChanges, listVersions } from './list-versions.ts'
import { readVersion } from './single.ts'
import { aiMarksQuery, changesQuery, listQuery, readQuery, recentQuery, versionIdSchema } from './version-parameters.ts'
import {
  aiMarkList,
  labelBody,
  recentVersions,
  versionList,
  versionRecord,
  versionWithDocument,
} from './version-schemas.ts'

/** The history of documents, for those who may edit them (§4.4). */
export const versions: Feature = {
  name: 'versions',
  routes: versionRoutes,
  jobs: ({ keptVersions }) => (keptVersions === null ? [DAILY_PACKING] : [DAILY_PRUNING, DAILY_PACKING]),
}

/** Compresses the versions of the day (§2.4). */
export const DAILY_PACKING: Job = {
  name: 'version packing',
  schedule: DAILY,
  run: pack,
}

async function pack(ctx: Context, signal: AbortSignal): Promise<void> {
  const packed = await packVersions(ctx, signal)
  if (packed > 0) ctx.log.info({ packed }, 'Versions were compressed.')
}

/** Prunes versions (§4.4), where the site says which are kept. */
export const DAILY_PRUNING: Job = {
  name: 'version pruning',
  schedule: DAILY,
  run: prune,
}

async function prune(ctx: Context, signal: AbortSignal): Promise<void> {
  const { keptVersions } = ctx.site
  if (keptVersions === null) return
  const removed = await pruneVersions(ctx, keptVersions, { signal })
  if (removed > 0) ctx.log.info({ removed }, 'Old versions were pruned.')
}

/** The routes of document versions (§4.4). For callers who may not edit a document, it has no versions. */
function versionRoutes(site: Site): readonly Route[] {
  const path = `/api/v1/${site.namespace}/document-versions`
  const one = `${path}/:versionId`
  const common = {
    tag: 'document-versions',
    isFor: (actor: Actor) => editableTypes({ site, actor }).length > 0,
    permit: assertMayEditSome,
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'The versions of a document, newest first',
      operationId: 'document-versions.list',
      query: listQuery,
      isLong: (query) => flag(query, 'consolidate'),
      answer: versionList,
      handle: listVersions,
    }),
    route({
      ...common,
      method: 'GET',
      path: one,
      params: { versionId: versionIdSchema },
      summary: 'One version with its document',
      operationId: 'document-versions.read',
      isLong: (query) => flag(query, 'annotate'),
      cached: true,
      query: readQuery,
      answer: versionWithDocument,
      handle: readVersion,
    }),
    route({
      ...common,
      method: 'GET',
      path: `${one}/changes`,
      params: { versionId: versionIdSchema },
      summary: 'What a version has changed',
      description: 'The changes between the version and the one before it, field by field, at any depth.',
      operationId: 'document-versions.changes',
      isLong: () => true,
      cached: true,
      query: changesQuery,
      answer: changesAnswer,
      handle: listVersionChanges,
    }),
    route({
      ...common,
      method: 'PATCH',
      path: one,
      params: { versionId: versionIdSchema },
      summary: 'Name a version',
      description: 'A version with a label is never pruned.',
      operationId: 'document-versions.label',
      body: labelBody,
      answer: versionRecord,
      handle: labelVersion,
    }),
    route({
      ...common,
      method: 'GET',
      path: `/api/v1/${site.namespace}/recent-changes`,
      summary: 'The newest versions of all documents',
      description: 'Those that the caller may edit, paged as the versions of one document are.',
      operationId: 'document-versions.recent',
      query: recentQuery,
      answer: recentVersions,
      handle: listRecentChanges,
    }),
    route({
      ...common,
      method: 'GET',
      path: `/api/v1/${site.namespace}/ai-marks`,
      summary: 'Which documents AI has written in',
      description: 'Of these documents, those in which AI has written since a person published them last.',
      operationId: 'document-versions.ai-marks',
      cached: true,
      query: aiMarksQuery,
      answer: aiMarkList,
      handle: listAiMarks,
    }),
  ]
}

/** Anonymous callers are `unauthorized`; to all others what they may not edit is not found. */
function assertMayEditSome(ctx: Context): void {
  assertNotAnonymous(ctx)
  if (editableTypes(ctx).length === 0) throw notFound()
}
