import { copyJson, type JsonObject } from '../../base/json.ts'
import { asidesOf, setAside } from '../../model/aside.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { isMode } from '../../model/document.ts'
import { indexRowsOf } from '../../model/index-rows.ts'
import { propertyNames } from '../../model/property-names.ts'
import { readFields } from '../../model/schema.ts'
import type { Context, WriteContext } from '../context.ts'
import { singletonId } from '../documents/singletons.ts'
import { update } from '../documents/update.ts'
import { write } from '../write.ts'
import { stylesType } from './stylesheet.ts'

/** What became of the palette documents of a database (§9). */
export interface MovedPalettes {
  /** Documents of which the values are styles now. */
  readonly moved: readonly DocumentId[]
  /** Values that the style fields do not take: `en:published bodyColor: This is not a colour.` */
  readonly refused: readonly string[]
}

const BATCH = 200
/** What the global document held of the former stylesheet. */
const FORMER = ['paletteStylesheet', 'paletteStylesheetVersion']

/**
 * Moves the values of palette documents, the former global styles, to `@cms/styles` of the same locale and mode, and
 * removes them and what they left in the global document: all or nothing (§9). The names of fields must be the same.
 */
export async function movePalettes(ctx: Context, typeNames: ReadonlySet<string>): Promise<MovedPalettes> {
  const found = await formerDocuments(ctx, typeNames)
  // The published ones first: saving one reaches the draft as well, which then takes what it had of its own.
  const palettes = found.palettes.toSorted((one, other) => other.id.mode.localeCompare(one.id.mode))
  return write(ctx, async (ctx) => {
    const refused: string[] = []
    for (const palette of palettes) refused.push(...(await moveOne(ctx, palette)))
    await ctx.tx.documents.remove(palettes.map(({ id }) => id))
    for (const document of found.globals) await withoutFormer(ctx, document)
    return { moved: palettes.map(({ id }) => id), refused }
  })
}

async function formerDocuments({ store, site }: Context, typeNames: ReadonlySet<string>) {
  const palettes: Document[] = []
  const globals: Document[] = []
  for (let last = 0; ; ) {
    const stored = await store.documents.following(last, BATCH)
    if (stored.length === 0) return { palettes, globals }
    for (const { document } of stored) {
      const { id, type, fields } = document
      if (typeNames.has(type) && site.locales.has(id.locale) && isMode(id.mode)) palettes.push(document)
      if (type === `${site.namespace}/global` && hasFormer(fields)) globals.push(document)
    }
    last = stored.at(-1)?.row ?? last
  }
}

/** Saves the values of a palette as styles; returns the problems of those that cannot be. */
async function moveOne(ctx: WriteContext, { id, fields }: Document): Promise<string[]> {
  const type = stylesType(ctx.site)
  const styles = ctx.site.styles.fields.fields
  const options = { newId: () => '', mayEdit: () => true, before: null, trusted: true, maxDepth: ctx.site.limits.depth }
  const { problems } = readFields(styles, fields, options)
  const wrong = new Set(problems.map(({ path }) => path.split('.')[0]))
  const taken = styles.list.filter(({ name }) => !wrong.has(name)).flatMap(propertyNames)
  const body = Object.fromEntries(taken.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])))
  const { locale, mode } = id
  await update({ ...ctx, locale, mode }, { type, id: { docId: singletonId(type), locale, mode }, ifMatch: null }, body)
  return problems.map(({ path, message }) => `${locale}:${mode} ${path}: ${message}`)
}

async function withoutFormer({ tx, site }: WriteContext, document: Document): Promise<void> {
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
