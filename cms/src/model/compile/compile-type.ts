import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject } from '../../base/json.ts'
import type { ContentType } from '../declared/content-type.ts'
import { compileTemplate, type PageTemplates } from '../declared/template.ts'
import type { SortBy, Type, TypeHooks } from '../declared/types.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'
import { DATES } from '../terms/document-times.ts'
import {
  BODY_PROPERTIES,
  COMMON_FIELDS,
  DOCUMENT_PROPERTIES,
  GLOBAL_PROPERTIES,
  labelOf,
  PAGE_PROPERTIES,
  SCHEDULE_PROPERTIES,
} from '../terms/property-labels.ts'
import { propertyNames } from '../values/walk.ts'
import { compileFields, joinFields } from './compile-fields.ts'
import { compileIndex } from './compile-index.ts'
import { compileQueries } from './compile-queries.ts'
import type { FieldScope } from './field-scope.ts'
import { below, readOptions } from './read-options.ts'
import { type CheckedTypeOptions, TYPE_OPTIONS } from './type-schema.ts'

const PER_PAGE = 10

/** The scope of fields, and the defaults for types. */
export interface TypeScope extends FieldScope {
  /** Properties that page types show to anonymous callers unless they declare their own. */
  readonly pageProjection: readonly string[] | null
  readonly maxPerPage: number
}

/**
 * Compiles a piece or page type declared at `path` (`types.article`). `styles` are fields in addition to the declared
 * ones.
 */
export function compileType(declared: ContentType, path: string, scope: TypeScope, styles?: Fields): Type {
  const report = below(scope.report, path)
  const options = readOptions(TYPE_OPTIONS, declared.options, report) ?? TYPE_OPTIONS.parse({})
  const { family } = declared
  const isPage = family === 'page'
  const own = isPage ? PAGE_PROPERTIES : declared.name === '@cms/global' ? GLOBAL_PROPERTIES : []
  const reserved = [
    ...DOCUMENT_PROPERTIES,
    ...BODY_PROPERTIES,
    ...own,
    ...(options.scheduling ? SCHEDULE_PROPERTIES : []),
  ]
  const common = commonFields(options.fields, isPage, report)
  const set = { path: `${path}.fields`, reserved, common, adjustable: ADJUSTABLE }
  const compiled = compileFields(options.fields, set, scope)
  const fields = styles === undefined ? compiled : joinFields(compiled, styles, report)
  checkCombinations(options, isPage, scope.maxPerPage, report)
  checkSearch(options, fields, report)
  const label = options.label ?? labelOf(declared.name)
  return {
    name: scope.fullName(declared.name),
    family,
    label,
    pluralLabel: options.pluralLabel ?? `${label}s`,
    icon: options.icon,
    description: options.description,
    fields,
    publicProjection: publicProjection(options, fields, isPage, { report, name: declared.name, scope }),
    guestApiAccess: options.guestApiAccess,
    viewRole: options.viewRole,
    editRole: options.editRole,
    publishRole: options.publishRole,
    perPage: options.perPage ?? PER_PAGE,
    sort: compileSort(options.sort, fields, report),
    slugPrefix: options.slugPrefix,
    autopublish: options.autopublish,
    scheduling: options.scheduling,
    localized: options.localized,
    singleton: options.singleton,
    versions: options.versions,
    maxAge: options.cache?.maxAge ?? null,
    searchable: options.searchable,
    searchWeights: new Map(Object.entries({ title: 'high' as const, ...options.searchWeights })),
    queries: compileQueries(options.queries, fields, report),
    index: compileIndex(options, isPage, scope.fullName, report),
    sitemap: options.sitemap,
    hooks: hooksOf(options.hooks),
    templates: templatesOf(options, isPage, path, report),
  }
}

function templatesOf(options: CheckedTypeOptions, isPage: boolean, path: string, report: Report): PageTemplates {
  for (const name of ['render', 'template', 'data', 'index', 'show'] as const) {
    if (!isPage && options[name] !== undefined) {
      report(name, 'only page types are rendered; pieces are rendered by the page type of their index page')
    }
  }
  checkTemplatesOfIndex(options, report)
  const own = (name: 'index' | 'show') => {
    const place = { path: `${path}.${name}`, isNeeded: true, report: below(report, name) }
    return options[name] ? compileTemplate(options[name], place) : null
  }
  return { page: compileTemplate(options, { path, report }), index: own('index'), show: own('show') }
}

/** An index page is rendered as a list or as one of its pieces, all other pages as themselves. */
function checkTemplatesOfIndex(options: CheckedTypeOptions, report: Report): void {
  const isIndex = options.piecesType !== undefined
  for (const name of isIndex ? (['render', 'template', 'data'] as const) : (['index', 'show'] as const)) {
    if (options[name] === undefined) continue
    report(
      name,
      isIndex
        ? 'an index page has its templates in "index" and "show"'
        : 'only index pages have it: name their piecesType',
    )
  }
}

/** Hooks are called with the engine's own types, which the model cannot name. */
function hooksOf({ beforeSave, afterSave, title }: CheckedTypeOptions['hooks']): TypeHooks {
  // `as`: what a function returns is not known at run time.
  const makeTitle = title as TypeHooks['title']
  const listener = typeof afterSave === 'function' ? { wait: false, run: afterSave } : afterSave
  return {
    ...(beforeSave && { beforeSave }),
    ...(listener && { afterSave: listener }),
    ...(makeTitle && { title: makeTitle }),
  }
}

