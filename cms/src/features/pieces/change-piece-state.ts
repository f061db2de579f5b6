import { notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { readLocalization } from '../../engine/operations/localization.ts'
import { localize, localizeMany } from '../../engine/operations/localize.ts'
import { publish, revertDraft, unpublish } from '../../engine/operations/publish.ts'
import { undoPublish } from '../../engine/operations/undo-publish.ts'
import { update } from '../../engine/operations/update.ts'
import { assertMay } from '../../engine/permissions.ts'
import type { DocumentRef } from '../../engine/save/document-ref.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, DocumentId } from '../../model/terms/document.ts'
import { bulk, type ChangedPiece, type NamedCopy, type StateChange } from './bulk.ts'
import { copyToChange } from './permit-pieces.ts'
import { STATE_ACTIONS, type StateVerb } from './piece-state-actions.ts'
import { presentWritten } from './present-piece.ts'

const publishing =
  (work: typeof publish) =>
  () =>
  async (ctx: WriteContext, type: Type, id: NamedCopy): Promise<ChangedPiece> => ({
    document: await work(ctx, { type, ...id }),
  })

const archiving = (archived: boolean) => () => (ctx: WriteContext, type: Type, id: NamedCopy) => {
  return setArchived(ctx, type, id, archived)
}

const stateChanges: Readonly<Record<StateVerb, StateChange>> = {
  publish: { prepare: publishing(publish) },
  unpublish: { prepare: publishing(unpublish) },
  'revert-draft-to-published': { prepare: publishing(revertDraft) },
  'revert-published-to-previous': { prepare: publishing(undoPublication) },
  archive: { prepare: archiving(true) },
  restore: { prepare: archiving(false) },
  localize: {
    isPerLocale: true,
    prepare: (site, body, asked) => {
      const localization = { ...readLocalization(site, body), ...(asked && { asked }) }
      return (ctx, type, { ifMatch, ...id }) => localize(ctx, type, id, { ...localization, ifMatch })
    },
    prepareMany: (site, body, asked) => {
      const localization = { ...readLocalization(site, body), asked }
      return (ctx, type, ids) =>
        localizeMany(
          ctx,
          ids.map((id) => ({ type, id })),
          localization,
        )
    },
  },
}

/** Changes the state of one piece, and returns it as it is now. */
export async function changeState(
  ctx: Context,
  type: Type,
  verb: StateVerb,
  { params, body, ifMatch }: RouteRequest,
): Promise<Reply> {
  const id = copyToChange(ctx, type, STATE_ACTIONS[verb], params._id ?? '')
  const work = stateChanges[verb].prepare(ctx.site, body)
  const { document, localized } = await write(ctx, (ctx) => work(ctx, type, { ...id, ifMatch }))
  const reply = await presentWritten(ctx, type, document)
  return localized ? reply.with({ localized: localized.map(DocumentId.format) }) : reply
}

/** Changes the state of many pieces (§4.1). */
export async function changeStates(
  ctx: Context,
  type: Type,
  verb: StateVerb,
  body: RouteRequest['body'],
): Promise<object> {
  assertMay(ctx.actor, STATE_ACTIONS[verb], type)
  return bulk(ctx, type, stateChanges[verb], body)
}

async function undoPublication(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const { published } = await undoPublish(ctx, ref)
  if (published === null) throw notFound()
  return published
}

/** Either mode archives both copies; a piece that is in one mode only is archived there. */
async function setArchived(
  ctx: WriteContext,
  type: Type,
  { ifMatch, ...id }: NamedCopy,
  archived: boolean,
): Promise<ChangedPiece> {
  const copies = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  const mode = copies[id.mode] === null && copies.draft !== null ? 'draft' : id.mode
  return update(ctx, { type, id: { ...id, mode }, ifMatch, copies }, { archived })
}
