import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject } from '../../base/json.ts'
import { checkWebhooks } from '../declared/change-events.ts'
import type { ContentType, WidgetDeclaration } from '../declared/content-type.ts'
import { EMBED_PROVIDERS } from '../declared/embed-providers.ts'
import { compileJobs } from '../declared/job-schedules.ts'
import { MCP, type SiteMcp } from '../declared/mcp-options.ts'
import { compilePurge } from '../declared/purge.ts'
import { checkTemplateFolder, compileLayout, compileTemplate, type SiteTemplates } from '../declared/template.ts'
import type { Site, SiteStyles, StyleFields, Type, WidgetType } from '../declared/types.ts'
import { fieldTypes } from '../fields/index.ts'
import {
  ConfigurationError,
  type ConfigurationProblem,
  checkDistinct,
  type Report,
} from '../terms/configuration-error.ts'
import { DEFAULT_FILE_GROUPS, type FileGroup } from '../terms/file-groups.ts'
import { COMMON_FIELDS, DOCUMENT_PROPERTIES, labelOf, PAGE_PROPERTIES } from '../terms/property-labels.ts'
import { BUILT_IN_TYPES, builtInWidgets, globalType, STYLES_TYPE } from './built-in-types.ts'
import {
  allFieldTypes,
  checkFeatureHooks,
  contentTypes,
  type DeclarationAt,
  type Naming,
  namingOf,
  widgetTypes,
} from './check-declarations.ts'
import { checkRelated } from './check-related.ts'
import { compileDiscovery } from './compile-discovery.ts'
import { compileEditor, draftDirectives } from './compile-editor.ts'
import { checkIndex } from './compile-index.ts'
import { compileLocales, defaultLocaleOf } from './compile-locales.ts'
import {
  checkUnusedPresets,
  compilePresets,
  compileSiteStyles,
  type StyleScope,
  setsLayoutGap,
} from './compile-styles.ts'
import { compileType, projectionNames, type TypeScope } from './compile-type.ts'
import { compileWidget } from './compile-widget.ts'
import { deepFreeze } from './freeze.ts'
import { compileParked, undeclaredPages } from './parked-pages.ts'
import { below, readOptions } from './read-options.ts'
import type { SiteDeclaration } from './site-options.ts'
import { type CheckedSiteOptions, SITE_OPTIONS } from './site-schema.ts'

export { defineSite, type SiteDeclaration } from './site-options.ts'

/**
 * Checks a declared site and compiles it. Throws one `ConfigurationError` with all mistakes, each with its key path:
 * `types.article.publicApiProjection: "topics" is not a field of article; did you mean "_topics"?`. The result is
 * frozen.
 */
export function compileSite(declaration: SiteDeclaration): Site {
  const problems = new Map<string, ConfigurationProblem>()
  const report: Report = (path, message) => problems.set(`${path}: ${message}`, { path, message })
  if (!isObject(declaration) || declaration.kind !== 'site') report('', 'a site must be made by defineSite()')
  const options = readOptions(SITE_OPTIONS, declaration?.options, report) ?? SITE_OPTIONS.parse({})
  const site = compile(options, report)
  if (problems.size > 0) throw new ConfigurationError([...problems.values()])
  const features = Object.freeze([...options.features])
  return Object.freeze({ ...deepFreeze(site), features, fastify: options.fastify })
}

