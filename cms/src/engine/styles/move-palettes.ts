import type { Problem } from '../../base/errors.ts'
import { copyJson, type Json, type JsonObject, joinPath, pick } from '../../base/json.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { declaredValues } from '../../model/styles/to-css.ts'
import { type OpenDocument, openValues } from '../../model/terms/document.ts'
import { type DocId, type DocumentId, isMode } from '../../model/terms/document-id.ts'
import { COMMON_FIELDS, DOCUMENT_PROPERTIES } from '../../model/terms/property-labels.ts'
import { ASIDE, asidesOf, setAside } from '../../model/values/aside.ts'
import { indexRowsOf } from '../../model/values/index-rows.ts'
import { readFields } from '../../model/values/schema.ts'
import { childrenOf, isStored, propertyNames, storedValue } from '../../model/values/walk.ts'
import type { Context, WriteContext } from '../context.ts'
import { storedSingletonIds } from '../operations/singletons.ts'
import { update } from '../operations/update.ts'
import { write } from '../write.ts'
import { stylesType } from './stylesheet.ts'

/** The outcome for the palette documents of a database (§9). */
interface MovedPalettes {
  /** Documents of which the values are styles now. */
  readonly moved: readonly DocumentId[]
  /** Values that styles do not take: `en:published bodyColor: This is not a colour.` */
  readonly leftOut: readonly string[]
}

const BATCH = 200
/** Properties of the former stylesheet in the global document. */
const FORMER = ['paletteStylesheet', 'paletteStylesheetVersion']

/**
 * Moves the values of palette documents, the former global styles, to `@cms/styles` of the same locale and mode, and
 * removes them and what they left in the global document (§9). The names of fields must be the same. Nothing is moved
 * where a value would be lost, unless `force` says so.
 */
export async function movePalettes(
  ctx: Context,
  typeNames: ReadonlySet<string>,
  { force = false }: { readonly force?: boolean } = {},
): Promise<MovedPalettes> {
  const { palettes, globals } = await formerDocuments(ctx, typeNames)
  // The published ones first: saving one reaches the draft as well, which then takes what it had of its own.
  const isDraft = ({ id }: (typeof palettes)[number]) => Number(id.mode === 'draft')
  const sorted = palettes.toSorted((one, other) => isDraft(one) - isDraft(other))
  return write(ctx, async (ctx) => {
    const plans: Plan[] = []
    for (const palette of sorted) plans.push(await planOf(ctx, palette, palettes))
    const leftOut = plans.flatMap((plan) => plan.leftOut)
    if (leftOut.length > 0 && !force) return { moved: [], leftOut }
    for (const plan of plans) await save(ctx, plan)
    await ctx.tx.documents.remove(palettes.map(({ id }) => id))
    for (const document of globals) await withoutFormer(ctx, document)
    return { moved: palettes.map(({ id }) => id), leftOut }
  })
}

async function formerDocuments({ store, site }: Context, typeNames: ReadonlySet<string>) {
  const palettes: OpenDocument[] = []
  const globals: OpenDocument[] = []
  for (let last = 0; ; ) {
    const stored = await store.documents.following(last, BATCH)
    if (stored.length === 0) return { palettes, globals }
    for (const one of stored) {
      const document = { ...one.document, fields: openValues(one.document) }
      const { id, type, fields } = document
      if (typeNames.has(type) && site.locales.has(id.locale) && isMode(id.mode)) palettes.push(document)
      if (type === `${site.namespace}/global` && hasFormer(fields)) globals.push(document)
    }
    last = stored.at(-1)?.row ?? last
  }
}

/** The values of one palette that become styles. */
interface Plan {
  readonly id: DocumentId
  readonly values: JsonObject
  readonly leftOut: readonly string[]
}

