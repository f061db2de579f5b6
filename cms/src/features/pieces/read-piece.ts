import { notFound } from '../../base/errors.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import { type AnswerForm, endedWith, Fragments } from '../../engine/answers/fragments.ts'
import { projectionOfOne } from '../../engine/answers/wanted.ts'
import type { Context } from '../../engine/context.ts'
import { locatedIn } from '../../engine/lists/document-locales.ts'
import { locate } from '../../engine/locate.ts'
import { assertMay, assertMayRead, may } from '../../engine/permissions.ts'
import { assertIsDraft, draftProblems } from '../../engine/save/draft-problems.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { compareLocale } from '../../engine/versions/changes-of.ts'
import { type TypeView, viewOf } from '../../engine/view.ts'
import { archivedParameter, flag, rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { stateOf } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import type { ReadDocument } from '../../store/contract/store.ts'

/** Reads one piece (§4.1 GET single). One that the caller may not read is `notfound`, as if it did not exist. */
export async function readPiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const { query } = request
  const more = { compared: textParameter(query, 'compare'), hasProblems: flag(query, 'problems') }
  const isForEditors = more.compared !== undefined || more.hasProblems
  if (isForEditors) assertMay(ctx.actor, 'editDraft', type)
  const piece = requestedPiece(ctx, type, request)
  if (more.hasProblems) assertIsDraft(piece.id)
  const form = { project: projectionOfOne(ctx, piece.access, query), isRendered: rendersAreas(query) }
  if (isForEditors) return readForEditors(ctx, piece, { ...form, ...more })
  const fragments = new Fragments(ctx, form)
  const cached = fragments.byId(type.name, piece.id)
  if (cached !== undefined) assertShown(piece, cached)
  const { tag, text } = cached ?? (await fragments.one(await readablePiece(ctx, piece)))
  return Reply.tagged(new JoinedBytes([text]), tag)
}

/** Parts of the answer that callers who may edit can ask for. */
interface ForEditors extends AnswerForm {
  readonly compared: string | undefined
  readonly hasProblems: boolean
}

async function readForEditors(
  ctx: Context,
  piece: RequestedPiece,
  { compared, hasProblems, ...form }: ForEditors,
): Promise<Reply> {
  const read = await readablePiece(ctx, piece)
  const { tag, text } = await new Fragments(ctx, { ...form, isOpen: true }).one(read)
  const more = {
    ...(compared !== undefined && { _compared: await compareLocale(ctx, read.document, compared) }),
    ...(hasProblems && (await draftProblems(ctx, piece.id))),
  }
  return Reply.tagged(endedWith(more, [text]), tag)
}

/** The locales that a piece is in (§4.5), for those who may read it in the requested one. */
export async function readPieceLocales(ctx: Context, type: Type, request: RouteRequest): Promise<object> {
  const { document } = await readablePiece(ctx, requestedPiece(ctx, type, request))
  return locatedIn(ctx, document.id)
}

/** The piece that a request names, and what of its type the caller may see. */
interface RequestedPiece {
  readonly type: Type
  readonly id: DocumentId
  readonly access: TypeView
  readonly archived: boolean | 'any'
}

function requestedPiece(ctx: Context, type: Type, { params, query }: RouteRequest): RequestedPiece {
  assertMayRead(ctx, type)
  const id = locate(ctx, type, params._id ?? '')
  if (type.localized && id.mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  const access = viewOf(ctx.actor, type)
  if (!access) throw notFound()
  // For callers who may edit; ignored from all others.
  const archived = query.archived !== undefined && may(ctx.actor, 'editDraft', type) && archivedParameter(query)
  return { type, id, access, archived }
}

async function readablePiece(ctx: Context, piece: RequestedPiece): Promise<ReadDocument> {
  const found = await ctx.store.documents.read(piece.id)
  if (found === null || found.document.type !== piece.type.name) throw notFound()
  assertShown(piece, stateOf(found.document))
  return found
}

function assertShown({ archived, access }: RequestedPiece, state: Pick<Fragment, 'isArchived' | 'visibility'>): void {
  if (archived !== 'any' && archived !== state.isArchived) throw notFound()
  if (!access.includes(state.visibility)) throw notFound()
}
