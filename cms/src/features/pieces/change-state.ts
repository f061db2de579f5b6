import type { Context, WriteContext } from '../../engine/context.ts'
import { localize, readLocalization } from '../../engine/documents/localize.ts'
import { publish, revertDraft, unpublish } from '../../engine/documents/publish.ts'
import { update } from '../../engine/documents/update.ts'
import { write } from '../../engine/write.ts'
import type { Reply } from '../../http/route.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { StateChange } from './bulk.ts'
import { copyToChange } from './permit.ts'
import { presentWritten } from './present.ts'

type Body = { readonly [name: string]: unknown }

/** The state changes of a piece (§4.1 publish, §3), by the last step of their path. */
export const stateChanges = {
  publish: { action: 'publish', prepare: () => (ctx, type, id) => publish(ctx, { type, ...id }) },
  unpublish: { action: 'publish', prepare: () => (ctx, type, id) => unpublish(ctx, { type, ...id }) },
  'revert-draft-to-published': {
    action: 'editDraft',
    prepare: () => (ctx, type, id) => revertDraft(ctx, { type, ...id }),
  },
  archive: { action: 'archive', prepare: () => (ctx, type, id) => setArchived(ctx, type, id, true) },
  restore: { action: 'archive', prepare: () => (ctx, type, id) => setArchived(ctx, type, id, false) },
  localize: {
    action: 'editDraft',
    isPerLocale: true,
    prepare: (site, body) => {
      const localization = readLocalization(site, body.toLocale, body.update)
      return async (ctx, type, id) => (await localize(ctx, type, id, localization)).document
    },
  },
} as const satisfies Record<string, StateChange>

/** Changes the state of one piece, and answers it as it is now. */
export async function changeState(
  ctx: Context,
  type: Type,
  change: StateChange,
  idText: string,
  body: Body,
): Promise<Reply> {
  const id = copyToChange(ctx, type, change.action, idText)
  const work = change.prepare(ctx.site, body)
  return presentWritten(ctx, type, await write(ctx, (ctx) => work(ctx, type, id)))
}

/** Either mode archives both copies; a piece that is in one mode only is archived there. */
async function setArchived(ctx: WriteContext, type: Type, id: DocumentId, archived: boolean): Promise<Document> {
  const copies = await ctx.tx.documents.copies(id.docId, id.locale)
  const mode = copies[id.mode] === null && copies.draft !== null ? 'draft' : id.mode
  return (await update(ctx, { type, id: { ...id, mode }, ifMatch: null, copies }, { archived })).document
}
