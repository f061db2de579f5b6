import { conflict } from '../../base/errors.ts'
import { copyJson, type JsonObject, sameJson } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { WriteContext } from '../context.ts'
import { recordUrls } from '../pages/follow.ts'
import { slugOfCopy } from '../pages/page-slugs.ts'
import { archiveId, parkedPage } from '../pages/parked.ts'
import { isInArchive, positionAt } from '../pages/position.ts'
import { type Change, isNew, MODES, type Origin, type Origins } from '../save/change.ts'
import { save } from '../save/save.ts'
import { withWholeSlug } from '../save/slugs.ts'
import { cleanImported, type ImportedValues, type Misfit } from '../values/clean-imported.ts'
import { type LostValue, lostValues } from '../values/lost-values.ts'

/** A document to import, of a type and in a locale of this site. */
export interface IncomingDocument {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  /** The copies to import, by mode. */
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

/** The result of importing a document. */
export interface ImportedDocument {
  readonly outcome: 'added' | 'changed' | 'unchanged'
  /** Values that are not in it, with why. */
  readonly dropped: readonly Misfit[]
  readonly lost: readonly LostValue[]
  /** The slugs of copies whose own were taken. */
  readonly otherSlugs: readonly LostValue[]
}

const UNCHANGED: ImportedDocument = { outcome: 'unchanged', dropped: [], lost: [], otherSlugs: [] }

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
  const { inputs, change, misfits } = await plan(ctx, incoming, { before, mode })
  const after = await save(ctx, change)
  await recordFormerUrls(ctx, incoming, { before, after })
  const lost = MODES.flatMap((one) => [...lostValues(inputs[one]?.fields ?? {}, after[one]?.fields ?? {})])
  return {
    outcome: isNew({ before }) ? 'added' : outcomeOf(before, after),
    dropped: [...misfits, ...fixedValues(ctx, incoming, after), ...statesLeft(incoming, after)],
    lost: lost.filter(({ path }) => path !== 'slug'),
    otherSlugs: lost.filter(({ path }) => path === 'slug'),
  }
}

async function lock(ctx: WriteContext, { type, docId, locale }: IncomingDocument): Promise<OpenCopies> {
  if (type.family === 'page') await ctx.tx.tree.lock([locale])
  const before = await ctx.tx.documents.lockCopies(docId, locale)
  const presentType = (before.draft ?? before.published)?.type ?? type.name
  // Pages may change their type.
  if (presentType === type.name || type.family === 'page') return before
  throw conflict(`A document of the type ${presentType} has this id.`)
}

/** True for documents that the service made at its first start and nobody has saved since. */
function isUntouched({ site }: WriteContext, { type, docId }: IncomingDocument, copies: OpenCopies): boolean {
  if (!type.singleton && parkedPage(site, docId) === null) return false
  return MODES.every((mode) => (copies[mode]?.revision ?? 1) === 1)
}

interface Plan {
  readonly inputs: Inputs
  readonly change: Change
  readonly misfits: readonly Misfit[]
}

async function plan(
  ctx: WriteContext,
  incoming: IncomingDocument,
  { before, mode }: { readonly before: OpenCopies; readonly mode: ImportMode },
): Promise<Plan> {
  const { type } = incoming
  const isNewPage = type.family === 'page' && isNew({ before })
  const archived = isNewPage ? await insertPosition(ctx, incoming, mode) : archivedIn(incoming)
  const inputs = inputsOf(ctx, incoming, { before, archived })
  const { cleaned, misfits } = await cleanImported(
    ctx,
    type,
    MODES.flatMap((one) => inputs[one] ?? []),
  )
  const modes = MODES.filter((one) => inputs[one] !== undefined)
  const fields = Object.fromEntries(modes.map((one, index) => [one, withWholeSlug(type, cleaned[index] ?? {})]))
  const isFirst = isNew({ before }) || isUntouched(ctx, incoming, before)
  return { inputs, misfits, change: changeOf(incoming, { before, fields, isFirst, takenSlug: mode.takenSlug }) }
}

