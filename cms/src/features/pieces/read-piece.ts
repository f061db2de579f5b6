import { notFound } from '../../base/errors.ts'
import { late } from '../../base/late.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import type { Context } from '../../engine/context.ts'
import { locate } from '../../engine/locate.ts'
import { assertMay, isAnonymous, type ReadAccess, readAccess } from '../../engine/permissions.ts'
import { Fragments, stateOf } from '../../engine/presentation/fragments.ts'
import { present } from '../../engine/presentation/present.ts'
import type { Projection } from '../../engine/presentation/projection.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { addStylesheets, answerTag } from '../../engine/styles/stylesheet.ts'
import { rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import { type QueryValues, Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document, DocumentId } from '../../model/terms/document.ts'
import type { ReadDocument } from '../../store/contract/store.ts'
import { projectOf, readArchived } from './list-request.ts'

const addSchedules = late(() => import('../../engine/presentation/add-schedules.ts'), 'addSchedules')
const locatedIn = late(() => import('../../engine/operations/document-locales.ts'), 'locatedIn')
const compareLocale = late(() => import('../../engine/versions/compare.ts'), 'compareLocale')
const renderAreas = late(() => import('../../engine/rendering/open-scene.ts'), 'renderAreas')

/** Reads one piece (§4.1 GET single). One that the caller may not read is `notfound`, as if it did not exist. */
export async function readPiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const { query } = request
  const compared = textParameter(query, 'compare')
  if (compared !== undefined) assertMay(ctx.actor, 'editDraft', type)
  const asked = askedPiece(ctx, type, request)
  // A schedule is not content: no commit announces a change of it, so what shows it is made anew.
  const isScheduled = type.scheduling && asked.id.mode === 'draft'
  const isOpened = compared !== undefined || rendersAreas(query)
  if (isOpened || isScheduled) return readOpened(ctx, asked, query, compared)
  const { tag, text } = await fragmentOf(ctx, asked, projectOf(ctx, type, asked.access, query))
  return new Reply(new JoinedBytes([text]), tag === null ? {} : { ETag: tag })
}

/** With its areas rendered, its schedule, or compared with another locale. */
async function readOpened(
  ctx: Context,
  asked: AskedPiece,
  query: QueryValues,
  compared: string | undefined,
): Promise<Reply> {
  const { type, access } = asked
  const { document } = await readablePiece(ctx, asked)
  const isRendered = rendersAreas(query)
  const project = projectOf(ctx, type, access, query)
  const [answer = {}] = await present(ctx, [document], { type, access, project, isRendered })
  await addStylesheets(ctx, type, [document], [answer], project)
  if (type.scheduling) await addSchedules(ctx, [document], [answer], { type, access, project })
  if (isRendered) await renderAreas(ctx, [answer])
  const tag = await pieceTag(ctx, type, access, document)
  const reply = new Reply(answer, tag === null ? {} : { ETag: tag })
  if (compared === undefined) return reply
  return reply.with({ _compared: await compareLocale(ctx, document, compared) })
}

/** The locales that a piece is in (§4.5), for those who may read it in the one that is asked. */
export async function readPieceLocales(ctx: Context, type: Type, request: RouteRequest): Promise<object> {
  const { document } = await readablePiece(ctx, askedPiece(ctx, type, request))
  return locatedIn(ctx, document.id)
}

/** Which piece is asked for, and what of its type the caller may see. */
interface AskedPiece {
  readonly type: Type
  readonly id: DocumentId
  readonly access: ReadAccess
  readonly archived: boolean | 'any'
}

function askedPiece(ctx: Context, type: Type, { params, query }: RouteRequest): AskedPiece {
  assertMayRead(ctx, type)
  const id = locate(ctx, type, params._id ?? '')
  if (type.localized && id.mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  const access = readAccess(ctx.actor, type)
  if (!access) throw notFound()
  return { type, id, access, archived: readArchived(ctx, type, query) }
}

async function fragmentOf(ctx: Context, asked: AskedPiece, project: Projection | null): Promise<Fragment> {
  const fragments = pieceFragments(ctx, asked.type, asked.access, project)
  const cached = fragments.byId(asked.id)
  if (cached === undefined) return fragments.one(await readablePiece(ctx, asked))
  assertShown(asked, cached)
  return cached
}

async function readablePiece(ctx: Context, asked: AskedPiece): Promise<ReadDocument> {
  const found = await ctx.store.documents.read(asked.id)
  if (found === null || found.document.type !== asked.type.name) throw notFound()
  assertShown(asked, stateOf(found.document))
  return found
}

function assertShown({ archived, access }: AskedPiece, piece: Pick<Fragment, 'isArchived' | 'visibility'>): void {
  if (archived !== 'any' && archived !== piece.isArchived) throw notFound()
  if (access.visibility !== null && access.visibility !== piece.visibility) throw notFound()
}

/** Pieces of a type as JSON text for the caller. */
export function pieceFragments(ctx: Context, type: Type, access: ReadAccess, project: Projection | null): Fragments {
  return new Fragments(ctx, {
    name: type.name,
    project,
    present: async (document, part) => {
      const answers = await present(ctx, [document], { type, access, project, ...part })
      await addStylesheets(ctx, type, [document], answers, project)
      return answers[0] ?? {}
    },
    tagOf: (document) => pieceTag(ctx, type, access, document),
  })
}

/**
 * The entity tag of an answer with one piece; null for those who do not see all of it, and so nothing of its revisions.
 */
export async function pieceTag(
  ctx: Context,
  type: Type,
  access: ReadAccess,
  document: Document,
): Promise<string | null> {
  return isAnonymous(ctx.actor) || access.fields !== 'full' ? null : answerTag(ctx, type, document)
}