function compile(options: CheckedSiteOptions, report: Report): Omit<Site, 'features' | 'fastify'> {
  const { name, namespace, baseUrl = null, staticBaseUrl = null, contentSecurityPolicy } = options
  const locales = compileLocales(options.locales, below(report, 'locales'))
  const { types, widgets, styles } = compileContent(options, report)
  const facts = { name, locales, imageHosts: imageHostsOf(options) }
  const editor = compileEditor(options.editor, facts, below(report, 'editor'))
  checkPageProjection(options.pages.publicApiProjection ?? [], types, report)
  const fileGroups = fileGroupsOf(options, report)
  const templates = siteTemplates(options, report)
  checkFeatureHooks(options.features, namingOf(namespace), report)
  checkTemplateFolder({ types, widgets, templates }, report)
  checkWebhooks(options.webhooks, [...types.keys()], below(report, 'webhooks'))
  const parked = compileParked(options.pages.parked, namingOf(namespace), types, below(report, 'pages.parked'))
  return {
    name,
    namespace,
    prefix: options.prefix,
    baseUrl,
    staticBaseUrl,
    locales,
    defaultLocale: defaultLocaleOf(locales),
    types,
    widgets,
    parked,
    contentSecurityPolicy: policyOf(contentSecurityPolicy),
    draftSecurityPolicy: policyOf(draftDirectives(editor, contentSecurityPolicy)),
    discovery: compileDiscovery(options, { baseUrl, staticBaseUrl, locales, types }, report),
    editor,
    mcp: compileMcp(options.mcp, below(report, 'mcp')),
    static: options.static,
    strict: options.strict,
    redirectByLanguage: options.redirectByLanguage,
    historicRedirect: options.pages.historicRedirect,
    pageFallback: options.pages.fallback,
    embedProviders: [...options.embeds.providers, ...EMBED_PROVIDERS],
    fileGroups,
    styles: { fields: styles, ...styleOptions(options) },
    templates,
    limits: options.limits,
    anonymousBodyLimit: options.anonymousBodyLimit,
    cors: options.cors,
    trustProxy: options.trustProxy,
    draftInterval: options.draftInterval,
    previewLifetime: options.previewLifetime,
    keptVersions: options.versions?.keep ?? null,
    jobs: compileJobs(options.jobs, below(report, 'jobs')),
    webhooks: options.webhooks,
    purge: compilePurge(options.purge, below(report, 'purge')),
  }
}

/** The policy of pages: no plugins, no other base, no framing by others, unless the site says otherwise. */
function policyOf(own: CheckedSiteOptions['contentSecurityPolicy']): string {
  const directives = { 'object-src': "'none'", 'base-uri': "'self'", 'frame-ancestors': "'self'", ...own }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}

/** Reads the option `mcp` (§4.10); null where the site is not open to agents. */
function compileMcp(declared: false | object, report: Report): SiteMcp | null {
  if (declared === false) return null
  const options = readOptions(MCP, declared, report) ?? MCP.parse({})
  checkDistinct(options.prompts, 'a prompt', 'prompts.', report)
  return options
}

function styleOptions({ styles }: CheckedSiteOptions): Omit<SiteStyles, 'fields'> {
  return { serverRendered: styles?.serverRendered ?? false, getStylesheet: styles?.getStylesheet ?? null }
}

function siteTemplates({ templates, layout, notFound, error }: CheckedSiteOptions, report: Report): SiteTemplates {
  const failure = (path: 'notFound' | 'error', declared: CheckedSiteOptions['error']) =>
    declared ? compileTemplate(declared, { path, isNeeded: true, report: below(report, path) }) : null
  return {
    folder: templates === undefined ? null : String(templates),
    layout: compileLayout(layout),
    notFound: failure('notFound', notFound),
    error: failure('error', error),
  }
}

/** The site's own groups, or the usual ones. */
function fileGroupsOf({ fileGroups }: CheckedSiteOptions, report: Report = () => {}): readonly FileGroup[] {
  if (fileGroups === undefined) return DEFAULT_FILE_GROUPS
  checkDistinct(fileGroups, 'a group', 'fileGroups.', report)
  if (!fileGroups.some(({ name }) => name === 'images'))
    report('fileGroups', 'there must be a group "images": image pieces are made of it')
  return fileGroups.map(({ name, label = labelOf(name), extensions }) => ({ name, label, extensions }))
}

interface Content {
  readonly types: ReadonlyMap<string, Type>
  readonly widgets: ReadonlyMap<string, WidgetType>
  /** The global ones. */
  readonly styles: StyleFields
}

