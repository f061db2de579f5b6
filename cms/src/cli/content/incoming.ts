import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { userType } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import type { IncomingDocument } from '../../engine/operations/import-document.ts'
import { lostValues } from '../../engine/values/lost-values.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { toInstant } from '../../model/fields/date-fields.ts'
import { type DocId, isId, type Locale, type Mode } from '../../model/terms/document-id.ts'
import type { CopyLine, DocumentLine, LeftOut } from './lines.ts'

/** Selects the documents to import, and renames their types. */
export interface ImportSelection {
  /** Only these types and locales of the site, where given. */
  readonly types: ReadonlySet<string> | null
  readonly locales: ReadonlySet<string> | null
  /** The names that types and widgets have in this site, where they differ. */
  readonly renamed: (name: string) => string
}

/** A line of an export, as this site has its document. */
export interface IncomingLine extends IncomingDocument {
  readonly line: DocumentLine
  readonly leftOut: readonly LeftOut[]
}

/** The document as this site has it; why there is none, or an empty text where it is not asked for. */
export function incomingDocument(
  { site }: Context,
  line: DocumentLine,
  options: ImportSelection & { readonly singletonId: (type: Type) => DocId },
): IncomingLine | string {
  const name = options.renamed(line.type)
  if (!(options.types?.has(name) ?? true) || isUnselectedUser(site, line, options)) return ''
  const isSelected = (locale: Locale) => locale === '' || (options.locales?.has(locale) ?? true)
  const type = site.types.get(name)
  const locale = type?.localized === false ? '' : line.locale || site.defaultLocale
  if (!isSelected(locale)) return ''
  if (!isId(line.docId)) return 'Its id is not one: letters, digits, "_" and "-", 64 at most.'
  if (type === undefined) return `The site has no type ${name}.`
  if (type.localized && !site.locales.has(locale)) return `The site has no locale ${locale}.`
  if (!type.localized && line.locale !== '' && line.locale !== site.defaultLocale) {
    return `${name} has no locales here, and the document is in ${line.locale}.`
  }
  const copies = copiesOf(line, type.localized)
  // The one document of such a type goes by the name that the type has here.
  const docId = type.singleton ? options.singletonId(type) : line.docId
  const { parent = '', formerUrls = [] } = line
  const leftOut = [...(line.leftOut ?? []), ...(type.localized ? [] : draftValues(line))]
  return { type, docId, locale, copies: renamedIn(copies, options.renamed), parent, formerUrls, line, leftOut }
}

/** Returns the values that only the draft has, of a document whose type has no drafts here. */
function draftValues({ draft, published }: DocumentLine): LeftOut[] {
  if (draft === null || published === null) return []
  const message = 'The type has no drafts here: this document is as its published copy was.'
  return [...lostValues(draft.fields, published.fields)].map(({ path, value }) => ({ path, value, message }))
}

/** Whether a document is a user, who could sign in, and nobody has asked for users by their type. */
export function isUnselectedUser(site: Site, { type }: DocumentLine, { types, renamed }: ImportSelection): boolean {
  return types === null && renamed(type) === userType(site).name
}

function copiesOf(line: DocumentLine, isLocalized: boolean): IncomingDocument['copies'] {
  const [draft, published] = [withTimes(line.draft), withTimes(line.published)]
  if (!isLocalized) {
    const only = published ?? draft
    return only === null ? {} : { published: only }
  }
  const first = draft ?? published
  return { ...(first && { draft: first }), ...(published && { published }) }
}

/** Times that are none are those of the other ones, or the beginning of time. */
function withTimes(copy: CopyLine | null): CopyLine | null {
  if (copy === null) return null
  const timeOf = (text: unknown) => (typeof text === 'string' ? toInstant(text) : null)
  const [created, updated] = [timeOf(copy.createdAt), timeOf(copy.updatedAt)]
  const updatedAt = updated ?? created ?? new Date(0).toISOString()
  const lastPublishedAt = timeOf(copy.lastPublishedAt)
  const wasPublished = copy.wasPublished === true || lastPublishedAt !== null
  return { ...copy, createdAt: created ?? updatedAt, updatedAt, lastPublishedAt, wasPublished }
}

function renamedIn(
  copies: IncomingDocument['copies'],
  renamed: ImportSelection['renamed'],
): IncomingDocument['copies'] {
  const all = Object.entries(copies) as [Mode, CopyLine][]
  return Object.fromEntries(all.map(([mode, copy]) => [mode, { ...copy, fields: withNames(copy.fields, renamed) }]))
}

/** Widgets name their types. */
function withNames(fields: JsonObject, renamed: ImportSelection['renamed']): JsonObject {
  const isWidget = fields.metaType === 'widget' && typeof fields.type === 'string'
  const changed: JsonObject = {}
  for (const [name, value] of Object.entries(fields)) {
    changed[name] = isWidget && name === 'type' ? renamed(String(value)) : withNamesIn(value, renamed)
  }
  return changed
}

function withNamesIn(value: Json, renamed: ImportSelection['renamed']): Json {
  if (Array.isArray(value)) return value.map((one) => withNamesIn(one, renamed))
  return isObject(value) ? withNames(value, renamed) : value
}