const ADJUSTABLE = ['title', 'slug']

/** The options of `title` and `slug` that a type may change. */
const OWN_WORDS = ['type', 'label', 'help', 'placeholder', 'max', 'min', 'pattern', 'following', 'required']

/** The fields every type begins with; labels, help and bounds of `title` and `slug` may be the type's own. */
function commonFields(declared: unknown, isPage: boolean, report: Report): { readonly [name: string]: object } {
  const add = isObject(declared) && isObject(declared.add) ? declared.add : {}
  return {
    title: { type: 'string', max: 500, ...ownWords('title', 'string', add.title, report), required: true },
    slug: { type: 'slug', ...(isPage && { page: true }), ...ownWords('slug', 'slug', add.slug, report) },
    visibility: {
      type: 'select',
      required: true,
      def: 'public',
      choices: [
        { value: 'public', label: 'Public' },
        { value: 'loginRequired', label: 'Login required' },
      ],
    },
    archived: { type: 'boolean', def: false },
    ...(isPage && { orphan: { type: 'boolean', def: false, help: 'Left out of navigation.' } }),
  }
}

function ownWords(name: string, type: string, declared: unknown, report: Report): object {
  if (declared === undefined) return {}
  const path = `fields.add.${name}`
  if (!isObject(declared) || declared.type !== type) {
    report(path, `every type has a ${name} of the field type "${type}", which cannot be changed`)
    return {}
  }
  for (const option of Object.keys(declared)) {
    if (!OWN_WORDS.includes(option)) report(`${path}.${option}`, `cannot be changed for the ${name}`)
  }
  if (name === 'title' && declared.required === false) report(`${path}.required`, 'the title is always required')
  return Object.fromEntries(Object.entries(declared).filter(([option]) => OWN_WORDS.includes(option)))
}

function checkCombinations(options: CheckedTypeOptions, isPage: boolean, maxPerPage: number, report: Report): void {
  const { perPage = PER_PAGE, localized, autopublish, scheduling, singleton, slugPrefix, queries } = options
  if (perPage > maxPerPage) report('perPage', `${perPage} is above the site's limit of ${maxPerPage}`)
  if (!localized && autopublish) report('autopublish', 'a type that is not localized has no drafts to publish')
  if (scheduling && (!localized || autopublish)) report('scheduling', 'only types whose drafts wait can have it')
  if (isPage && !localized) report('localized', 'pages are always localized')
  if (isPage && singleton) report('singleton', 'only piece types can be singletons')
  if (isPage && slugPrefix !== '') report('slugPrefix', "only piece types have it: a page's slug is its path")
  if (singleton && slugPrefix !== '')
    report('slugPrefix', 'a singleton has one document, so there is nothing to tell apart')
  if (singleton && Object.keys(queries).length > 0)
    report('queries', 'a singleton has one document, so it has no lists')
}

function checkSearch(
  { searchable, searchWeights, localized }: CheckedTypeOptions,
  fields: Fields,
  report: Report,
): void {
  const relationships = fields.list.filter(({ type }) => type.relation === 'forward').map(({ name }) => name)
  for (const name of searchable) {
    if (relationships.includes(name)) continue
    report('searchable', `"${name}" is not a relationship of the type${didYouMean(name, relationships)}`)
  }
  if (searchable.length > 0 && !localized) report('searchable', 'only types with locales have it: titles have locales')
  for (const name of Object.keys(searchWeights)) {
    if (fields.byName.has(name)) continue
    report('searchWeights', `"${name}" is not a field of the type${didYouMean(name, fields.byName.keys())}`)
  }
}

interface ProjectionContext {
  readonly report: Report
  readonly name: string
  readonly scope: TypeScope
}

function publicProjection(options: CheckedTypeOptions, fields: Fields, isPage: boolean, context: ProjectionContext) {
  const { publicApiProjection } = options
  if (publicApiProjection === undefined) {
    return isPage && context.scope.pageProjection !== null ? new Set(context.scope.pageProjection) : null
  }
  const known = [...projectionNames(fields), ...(isPage ? PAGE_PROPERTIES : [])]
  for (const name of publicApiProjection) {
    if (fields.byName.get(name)?.type.secret !== undefined) {
      context.report('publicApiProjection', `"${name}" is secret and is never shown`)
    } else if (!known.includes(name)) {
      context.report('publicApiProjection', `"${name}" is not a field of ${context.name}${didYouMean(name, known)}`)
    }
  }
  return new Set(publicApiProjection)
}

/** Lists the names that a projection may contain: fields, their stored properties, and those of documents. */
export function projectionNames(fields: Fields): string[] {
  const stored = fields.list.flatMap(propertyNames)
  return [...new Set([...fields.byName.keys(), ...stored]), ...DOCUMENT_PROPERTIES]
}

function compileSort(sort: { readonly [name: string]: 1 | -1 }, fields: Fields, report: Report): SortBy[] {
  const names: string[] = [...DATES, ...fields.list.filter(isSortable).map(({ name }) => name)]
  for (const name of Object.keys(sort)) {
    if (names.includes(name)) continue
    const why = fields.byName.has(name) ? 'has no order' : `is not a field of the type${didYouMean(name, names)}`
    report('sort', `"${name}" ${why}`)
  }
  return Object.entries(sort).map(([field, direction]) => ({ field, direction }))
}

function isSortable({ name, type }: Field): boolean {
  return COMMON_FIELDS.some((common) => common === name) || (type.index !== undefined && type.scalar !== undefined)
}
