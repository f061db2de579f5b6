import { notFound } from '../../base/errors.ts'
import { late } from '../../base/late.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { locatedIn } from '../../engine/documents/locales.ts'
import { locate } from '../../engine/locate.ts'
import { assertMay, isAnonymous, type ReadAccess, readAccess } from '../../engine/permissions.ts'
import { present } from '../../engine/presentation/present.ts'
import { addStylesheets, answerTag } from '../../engine/styles/stylesheet.ts'
import { flag, textParameter } from '../../http/input.ts'
import { Reply, type RouteRequest } from '../../http/route.ts'
import type { Document } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import { projectOf, readArchived } from './list-request.ts'

const compareLocale = late(() => import('../../engine/versions/compare.ts'), 'compareLocale')
const renderAreas = late(() => import('../../engine/rendering/open-scene.ts'), 'renderAreas')

/** Reads one piece (§4.1 GET single). One that the caller may not read is `notfound`, as if it did not exist. */
export async function readPiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const { query } = request
  const compared = textParameter(query, 'compare')
  if (compared !== undefined) assertMay(ctx.actor, 'editDraft', type)
  const { document, access } = await readablePiece(ctx, type, request)
  const isDrawn = flag(query, 'render-areas')
  const project = projectOf(ctx, type, access, query)
  const [answer] = await present(ctx, [document], { type, access, project, isDrawn })
  if (answer) await addStylesheets(ctx, type, [document], [answer], project)
  if (answer && isDrawn) await renderAreas(ctx, [answer])
  const reply = new Reply(
    answer,
    !isAnonymous(ctx.actor) && access.fields === 'full' ? { ETag: await answerTag(ctx, type, document) } : {},
  )
  if (compared === undefined) return reply
  return reply.with({ _compared: await compareLocale(ctx, document, compared) })
}

/** The locales that a piece is in (§4.5), for those who may read it in the one that is asked. */
export async function readPieceLocales(ctx: Context, type: Type, request: RouteRequest): Promise<object> {
  const { document } = await readablePiece(ctx, type, request)
  return locatedIn(ctx, document.id)
}

interface ReadablePiece {
  readonly document: Document
  readonly access: ReadAccess
}

async function readablePiece(ctx: Context, type: Type, { params, query }: RouteRequest): Promise<ReadablePiece> {
  assertMayRead(ctx, type)
  const id = locate(ctx, type, params._id ?? '')
  if (type.localized && id.mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  const access = readAccess(ctx.actor, type)
  const document = access && (await ctx.store.documents.get(id))
  if (!access || document?.type !== type.name) throw notFound()
  const archived = readArchived(ctx, type, query)
  const isArchived = document.fields.archived === true
  if (archived !== 'any' && archived !== isArchived) throw notFound()
  if (access.visibility !== null && document.fields.visibility !== access.visibility) throw notFound()
  return { document, access }
}
