import { CmsError, conflict, type Problem } from '../../base/errors.ts'
import { copyJson, type JsonObject } from '../../base/json.ts'
import type { Expected, WriteContext } from '../../engine/context.ts'
import { parkedPage } from '../../engine/pages/parked.ts'
import { changeOf, type Origins } from '../../engine/save/change.ts'
import { save } from '../../engine/save/save.ts'
import { withWholeSlug } from '../../engine/save/whole-slug.ts'
import { clean } from '../../engine/values/clean.ts'
import { isInArchive, positionAt } from '../../features/pages/position.ts'
import { slugOfCopy } from '../../features/pages/slugs.ts'
import { recordUrls } from '../../features/pages/urls.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, DocId, Locale, Mode } from '../../model/terms/document.ts'
import type { CopyLine, DocumentLine } from './lines.ts'
import { type LostValue, lostValues, removeAt } from './lost-values.ts'

/** A document to import, of a type and in a locale of this site. */
export interface IncomingDocument {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  /** By mode, the copies that there are to be. */
  readonly copies: { readonly [mode in Mode]?: CopyLine }
  readonly line: DocumentLine
}

/** How documents are imported. */
export interface ImportMode {
  /** Documents that are there already are changed to what the import holds. */
  readonly update: boolean
  readonly dryRun: boolean
  readonly expected: Expected
}

/** What became of a document. */
export interface ImportedDocument {
  readonly outcome: 'added' | 'changed' | 'unchanged'
  /** Values that are not in it, with why. */
  readonly dropped: readonly (Problem & { readonly value: JsonObject[string] })[]
  readonly lost: readonly LostValue[]
  /** The slug it got, where its own was taken. */
  readonly otherSlug: string | null
}

const MODES = ['draft', 'published'] as const
/** How often values are read again without those that did not fit. */
const ATTEMPTS = 20
const UNCHANGED: ImportedDocument = { outcome: 'unchanged', dropped: [], lost: [], otherSlug: null }

/**
 * Puts a document into the database as a save would, with hooks and a version, by whoever saved it, and when. Values
 * that do not fit are left out and told. Throws what refuses the whole document.
 */
