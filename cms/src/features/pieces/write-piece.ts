import { invalid, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { endedWith, Fragments } from '../../engine/answers/fragments.ts'
import { projectionOfOne } from '../../engine/answers/wanted.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { insert, insertMany } from '../../engine/operations/insert.ts'
import { readLocalization } from '../../engine/operations/localization.ts'
import { localize, localizeMany } from '../../engine/operations/localize.ts'
import { prepareCrops, preparePatch } from '../../engine/operations/prepare-crops.ts'
import { publish, revertDraft, undoPublish, unpublish } from '../../engine/operations/publish.ts'
import { whyRefused } from '../../engine/operations/refused-operations.ts'
import { remove } from '../../engine/operations/remove.ts'
import { replace, setArchived, update } from '../../engine/operations/update.ts'
import type { Projection } from '../../engine/presentation/projection.ts'
import type { DocumentRef } from '../../engine/save/copies.ts'
import { problemsAfter } from '../../engine/save/draft-problems.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { viewOf } from '../../engine/view.ts'
import { write } from '../../engine/write.ts'
import { withAiMark } from '../../http/requests/body.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import type { Document } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import { bulk, type ChangedPiece, type NamedCopy, type StateChange } from './bulk.ts'
import { copyToChange, copyToDelete, copyToEdit, copyToInsert, STATE_ACTIONS, type StateVerb } from './permit-pieces.ts'

type Body = { readonly [name: string]: unknown }

/** Makes a piece (§4.1 POST): both copies in published mode, only the draft with `aposMode=draft`. */
export async function postPiece(ctx: Context, type: Type, { body, query }: Written): Promise<Reply> {
  const { locale, mode } = copyToInsert(ctx, type)
  const project = wantedOf(ctx, type, query)
  assertNotSingleton(type)
  await prepareCrops(ctx, body)
  const document = await write(ctx, (ctx) => insert(ctx, { type, locale, mode }, body))
  return presentWritten(ctx, { document, project }, await problemsAfter(ctx, { id: document.id, body }))
}

/** Makes many pieces, all or none, and answers a list of them as their writer sees them. One that is AI-written marks all. */
export async function insertPieces(given: Context, type: Type, bodies: readonly Body[]): Promise<JoinedBytes> {
  const ctx = bodies.reduce(withAiMark, given)
  const { locale, mode } = copyToInsert(ctx, type)
  assertNotSingleton(type)
  if (viewOf(ctx.actor, type) === null) throw notFound()
  for (const body of bodies) await prepareCrops(ctx, body)
  const made = bodies.map((body) => ({ docId: newId(), body }))
  const documents = await write(ctx, (ctx) => insertMany(ctx, { type, locale, mode }, made))
  const fragments = await new Fragments(ctx, { project: null, isWritten: true }).written(documents)
  return new JoinedBytes(['[', ...fragments.flatMap(({ text }, index) => (index === 0 ? [text] : [',', text])), ']'])
}

/** Refuses to make another document of a type that has exactly one. */
function assertNotSingleton({ singleton, label }: Type): void {
  if (singleton) throw invalid(`${label} is a singleton, made at start: change it with PATCH.`)
}

/** Changes some fields of a piece (§4.1 PATCH), also by dot paths, `@id` paths and operators. */
export async function patchPiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const { params, query, body, ifMatch } = request
  const id = copyToEdit(ctx, type, params._id ?? '')
  const project = wantedOf(ctx, type, query)
  await preparePatch(ctx, id, body)
  const { document } = await write(ctx, (ctx) => update(ctx, { type, id, ifMatch }, body))
  return presentWritten(ctx, { document, project }, await problemsAfter(ctx, { id, body }))
}

/** Replaces a piece (§4.1 PUT): what the body leaves out becomes blank or its default. */
export async function putPiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const { params, query, body, ifMatch } = request
  const id = copyToEdit(ctx, type, params._id ?? '')
  const project = wantedOf(ctx, type, query)
  await prepareCrops(ctx, body)
  const { document, notRestored } = await write(ctx, (ctx) => replace(ctx, { type, id, ifMatch }, body))
  return presentWritten(ctx, { document, project }, { notRestored, ...(await problemsAfter(ctx, { id, body })) })
}

