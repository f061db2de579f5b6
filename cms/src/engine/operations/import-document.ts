import { conflict } from '../../base/errors.ts'
import { copyJson, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, DocId, Locale, Mode } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import { recordUrls } from '../pages/follow.ts'
import { slugOfCopy } from '../pages/page-slugs.ts'
import { parkedPage } from '../pages/parked.ts'
import { isInArchive, positionAt } from '../pages/position.ts'
import { type Change, type ChangedFields, isNew, MODES, type Origin, type Origins } from '../save/change.ts'
import { save } from '../save/save.ts'
import { withWholeSlug } from '../save/slugs.ts'
import { cleanImported, type ImportedValues, type Misfit } from '../values/clean-imported.ts'
import { type LostValue, lostValues } from '../values/lost-values.ts'

/** A document to import, of a type and in a locale of this site. */
export interface IncomingDocument {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  /** By mode, the copies that there are to be. */
  readonly copies: { readonly [mode in Mode]?: Origin & { readonly fields: JsonObject } }
  /** Pages: the page above; empty for the home page. */
  readonly parent: DocId
  /** Pages: the slugs that the published page had before. */
  readonly formerUrls: readonly string[]
}

/** How documents are imported. */
interface ImportMode {
  /** Documents that are there already are changed to what the import holds. */
  readonly update: boolean
  readonly dryRun: boolean
  readonly takenSlug: 'number' | 'refuse'
}

/** What became of a document. */
export interface ImportedDocument {
  readonly outcome: 'added' | 'changed' | 'unchanged'
  /** Values that are not in it, with why. */
  readonly dropped: readonly Misfit[]
  readonly lost: readonly LostValue[]
  /** The slug it got, where its own was taken. */
  readonly otherSlug: string | null
}

const UNCHANGED: ImportedDocument = { outcome: 'unchanged', dropped: [], lost: [], otherSlug: null }

/**
 * Puts a document into the database as a save would, with hooks and a version, and the author and times that it had. Values
 * that do not fit are left out and reported. Throws what refuses the whole document.
 */
export async function importDocument(
  ctx: WriteContext,
  incoming: IncomingDocument,
  mode: ImportMode,
): Promise<ImportedDocument> {
  const before = await lock(ctx, incoming)
  if (!isNew({ before }) && !mode.update && !isUntouched(ctx, incoming, before)) return UNCHANGED
  const { inputs, changes, misfits } = await plan(ctx, incoming, { before, mode })
  const after = await saveInTurn(ctx, changes)
  await recordFormerUrls(ctx, incoming, { before, after })
  const lost = MODES.flatMap((one) => [...lostValues(inputs[one]?.fields ?? {}, after[one]?.fields ?? {})])
  const [slug, stored] = [(inputs.draft ?? inputs.published)?.fields.slug, slugOfCopy(after.draft ?? after.published)]
  return {
    outcome: isNew({ before }) ? 'added' : outcomeOf(before, after),
    dropped: [...misfits, ...statesLeft(incoming, before)],
    lost: lost.filter(({ path }) => path !== 'slug'),
    otherSlug: slug === stored ? null : stored,
  }
}

async function lock(ctx: WriteContext, { type, docId, locale }: IncomingDocument): Promise<Copies> {
  if (type.family === 'page') await ctx.tx.tree.lock([locale])
  const before = await ctx.tx.documents.lockCopies(docId, locale)
  const other = (before.draft ?? before.published)?.type ?? type.name
  // Pages may change their type.
  if (other === type.name || type.family === 'page') return before
  throw conflict(`A document of the type ${other} has this id.`)
}

/** What the service has made by itself at its first start, and nobody has saved since. */
function isUntouched({ site }: WriteContext, { type, docId }: IncomingDocument, copies: Copies): boolean {
  if (!type.singleton && parkedPage(site, docId) === null) return false
  return MODES.every((mode) => (copies[mode]?.revision ?? 1) === 1)
}

interface Plan {
  readonly inputs: Inputs
  /** To be saved one after the other. */
  readonly changes: readonly Change[]
  readonly misfits: readonly Misfit[]
}

async function plan(
  ctx: WriteContext,
  incoming: IncomingDocument,
  { before, mode }: { readonly before: Copies; readonly mode: ImportMode },
): Promise<Plan> {
  const { type } = incoming
  const archived = type.family === 'page' && isNew({ before }) ? await insertPosition(ctx, incoming, mode) : null
  const inputs = inputsOf(ctx, incoming, { before, archived })
  const { cleaned, misfits } = await cleanImported(
    ctx,
    type,
    MODES.flatMap((one) => inputs[one] ?? []),
  )
  const modes = MODES.filter((one) => inputs[one] !== undefined)
  const fields = Object.fromEntries(modes.map((one, index) => [one, withWholeSlug(type, cleaned[index] ?? {})]))
  return { inputs, misfits, changes: changesOf(incoming, { before, fields, takenSlug: mode.takenSlug }) }
}