export async function importDocument(
  ctx: WriteContext,
  incoming: IncomingDocument,
  mode: ImportMode & { readonly madeSlug: boolean },
): Promise<ImportedDocument> {
  const { type, docId, locale } = incoming
  if (type.family === 'page') await ctx.tx.tree.lock([locale])
  const before = await ctx.tx.documents.lockCopies(docId, locale)
  const isThere = before.draft !== null || before.published !== null
  assertSameType(type, before)
  if (isThere && !mode.update && !isUntouched(ctx, type, docId, before)) return UNCHANGED
  const archived = type.family === 'page' && !isThere ? await insertPosition(ctx, incoming, mode) : null
  const inputs = inputsOf(ctx, incoming, before, archived)
  const { fields, dropped } = await fitting(ctx, type, inputs)
  const after = await store(ctx, incoming, { before, fields, madeSlug: mode.madeSlug })
  await rememberUrls(ctx, incoming, before, after)
  const lost = MODES.flatMap((one) => [...lostValues(inputs[one]?.fields ?? {}, after[one]?.fields ?? {})])
  const [slug, stored] = [(inputs.draft ?? inputs.published)?.fields.slug, slugOfCopy(after.draft ?? after.published)]
  return {
    outcome: isThere ? outcomeOf(before, after) : 'added',
    dropped: [...dropped, ...statesLeft(incoming, before)],
    lost: lost.filter(({ path }) => path !== 'slug'),
    otherSlug: slug === stored ? null : stored,
  }
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

/** Pages may change their type. Throws `conflict` where something else has the id. */
function assertSameType({ name, family }: Type, { draft, published }: Copies): void {
  const other = (draft ?? published)?.type ?? name
  if (other !== name && family !== 'page') throw conflict(`A document of the type ${other} has this id.`)
}

/** What the service has made by itself at its first start, and nobody has saved since. */
function isUntouched(ctx: WriteContext, type: Type, docId: DocId, copies: Copies): boolean {
  if (!type.singleton && parkedPage(ctx.site, docId) === null) return false
  return MODES.every((mode) => (copies[mode]?.revision ?? 1) === 1)
}

/** Puts a new page below its parent, after the pages there; whether that is in the archive. */
async function insertPosition(
  ctx: WriteContext,
  { docId, locale, line }: IncomingDocument,
  { dryRun, expected }: ImportMode,
) {
  const parent = line.parent ?? ''
  const nodes = await ctx.tx.read.tree.nodes(locale, [parent])
  if (dryRun && !nodes.has(parent) && expected.documents.has(parent)) return null
  if (!nodes.has(parent)) throw new MissingParent(`The page above it, ${parent}, is not in the locale ${locale}.`)
  const position = positionAt(nodes, { docId, from: null }, { docId: parent, placement: 'lastChild' })
  await ctx.tx.tree.insert(locale, position)
  return isInArchive(position)
}

/** A page cannot be imported before the page above it. */
export class MissingParent extends Error {}

type Inputs = { [mode in Mode]?: { readonly fields: JsonObject; readonly before: JsonObject | null } }

/** The values as they are to be; what is fixed of a built-in page stays, and where a page is. */
function inputsOf(
  ctx: WriteContext,
  { type, docId, copies }: IncomingDocument,
  before: Copies,
  archived: boolean | null,
): Inputs {
  const fixed = type.family === 'page' ? ['archived', ...(parkedPage(ctx.site, docId)?.fixed ?? [])] : []
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

/** Clean fields of all that fits. Takes what does not out of the inputs. */
async function fitting(ctx: WriteContext, type: Type, inputs: Inputs) {
  const dropped: (Problem & { readonly value: JsonObject[string] })[] = []
  const given = MODES.flatMap((mode) => inputs[mode] ?? [])
  for (let attempt = 1; ; attempt += 1) {
    try {
      const options = { touched: null, mustBeComplete: false, trusted: true } as const
      const read = await clean(
        ctx,
        type,
        // Each copy may have what is stored in the other one: it would be taken out of both.
        given.map(({ fields, before }, index) => {
          return { values: fields, before, named: given[1 - index]?.before ?? undefined, ...options }
        }),
      )
      const modes = MODES.filter((mode) => inputs[mode] !== undefined)
      const fields = Object.fromEntries(modes.map((mode, index) => [mode, withWholeSlug(type, read[index] ?? {})]))
      return { fields, dropped }
    } catch (error) {
      const problems = problemsOf(error)
      const isLess = problems.toReversed().filter((problem) => {
        const values = given.map(({ fields }) => copyJson(fields))
        const removed = given.filter(({ fields }) => removeAt(fields, problem.path))
        const lost = given.flatMap(({ fields }, index) => [...lostValues(values[index] ?? {}, fields)])
        if (removed.length > 0) dropped.push({ ...problem, value: lost[0]?.value ?? null })
        return removed.length > 0
      })
      if (isLess.length === 0 || attempt === ATTEMPTS) throw error
    }
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof CmsError) || error.name !== 'invalid') throw error
  // `as`: engine and store put problems there, and nothing else (§0.2).
  return (error.data.errors ?? []) as readonly Problem[]
}

interface Prepared {
  readonly before: Copies
  readonly fields: { readonly [mode in Mode]?: JsonObject }
  readonly madeSlug: boolean
}

/** A new document gets one slug in both copies: where they differ, the draft is saved once more. */
async function store(
  ctx: WriteContext,
  incoming: IncomingDocument,
  { before, fields, madeSlug }: Prepared,
): Promise<Copies> {
  const { type, docId, locale, copies } = incoming
  const isNew = before.draft === null && before.published === null
  const { draft, published } = fields
  const isRenamed = isNew && draft && published && draft.slug !== published.slug
  const first = isRenamed ? { published, draft: { ...draft, slug: published.slug ?? '' } } : fields
  const origins: Origins | null = isNew ? originsOf(copies) : null
  const reason = isNew ? 'inserted' : 'saved'
  const after = await save(
    ctx,
    changeOf(ctx, { reason, type, docId, locale, before, fields: first, madeSlug, origins }),
  )
  if (!isRenamed) return after
  return save(ctx, changeOf(ctx, { reason: 'saved', type, docId, locale, before: after, fields: { draft }, madeSlug }))
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
async function rememberUrls(
  ctx: WriteContext,
  { type, docId, locale, line }: IncomingDocument,
  before: Copies,
  after: Copies,
) {
  if (type.family !== 'page') return
  const former = (line.formerUrls ?? []).map((slug) => ({ docId, slug }))
  if (former.length > 0) await ctx.tx.tree.recordFormerUrls(locale, former, ctx.now().toISOString())
  const to = slugOfCopy(after.published)
  if (to === null || after.published?.fields.archived === true) return
  await recordUrls(ctx, locale, [{ docId, from: slugOfCopy(before.published), to }])
}
