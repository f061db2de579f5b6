import { CmsError, invalid, invalidFields, invalidValue, notFound, type Problem } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { type JsonObject, own, pick, sameJson, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { type OpenDocument, stateOf } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { propertyNames, walk } from '../../model/values/walk.ts'
import type { Proposal } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { preparePatch } from '../operations/prepare-crops.ts'
import { patchDraft } from '../operations/update-page.ts'
import { parsePartialId } from '../pages/parked.ts'
import { assertMay, refusal, seesLocale } from '../permissions.ts'
import { recorded } from '../save/record-version.ts'
import { bodiesOf } from '../values/patch.ts'
import { unknownProperties } from '../values/unknown-properties.ts'
import { viewsOf } from '../view.ts'
import { tryOut, write } from '../write.ts'
import { assertKnown, expiryFrom } from './proposal-access.ts'
import type { Wish } from './proposal-bodies.ts'

const MOST_OPEN = 200

/**
 * Holds a PATCH of one draft aside until a person accepts or refuses it (§4.9); the draft is not touched. Throws what
 * the PATCH would: `notfound`, `forbidden`, `invalid` with all wrong fields; also for names that no field has, for a
 * patch that changes nothing, and `toomany` for more than 200 open ones of one maker.
 */
export async function propose(ctx: Context, { docId, title, reason, patch }: Wish): Promise<Proposal> {
  const { actor } = ctx
  assertKnown(ctx)
  if (actor.kind !== 'user' && actor.kind !== 'key') throw refusal(actor)
  const { type, id } = await draftToChange(ctx, docId)
  assertFieldsOnly(ctx, type, patch)
  await preparePatch(ctx, id, patch)
  const { before, after } = await tryOut(ctx, (ctx) => tried(ctx, { type, id, patch }))
  const contents = changedValues(type, before, after)
  const time = ctx.now()
  const now = time.toISOString()
  const proposal: Proposal = {
    id: newId(),
    docId: id.docId,
    locale: id.locale,
    type: type.name,
    title,
    reason,
    state: 'open',
    maker: { kind: actor.kind, id: actor.id, name: actor.name, role: actor.role },
    ai: actor.ai,
    revision: before.revision,
    decisions: {},
    createdAt: now,
    decidedAt: null,
    expiresAt: expiryFrom(time),
  }
  await write(ctx, async ({ tx }) => {
    await tx.proposals.lockAll()
    await tx.proposals.removeExpired(now)
    const query = { now, makerId: actor.id, state: 'open', seen: null } as const
    if ((await tx.read.proposals.count(query)) >= MOST_OPEN) throw tooMany()
    await tx.proposals.add(proposal, contents)
  })
  return proposal
}

function tooMany(): CmsError {
  const message = `You have ${MOST_OPEN} open proposals. Wait until some are decided, or withdraw some: DELETE …/proposal/:_id.`
  return new CmsError('toomany', message)
}

/** The draft that an id means, if the caller may edit it. */
async function draftToChange(ctx: Context, text: string): Promise<{ readonly type: Type; readonly id: DocumentId }> {
  const given = parsePartialId(text)
  if (given === null) throw notFound()
  const { docId } = given
  const locale = ctx.explicit.locale ?? given.locale ?? ctx.locale
  if (!seesLocale(ctx, locale)) throw notFound()
  const { draft } = await ctx.store.documents.copies(docId, locale)
  const type = draft && viewsOf(ctx).of(draft.type)?.type
  if (!type) return withoutDraft(ctx, docId)
  assertMay(ctx.actor, 'editDraft', type)
  if (stateOf(draft).isArchived) throw invalid('The document is archived. Restore it first.')
  return { type, id: { docId, locale, mode: 'draft' } }
}

/** Says why there is no draft, to those who may know that there is a document. */
async function withoutDraft(ctx: Context, docId: string): Promise<never> {
  const { published } = await ctx.store.documents.copies(docId, '')
  const type = published && viewsOf(ctx).of(published.type)?.type
  if (!type) throw notFound()
  assertMay(ctx.actor, 'editPublished', type)
  throw invalid(`${type.label} has no draft: every save is live at once, and nothing can be proposed.`)
}

/** Names of a body that change what is no content: a proposal has no rows for them. */
const STATE = ['visibility', 'archived', 'type', '_targetId', '_position', 'publishAt', 'archiveAt', '_restoreVersion']
/** Names of a body that say how it is read. */
const MANNERS = ['_patches', '_incomplete', '_autosave', '_explicitSave', '_ai']

function assertFieldsOnly(ctx: Context, type: Type, patch: UnknownObject): void {
  const unknown = unknownProperties(ctx, { types: [type], body: patch, isPatch: true })
  const problems = unknown.map(({ path, known }) => unknownName(path, fieldNamesIn(known())))
  const named = bodiesOf(patch).flatMap(namesIn)
  for (const name of named.filter((one) => STATE.includes(one))) {
    problems.push(invalidValue(name, `A proposal changes fields; ${name} is none of them.`))
  }
  if (problems.length === 0 && named.length === 0) problems.push(invalidValue('patch', 'The patch names no field.'))
  if (problems.length > 0) throw invalidFields(problems)
}

function namesIn(body: UnknownObject): string[] {
  const paths = Object.entries(body).flatMap(([key, value]) => (key.startsWith('$') ? Object.keys(value ?? {}) : [key]))
  return paths.map((path) => path.split('.', 1)[0] ?? '').filter((name) => !MANNERS.includes(name))
}

function unknownName(path: string, known: readonly string[]): Problem {
  const names = known.length === 0 ? '' : ` There are ${known.join(', ')}.`
  return { path, name: 'unknown', message: `There is no field at ${path}.${names}` }
}

/** The most fields that a message names. */
const MOST_NAMED = 60

function fieldNamesIn(known: Iterable<string>): string[] {
  return [...new Set(known)]
    .filter((name) => /^_?\p{L}/u.test(name) && !STATE.includes(name) && !MANNERS.includes(name))
    .slice(0, MOST_NAMED)
}

/** A draft before a patch, and after it. */
interface Tried {
  readonly before: OpenDocument
  readonly after: OpenDocument
}

async function tried(
  ctx: WriteContext,
  { type, id, patch }: { readonly type: Type; readonly id: DocumentId; readonly patch: UnknownObject },
): Promise<Tried> {
  if (type.family === 'page') await ctx.tx.tree.lock([id.locale])
  const { draft: before } = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  if (before === null) throw notFound()
  await patchDraft(ctx, { type, ...id }, patch)
  const { draft: after } = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  if (after === null) throw notFound()
  return { before, after }
}

/** The top-level values that a patch changes, before and after it, without secrets. */
function changedValues(type: Type, before: OpenDocument, after: OpenDocument) {
  assertNoSecrets(type, before, after)
  const [older, newer] = [recorded(type, before.fields).content, recorded(type, after.fields).content]
  const fields = type.fields.list.filter((field) => !STATE.includes(field.name))
  const names = fields.flatMap((field) => {
    const all = propertyNames(field)
    return all.some((name) => !sameJson(older[name], newer[name])) ? all : []
  })
  if (names.length === 0) throw invalid('The document holds all of this already: there is nothing to propose.')
  return { base: pick(older, names), proposed: pick(newer, names) }
}

/** Secrets are kept as hashes alone, and nobody could read what they accept. */
function assertNoSecrets(type: Type, before: OpenDocument, after: OpenDocument): void {
  const had = new Set(secretsOf(type, before.fields).map(({ secret }) => secret))
  const given = secretsOf(type, after.fields).filter(({ secret }) => !had.has(secret))
  if (given.length > 0) throw invalidFields(given.map(({ path }) => invalidValue(path, 'A secret cannot be proposed.')))
}

function secretsOf(type: Type, values: JsonObject) {
  return [...walk(type.fields, values)].flatMap(({ field, values: holder, path }) => {
    const secret = own(holder, field.name)
    return field.type.secret && secret ? [{ path, secret }] : []
  })
}