async function planOf(ctx: WriteContext, { id, fields }: OpenDocument, all: readonly OpenDocument[]): Promise<Plan> {
  const styles = ctx.site.styles.fields.fields
  const target = await ctx.tx.read.documents.get({ ...id, docId: await stylesId(ctx) })
  const { problems } = readFields(styles, fields, { ...READING, maxDepth: ctx.site.limits.depth })
  const refused: Refusal[] = [...problems, ...(target === null ? [] : alreadySet(styles, fields, openValues(target)))]
  const wrong = new Set(refused.map(({ path }) => path.split('.')[0]))
  // A value that only one copy has stays in that copy alone.
  const copies = all.filter((one) => one.id.locale === id.locale)
  const isTaken = (field: Field) => !wrong.has(field.name) && copies.some((copy) => isFilled(field, copy.fields))
  const names = new Set(styles.list.filter(isTaken).flatMap(propertyNames))
  const leftOut = [...undeclared(styles, fields), ...refused]
  return {
    id,
    values: pick(fields, names),
    leftOut: leftOut.map(({ path, message }) => `${id.locale}:${id.mode} ${path}: ${message}`),
  }
}

const READING = { newId: () => '', mayEdit: () => true, before: null, trusted: true }

type Refusal = Pick<Problem, 'path' | 'message'>

/** Values of a palette that no style field has the name of, at any depth. */
function undeclared(fields: Fields, values: JsonObject, base = ''): Refusal[] {
  const known = new Set([...fields.list.flatMap(propertyNames), ...(base === '' ? COMMON_FIELDS : []), ...INTERNAL])
  const here = Object.keys(values).filter(
    (name) => !known.has(name) && name !== ASIDE && !isBlank(values[name] ?? null),
  )
  const inside = fields.list.flatMap((field) => {
    return childrenOf(field, values).flatMap((child) =>
      undeclared(child.fields, child.values, joinPath(base, field.name)),
    )
  })
  const message = 'The site declares no style field of this name.'
  return [...here.map((name) => ({ path: joinPath(base, name), message })), ...inside]
}

const INTERNAL = [...DOCUMENT_PROPERTIES, 'metaType', 'scopedObjectName', 'scopedArrayName']

/** Values of a palette where the styles have been given others. */
function alreadySet(styles: Fields, fields: JsonObject, target: JsonObject): Refusal[] {
  const initial = declaredValues(styles, {})
  return styles.list
    .filter((field) => isFilled(field, fields) && isStored(field, target))
    .filter((field) => !sameValue(field, target, initial) && !sameValue(field, target, fields))
    .map(({ name }) => ({ path: name, message: 'The styles have another value already.' }))
}

function sameValue(field: Field, one: JsonObject, other: JsonObject): boolean {
  const text = (values: JsonObject) => {
    return JSON.stringify(storedValue(field, values), (name, value) => (name === '_id' ? undefined : value))
  }
  return text(one) === text(other)
}

function isFilled(field: Field, values: JsonObject): boolean {
  return isStored(field, values) && !isBlank(storedValue(field, values))
}

/** True for null, and for texts, lists and objects that hold nothing. */
function isBlank(value: Json): boolean {
  if (value === null || value === '') return true
  if (typeof value !== 'object') return false
  return Object.entries(value).every(([name, one]) => name === '_id' || name === 'metaType' || isBlank(one))
}

async function stylesId(ctx: WriteContext): Promise<DocId> {
  return (await storedSingletonIds(ctx))(stylesType(ctx.site))
}

async function save(ctx: WriteContext, { id: { locale, mode }, values }: Plan): Promise<void> {
  const type = stylesType(ctx.site)
  const id = { docId: await stylesId(ctx), locale, mode }
  await update({ ...ctx, locale, mode }, { type, id, ifMatch: null }, values)
}

async function withoutFormer({ tx, site }: WriteContext, document: OpenDocument): Promise<void> {
  const type = site.types.get(document.type)
  if (type === undefined) return
  const fields = copyJson(document.fields)
  for (const name of FORMER) {
    delete fields[name]
    setAside(fields, name, null)
  }
  const indexRows = indexRowsOf(type.fields, fields)
  await tx.documents.put([{ document: { ...document, fields }, indexRows, before: { document, indexRows } }])
}

/** True for fields that a palette left, which are set aside where the site no longer declares them. */
function hasFormer(fields: JsonObject): boolean {
  return FORMER.some((name) => Object.hasOwn(fields, name) || Object.hasOwn(asidesOf(fields), name))
}