/** Widget types first, then types; then the checks that need all of them. */
function compileContent(options: CheckedSiteOptions, report: Report): Content {
  const declared = declarationsOf(options, report)
  const types = new Map<string, Type>()
  const widgets = new Map<string, WidgetType>()
  const links: (() => void)[] = []
  const checks: (() => void)[] = []
  const scope: TypeScope & StyleScope = {
    presets: compilePresets(options.styles, report),
    ...knownNames(declared),
    fieldTypes: allFieldTypes(fieldTypes, options.fieldTypes, report),
    report,
    widget: (name) => widgets.get(name),
    hasLayoutGap: () => setsLayoutGap(styles),
    link: (work) => links.push(work),
    check: (work) => checks.push(work),
    pageProjection: options.pages.publicApiProjection ?? null,
    maxPerPage: options.limits.perPage,
    // A missing group of images is reported once, by `fileGroupsOf`.
    imageHosts: imageHostsOf(options),
    fileGroups: [...new Set(['images', ...fileGroupsOf(options).map(({ name }) => name)])],
  }
  for (const one of declared.widgets) {
    const widget = compileWidget(one, scope)
    widgets.set(widget.name, widget)
    checks.push(() => checkRelated(widget.fields, '', types, reportAt(one.path, report)))
  }
  const styles = compileSiteStyles(options.styles, scope)
  for (const { path, declared: one } of declared.types) {
    const type = compileType(one, path, scope, one === STYLES_TYPE ? styles.fields : undefined)
    if (!types.has(type.name)) types.set(type.name, type)
    checks.push(() => checkRelated(type.fields, type.name, types, reportAt(path, report)))
    checks.push(() => checkIndex(type, types, below(report, path)))
  }
  checkUnusedPresets(scope)
  for (const work of [...links, ...checks]) work()
  return { types, widgets, styles }
}

function imageHostsOf({ baseUrl, staticBaseUrl, locales, richText }: CheckedSiteOptions): readonly string[] {
  const own = [baseUrl, staticBaseUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).host]))
  const ofLocales = Object.values(locales).flatMap(({ hostname }) => hostname ?? [])
  return [...own, ...ofLocales, ...richText.imageHosts]
}

interface Declarations {
  readonly types: readonly DeclarationAt<ContentType>[]
  readonly widgets: readonly DeclarationAt<WidgetDeclaration>[]
  readonly naming: Naming
}

/** The site's own types and widget types, and after them the built-in ones. */
function declarationsOf(options: CheckedSiteOptions, report: Report): Declarations {
  const naming = namingOf(options.namespace)
  const ownWidgets = widgetTypes(options.widgets, naming, report)
  const ownTypes = contentTypes(options.types, naming, report)
  const builtIn = builtInWidgets({
    widgets: ownWidgets.map(({ declared }) => declared.name),
    pageTypes: ownTypes.flatMap(({ declared }) => (declared.family === 'page' ? [declared] : [])),
  })
  return {
    types: [
      ...ownTypes,
      ...[...BUILT_IN_TYPES, ...undeclaredPages(options.types, naming)].map((declared) => ({
        path: `types.${declared.name}`,
        declared,
      })),
      { path: 'global', declared: globalType(options.global.fields) },
      { path: 'styles', declared: STYLES_TYPE },
    ],
    widgets: [...ownWidgets, ...builtIn.map((declared) => ({ path: `widgets.${declared.name}`, declared }))],
    naming,
  }
}

type KnownNames = Pick<TypeScope, 'fullName' | 'typeNames' | 'pageTypes' | 'widgets'>

function knownNames({ types, widgets, naming }: Declarations): KnownNames {
  const { fullName } = naming
  const pages = types
    .filter(({ declared }) => declared.family === 'page')
    .map(({ declared }) => fullName(declared.name))
  return {
    fullName,
    pageTypes: pages.filter((name) => name !== fullName('@cms/archive-page')),
    typeNames: new Set(types.map(({ declared }) => fullName(declared.name))),
    widgets: new Map(widgets.map(({ declared }) => [fullName(declared.name), declared.fields])),
  }
}

/** Checks that each name of `pages.publicApiProjection` is a field of at least one page type. */
function checkPageProjection(names: readonly string[], types: Content['types'], report: Report): void {
  const pages = [...types.values()].filter(({ family }) => family === 'page')
  const own = pages.flatMap(({ fields }) => projectionNames(fields))
  const known = new Set([...COMMON_FIELDS, ...DOCUMENT_PROPERTIES, ...PAGE_PROPERTIES, ...own])
  for (const name of names) {
    if (known.has(name)) continue
    report('pages.publicApiProjection', `"${name}" is not a field of any page type${didYouMean(name, known)}`)
  }
}

function reportAt(path: string, report: Report): (field: string) => Report {
  return (field) => below(report, `${path}.fields.add.${field}`)
}