/** Puts a new page below its parent, after the pages there; whether that is in the archive. */
async function insertPosition(ctx: WriteContext, { docId, locale, parent }: IncomingDocument, { dryRun }: ImportMode) {
  const nodes = await ctx.tx.read.tree.nodes(locale, [parent])
  if (dryRun && !nodes.has(parent) && ctx.expected?.documents.has(parent)) return null
  if (!nodes.has(parent)) throw new MissingParent(`The page above it, ${parent}, is not in the locale ${locale}.`)
  const position = positionAt(nodes, { docId, from: null }, { docId: parent, placement: 'lastChild' })
  await ctx.tx.tree.insert(locale, position)
  return isInArchive(position)
}

/** A page cannot be imported before the page above it. */
export class MissingParent extends Error {}

type Inputs = { [mode in Mode]?: ImportedValues }

/** The values as they are to be; what is fixed of a built-in page stays, and where a page is. */
function inputsOf(
  { site }: WriteContext,
  { type, docId, copies }: IncomingDocument,
  { before, archived }: { readonly before: Copies; readonly archived: boolean | null },
): Inputs {
  const fixed = type.family === 'page' ? ['archived', ...(parkedPage(site, docId)?.fixed ?? [])] : []
  const inputs: Inputs = {}
  for (const mode of MODES) {
    const copy = copies[mode]
    if (copy === undefined) continue
    const fields = copyJson(copy.fields)
    if (archived !== null) fields.archived = archived
    const stored = before[mode]?.fields
    for (const name of fixed) if (stored?.[name] !== undefined) fields[name] = stored[name]
    inputs[mode] = { fields, before: stored ?? null }
  }
  return inputs
}

/** A new document gets one slug in both copies: where they differ, the draft is saved once more. */
function changesOf(
  { type, docId, locale, copies }: IncomingDocument,
  change: Pick<Change, 'before' | 'takenSlug'> & { readonly fields: ChangedFields },
): Change[] {
  const saved = { ...change, reason: 'saved', type, docId, locale } as const
  if (!isNew(change)) return [saved]
  const inserted = { ...saved, reason: 'inserted', origins: originsOf(copies) } as const
  const { draft, published } = change.fields
  if (!draft || !published || draft.slug === published.slug) return [inserted]
  const first = { published, draft: { ...draft, slug: published.slug ?? '' } }
  return [
    { ...inserted, fields: first },
    { ...saved, fields: { draft } },
  ]
}

function originsOf(copies: IncomingDocument['copies']): Origins {
  const origins = MODES.flatMap((mode) => {
    const copy = copies[mode]
    if (copy === undefined) return []
    const { createdAt, updatedAt, updatedBy, lastPublishedAt, wasPublished } = copy
    return [[mode, { createdAt, updatedAt, updatedBy, lastPublishedAt, wasPublished }] as const]
  })
  return Object.fromEntries(origins)
}

async function saveInTurn(ctx: WriteContext, changes: readonly Change[]): Promise<Copies> {
  let after: Copies | null = null
  for (const change of changes) after = await save(ctx, { ...change, before: after ?? change.before })
  return after ?? { draft: null, published: null }
}

/** Published pages have their slug for themselves, and those that they had before lead to them. */
async function recordFormerUrls(
  ctx: WriteContext,
  { type, docId, locale, formerUrls }: IncomingDocument,
  { before, after }: { readonly before: Copies; readonly after: Copies },
): Promise<void> {
  if (type.family !== 'page') return
  const former = formerUrls.map((slug) => ({ docId, slug }))
  if (former.length > 0) await ctx.tx.tree.recordFormerUrls(locale, former, ctx.now().toISOString())
  const to = slugOfCopy(after.published)
  if (to === null || after.published?.fields.archived === true) return
  await recordUrls(ctx, locale, [{ docId, from: slugOfCopy(before.published), to }])
}

function outcomeOf(before: Copies, after: Copies): ImportedDocument['outcome'] {
  return MODES.every((mode) => after[mode] === before[mode]) ? 'unchanged' : 'changed'
}

/** A page is archived where it stands in the archive, and pages that are there stay where they are. */
function statesLeft({ type, copies }: IncomingDocument, { draft, published }: Copies): ImportedDocument['dropped'] {
  const [is, was] = [(draft ?? published)?.fields.archived, (copies.draft ?? copies.published)?.fields.archived]
  if (type.family !== 'page' || is === undefined || is === was) return []
  const message = 'Pages that are there stay where they are: move it in or out of the archive.'
  return [{ path: 'archived', name: 'invalid', message, value: was ?? null }]
}
