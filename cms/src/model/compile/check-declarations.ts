import { ZodType } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject } from '../../base/json.ts'
import type { ContentType, WidgetDeclaration } from '../declared/content-type.ts'
import type { FieldType } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'
import { typeNameMistake } from '../terms/property-labels.ts'

/** A declaration with the key path its mistakes are reported at. */
export interface DeclarationAt<Declaration> {
  readonly path: string
  readonly declared: Declaration
}

/** Names as the site uses them: `@cms/` replaced by the site's own prefix. */
export interface Naming {
  readonly namespace: string
  fullName(name: string): string
}

/** Names as a site with this namespace has them. */
export function namingOf(namespace: string): Naming {
  return {
    namespace,
    fullName: (name) => (name.startsWith('@cms/') ? namespace + name.slice('@cms'.length) : name),
  }
}

/** Page types that every tree has; a site may say what fields they have. */
const OPEN_NAMES = ['@cms/home-page', '@cms/archive-page']

/** Names after the namespace that the service uses for its own types and routes. */
const SERVICE_NAMES = new Set(
  [
    'agent-calls any-page any-page-type ai-marks archive-page area attachment doc document-versions documents file file-tag global home-page html i18n image image-tag layout',
    'layout-column login oembed page proposal recent-changes rich-text schema search styles submitted-draft url user video webhook xliff',
  ].flatMap((names) => names.split(' ')),
)

/** The service answers at `/api/v1/<name>` itself, where a piece type of this name would be. */
const SERVICE_ADDRESSES = new Set(['docs', 'health', 'mcp', 'metrics', 'ready'])

/** The hooks that a feature may have (§6). */
export const FEATURE_HOOKS: readonly string[] = [
  'beforeSave afterSave beforeVersion onChange beforeRemove afterRemove present beforeSend',
  'getAllUrlMetadata getAllAttachmentMetadata listLiteralUrls getLiteralContentRoutes renderWidget onStart onStop',
].flatMap((names) => names.split(' '))
/** Hooks that may also be declared under the names of their events. */
const HOOK_EVENTS = ['page:beforeSend', 'url:getAllUrlMetadata', 'url:getAllAttachmentMetadata']
/** Hooks that an answer can wait for. */
const LISTENERS = ['afterSave', 'afterRemove']

/** Checks the names and forms of the hooks of all features: one of an unknown name would never run. */
export function checkFeatureHooks(features: readonly object[], { namespace }: Naming, report: Report): void {
  const events = [...new Set([namespace, '@cms'])].flatMap((prefix) => HOOK_EVENTS.map((event) => `${prefix}/${event}`))
  const known = [...FEATURE_HOOKS, ...events]
  for (const [index, feature] of features.entries()) {
    const hooks: unknown = Reflect.get(feature, 'hooks')
    if (hooks === undefined) continue
    if (!isObject(hooks)) report(`features.${index}.hooks`, 'must be an object: { async afterSave(event, ctx) { … } }')
    for (const [name, hook] of Object.entries(isObject(hooks) ? hooks : {})) {
      const path = `features.${index}.hooks.${name}`
      const isListener = LISTENERS.includes(name) && isObject(hook) && hook.wait === true
      const run: unknown = isListener ? hook.run : hook
      if (!known.includes(name)) report(path, `unknown hook${didYouMean(name, known)}`)
      else if (run !== undefined && typeof run !== 'function') {
        report(path, LISTENERS.includes(name) ? 'must be a function, or { wait: true, run }' : 'must be a function')
      }
    }
  }
}

/** The content types of a list, and the mistakes in what they are and how they are called. */
export function contentTypes(list: readonly unknown[], naming: Naming, report: Report): DeclarationAt<ContentType>[] {
  const types = list.filter((one, index) => {
    if (!isContentType(one)) report(`types.${index}`, 'must be made by piece() or page()')
    return isContentType(one)
  })
  for (const { family, name } of types) {
    if (
      isReserved(name, naming) &&
      !(family === 'page' && OPEN_NAMES.map(naming.fullName).includes(naming.fullName(name)))
    ) {
      report(`types.${name}`, `names that begin with "${naming.namespace}/" belong to built-in types`)
    }
    if (family === 'piece' && SERVICE_ADDRESSES.has(name))
      report(`types.${name}`, `/api/v1/${name} is an address of the service itself; choose another name`)
  }
  return placed(types, 'types', naming, report)
}

/** The widget types of a list; as `contentTypes`. */
export function widgetTypes(
  list: readonly unknown[],
  naming: Naming,
  report: Report,
): DeclarationAt<WidgetDeclaration>[] {
  const widgets = list.filter((one, index) => {
    if (!isWidget(one)) report(`widgets.${index}`, 'must be made by widget()')
    return isWidget(one)
  })
  for (const { name } of widgets) {
    if (!isReserved(name, naming)) continue
    report(`widgets.${name}`, `names that begin with "${naming.namespace}/" belong to built-in widget types`)
  }
  return placed(widgets, 'widgets', naming, report)
}

/**
 * True for names that are the service's own. A site that replaces the namespace may declare types in it, as
 * `@apostrophecms/blog`, since existing front ends go by such names; not those that the service has routes for.
 */
function isReserved(name: string, { namespace, fullName }: Naming): boolean {
  if (!fullName(name).startsWith(`${namespace}/`)) return false
  return name.startsWith('@cms/') || SERVICE_NAMES.has(name.slice(namespace.length + 1))
}

function placed<Declaration extends { readonly name: string }>(
  list: readonly Declaration[],
  base: string,
  { fullName }: Naming,
  report: Report,
): DeclarationAt<Declaration>[] {
  const seen = new Set<string>()
  return list.map((declared) => {
    const path = `${base}.${declared.name}`
    const mistake = typeNameMistake(declared.name)
    if (mistake !== null) report(path, mistake)
    if (seen.has(fullName(declared.name))) report(path, 'declared twice; names must differ')
    seen.add(fullName(declared.name))
    return { path, declared }
  })
}

function isContentType(value: unknown): value is ContentType {
  return isDeclaration(value) && (value.family === 'piece' || value.family === 'page')
}

function isWidget(value: unknown): value is WidgetDeclaration {
  return isDeclaration(value) && value.family === 'widget'
}

function isDeclaration(value: unknown): value is { family: unknown; name: string } {
  return isObject(value) && typeof value.name === 'string' && 'options' in value
}

/** The built-in field types and the site's own ones by name. */
export function allFieldTypes(
  builtIn: ReadonlyMap<string, FieldType>,
  own: readonly unknown[],
  report: Report,
): ReadonlyMap<string, FieldType> {
  const types = new Map(builtIn)
  for (const [index, type] of own.entries()) {
    const path = `fieldTypes.${index}`
    if (!isFieldType(type)) {
      report(path, 'must be made by defineFieldType(), with name, options, blank, read, toText and jsonSchema')
      continue
    }
    if (types.has(type.name)) report(path, `there is a field type "${type.name}" already; choose another name`)
    types.set(type.name, type)
  }
  return types
}

function isFieldType(value: unknown): value is FieldType {
  if (!isObject(value) || typeof value.name !== 'string' || !(value.options instanceof ZodType)) return false
  return ['blank', 'read', 'toText', 'jsonSchema'].every((method) => typeof value[method] === 'function')
}