/** Puts a new page below its parent, after the pages there; whether that is in the archive. */
async function insertPosition(ctx: WriteContext, { docId, locale, parent }: IncomingDocument, { dryRun }: ImportMode) {
  const nodes = await ctx.tx.read.tree.nodes(locale, [parent])
  // A start makes built-in pages, and the import those that it holds.
  const isToCome = [docId, parent].some((id) => parkedPage(ctx.site, id)) || ctx.expected?.documents.has(parent)
  if (dryRun && !nodes.has(parent) && isToCome) return null
  if (!nodes.has(parent)) throw new MissingParent(`The page above it, ${parent}, is not in the locale ${locale}.`)
  const position = positionAt(nodes, { docId, from: null }, { docId: parent, placement: 'lastChild' })
  await ctx.tx.tree.insert(locale, position)
  return isInArchive(position)
}

/** Whether a document is archived, as its published copy says. */
function archivedIn({ copies: { draft, published } }: IncomingDocument): boolean {
  return (published ?? draft)?.fields.archived === true
}

/** A page cannot be imported before the page above it. */
export class MissingParent extends Error {}

type Inputs = { [mode in Mode]?: ImportedValues }

/** The values as they are to be, archived or not in both copies; what is fixed of a built-in page stays, and its place. */
function inputsOf(
  { site }: WriteContext,
  { type, docId, copies }: IncomingDocument,
  { before, archived }: { readonly before: OpenCopies; readonly archived: boolean | null },
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

function changeOf(
  { type, docId, locale, copies }: IncomingDocument,
  { isFirst, ...change }: Pick<Change, 'before' | 'takenSlug' | 'fields'> & { readonly isFirst: boolean },
): Change {
  const saved = { ...change, type, docId, locale } as const
  const reason = isNew(change) ? 'inserted' : 'saved'
  return { ...saved, reason, origins: isFirst ? originsOf(copies) : null }
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

/** Published pages have their slug for themselves, and those that they had before lead to them. */
async function recordFormerUrls(
  ctx: WriteContext,
  { type, docId, locale, formerUrls }: IncomingDocument,
  { before, after }: { readonly before: OpenCopies; readonly after: OpenCopies },
): Promise<void> {
  if (type.family !== 'page') return
  const former = formerUrls.map((slug) => ({ docId, slug }))
  await ctx.tx.tree.recordFormerUrls(locale, former, ctx.now().toISOString())
  const to = slugOfCopy(after.published)
  if (to === null || after.published?.fields.archived === true) return
  await recordUrls(ctx, locale, [{ docId, from: slugOfCopy(before.published), to }])
}

function outcomeOf(before: OpenCopies, after: OpenCopies): ImportedDocument['outcome'] {
  return MODES.every((mode) => after[mode] === before[mode]) ? 'unchanged' : 'changed'
}

/** Returns the declared values of a built-in page that the import has otherwise; the archive is the same everywhere. */
function fixedValues({ site }: WriteContext, { docId, copies }: IncomingDocument, after: OpenCopies): Misfit[] {
  const fixed = docId === archiveId ? [] : (parkedPage(site, docId)?.fixed ?? [])
  const message = 'This page is built in, and the site says what it has.'
  return MODES.flatMap((mode) =>
    fixed.flatMap((name) => {
      const value = copies[mode]?.fields[name]
      const isOther = value !== undefined && !sameJson(value, after[mode]?.fields[name])
      return isOther ? [{ path: name, name: 'invalid' as const, message, value }] : []
    }),
  )
}

/** Both copies are archived or none, a page where it stands in the archive; pages that are there stay where they are. */
function statesLeft({ type, copies }: IncomingDocument, { draft, published }: OpenCopies): Misfit[] {
  const isArchived = (published ?? draft)?.fields.archived === true
  if (MODES.every((mode) => copies[mode] === undefined || (copies[mode].fields.archived === true) === isArchived))
    return []
  const message =
    type.family === 'page'
      ? 'Both copies of a page are archived where it stands: move it in or out of the archive.'
      : 'Both copies are archived or none: this document is as its published copy was.'
  return [{ path: 'archived', name: 'invalid', message, value: !isArchived }]
}
