import { SCHEDULE_TIMES } from './document-times.ts'

/** A name in words: `headingColor` → "Heading color", `_topics` → "Topics", `article-page` → "Article page". */
export function labelOf(name: string): string {
  const words = name
    .replace(/^@[^/]*\//, '')
    .replace(/^_/, '')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`)
    .replace(/[-_]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The marks of widgets in annotated documents (§4.4). */
export const WIDGET_MARKS = ['_inserted', '_deleted', '_modified', '_moved', '_olderVersion', '_changedWithAi'] as const
/** The marks of documents, objects and items that hold fields outside areas. */
export const HOLDER_MARKS = ['_changes', '_modified'] as const

/** Properties that bodies may have in addition to fields (§3, §4.1), and a related document in a body. */
export const BODY_PROPERTIES: readonly string[] = [
  '_ai',
  '_autosave',
  '_copyingId',
  '_explicitSave',
  '_fields',
  '_incomplete',
  '_patches',
  '_restoreVersion',
]

/** Properties of every document, which no field may be called (§2.1). */
export const DOCUMENT_PROPERTIES: readonly string[] = [
  '_id',
  ...HOLDER_MARKS,
  '_compared',
  '_highlight',
  '_problems',
  '_fallback',
  '_fallbacks',
  '_url',
  '_parentUrl',
  '_parentSlug',
  '_edit',
  '_create',
  '_publish',
  '_delete',
  'aposDocId',
  'aposLocale',
  'aposMode',
  'copyOfId',
  'createdAt',
  'lastPublishedAt',
  'metaType',
  'modified',
  'type',
  'updatedAt',
  'updatedBy',
]

/** Further properties of pages (§2.2). */
export const PAGE_PROPERTIES: readonly string[] = [
  '_ancestors',
  '_children',
  '_targetId',
  '_position',
  'historicUrls',
  'level',
  'orphan',
  'parked',
  'parkedId',
  'path',
  'published',
  'rank',
  'titleSortified',
]

/** Further properties of drafts of types with `scheduling` (§3.9). */
export const SCHEDULE_PROPERTIES: readonly string[] = [...SCHEDULE_TIMES, 'scheduleError']

/** Further properties of the global document (§4.7). */
export const GLOBAL_PROPERTIES: readonly string[] = ['stylesStylesheet', 'stylesClasses', 'stylesStylesheetVersion']

/** Properties of widgets (§2.1) and of objects and array items. */
export const WIDGET_PROPERTIES: readonly string[] = [
  '_id',
  '_docId',
  '_edit',
  '_options',
  '_rendered',
  ...WIDGET_MARKS,
  'metaType',
  'type',
]
export const ITEM_PROPERTIES: readonly string[] = ['_id', '_docId', '_edit', ...HOLDER_MARKS, 'metaType']

/** The fields every type begins with. */
export const COMMON_FIELDS = ['title', 'slug', 'visibility', 'archived'] as const

/** True for names that JavaScript objects inherit. */
export function isPrototypeName(name: string): boolean {
  return name in Object.prototype || name === 'prototype'
}

/** Why a field may not have this name, whatever it is a field of; null when it may. */
export function fieldNameMistake(name: string, isRelationship: boolean): string | null {
  if (isPrototypeName(name)) return 'JavaScript has this name for itself; choose another one'
  if (!/^_?\p{L}[\p{L}\p{N}_-]*$/u.test(name)) {
    return 'a field\'s name begins with a letter and consists of letters, digits, "_" and "-"'
  }
  if (isRelationship && !name.startsWith('_')) return `the name of a relationship begins with "_": "_${name}"`
  if (!isRelationship && name.startsWith('_')) return 'only names of relationships begin with "_"'
  return null
}

/** Why a type or widget may not have this name; null when it may. */
export function typeNameMistake(name: string): string | null {
  if (isPrototypeName(name)) return 'JavaScript has this name for itself; choose another one'
  if (/^(@[a-z][\w-]*\/)?[a-z][\w-]*$/i.test(name)) return null
  return 'a name begins with a letter and consists of letters, digits, "-" and "_"'
}