/** Removes a piece in one locale for good (§4.1 DELETE). Returns `{}`. */
export async function deletePiece(ctx: Context, type: Type, { params, ifMatch }: RouteRequest): Promise<object> {
  const id = copyToDelete(ctx, type, params._id ?? '')
  await write(ctx, (ctx) => remove(ctx, { type, id, ifMatch }))
  return {}
}

const publishing =
  (work: typeof publish) =>
  () =>
  async (ctx: WriteContext, type: Type, id: NamedCopy): Promise<ChangedPiece> => ({
    document: await work(ctx, { type, ...id }),
  })

const archiving =
  (archived: boolean) =>
  () =>
  (ctx: WriteContext, type: Type, { ifMatch, ...id }: NamedCopy): Promise<ChangedPiece> =>
    setArchived(ctx, { type, id, ifMatch }, archived)

const stateChanges: Readonly<Record<StateVerb, StateChange>> = {
  publish: { prepare: publishing(publish) },
  unpublish: { prepare: publishing(unpublish) },
  'revert-draft-to-published': { prepare: publishing(revertDraft) },
  'revert-published-to-previous': { prepare: publishing(undoPublication) },
  archive: { prepare: archiving(true) },
  restore: { prepare: archiving(false) },
  localize: {
    isPerLocale: true,
    prepare: (site, body, requested) => {
      const localization = { ...readLocalization(site, body), ...(requested && { requested }) }
      return (ctx, type, { ifMatch, ...id }) => localize(ctx, type, id, { ...localization, ifMatch })
    },
    prepareMany: (site, body, requested) => {
      const localization = { ...readLocalization(site, body), requested }
      return (ctx, type, ids) =>
        localizeMany(
          ctx,
          ids.map((id) => ({ type, id })),
          localization,
        )
    },
  },
}

interface TypedVerb {
  readonly type: Type
  readonly verb: StateVerb
}

/** Changes the state of one piece, and returns it as it is now. */
export async function changeState(
  ctx: Context,
  { type, verb }: TypedVerb,
  { params, query, body, ifMatch }: RouteRequest,
): Promise<Reply> {
  const id = copyToChange(ctx, { type, action: STATE_ACTIONS[verb] }, params._id ?? '')
  const project = wantedOf(ctx, type, query)
  const work = stateChanges[verb].prepare(ctx.site, body)
  const { document, localized } = await write(ctx, (ctx) => work(ctx, type, { ...id, ifMatch }))
  return presentWritten(ctx, { document, project }, { localized: localized?.map(DocumentId.format) })
}

/** Changes the state of many pieces (§4.1). */
export async function changeStates(
  ctx: Context,
  { type, verb }: TypedVerb,
  body: RouteRequest['body'],
): Promise<object> {
  const refusal = whyRefused(ctx.site, type, verb)
  if (refusal !== null) throw invalid(refusal)
  if (verb === 'publish' && isTrue(body, 'check')) throw invalid('check takes one document: POST …/:_id/publish.')
  return bulk(ctx, { type, change: stateChanges[verb] }, body)
}

async function undoPublication(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const { published } = await undoPublish(ctx, ref)
  if (published === null) throw notFound()
  return published
}

/** The body of a new piece, and the query that shapes its answer. */
type Written = Pick<RouteRequest, 'body'> & Partial<Pick<RouteRequest, 'query'>>

/** The projection of the answer to a write: read before anything is written. Throws `invalid`. */
export function wantedOf(ctx: Context, type: Type, query: RouteRequest['query'] = {}): Projection | null {
  const access = viewOf(ctx.actor, type)
  return access && projectionOfOne(ctx, access, query)
}

/** A document that was written, and what of it is answered. */
interface WrittenPiece {
  readonly document: Document
  readonly project: Projection | null
}

/** The answer to a write: the document as its writer sees it, and `more` about the write. */
export async function presentWritten(
  ctx: Context,
  { document, project }: WrittenPiece,
  more: object = {},
): Promise<Reply> {
  const [fragment] = await new Fragments(ctx, { project, isOpen: true, isWritten: true }).written([document])
  return Reply.tagged(endedWith(more, fragment ? [fragment.text] : []), fragment?.tag ?? null)
}
