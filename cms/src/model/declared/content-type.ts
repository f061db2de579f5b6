import type { ZodType } from 'zod'
import type { Json } from '../../base/json.ts'
import type { FieldType } from '../field-type/field-type.ts'
import type { CommonOptions, DeclaredFields, NoFields, OwnField, Placeholder } from './declared-fields.ts'
import type { DeclaredWidgetStyles } from './declared-styles.ts'
import type { ContentType, WidgetDeclaration } from './site-model.ts'
import type { PageOptions, Query, TypeOptions, WidgetOptions } from './type-options.ts'
import type { FieldFilters } from './type-query.ts'

export type { ContentType, WidgetDeclaration } from './site-model.ts'

/**
 * Declares a piece type: records of one kind, served under `/api/v1/<name>` (§4.1).
 *
 *     piece('article', { label: 'Article', fields: { add: { subtitle: { type: 'string', max: 120 } } } })
 */
export function piece<
  const Name extends string,
  const Fields extends DeclaredFields = NoFields,
  const Parameter extends string = never,
  const Public extends string = never,
>(
  name: Name,
  options: TypeOptions<Fields, Parameter, Public> = {},
): ContentType<Name, Fields, 'piece', never, NoInfer<Parameter>, NoInfer<Public>> {
  return { family: 'piece', name, fields: declared(options), options }
}

/**
 * Declares a page type (§4.2); as `piece`, and with a template:
 *
 *     page('landing', { render: ({ page }, scene) => html`<h1>${page.title}</h1>` })
 */
export function page<
  const Name extends string,
  const Fields extends DeclaredFields = NoFields,
  Data = undefined,
  Index = undefined,
  Show = undefined,
  const Pieces extends string = never,
  const Parameter extends string = never,
  const Public extends string = never,
>(
  name: Name,
  options: PageOptions<Fields, Data, Index, Show, Pieces, Parameter, Public> = {},
): ContentType<Name, Fields, 'page', NoInfer<Pieces>, NoInfer<Parameter>, NoInfer<Public>> {
  return { family: 'page', name, fields: declared(options), options }
}

/**
 * Declares a widget type, which areas may then allow by its name.
 *
 *     widget('quote', {
 *       fields: { add: { words: { type: 'string' } } },
 *       render: ({ words }) => html`<blockquote>${words}</blockquote>`,
 *     })
 */
export function widget<
  const Name extends string,
  const Fields extends DeclaredFields = NoFields,
  Data = undefined,
  const Styles extends DeclaredWidgetStyles = NoFields,
>(name: Name, options: WidgetOptions<Fields, Data, Styles> = {}): WidgetDeclaration<Name, Fields, Styles> {
  return { family: 'widget', name, fields: declared(options), options }
}

function declared<Fields extends DeclaredFields>(options: { readonly fields?: { readonly add: Fields } }) {
  // `as`: without `fields`, Fields is the type without members.
  return options?.fields ?? { add: {} as Fields }
}

type Keys<Where> = Where extends unknown ? keyof Where & string : never

/**
 * Declares a query parameter of a type: its input, and the conditions that it adds.
 *
 *     query({ input: z.coerce.number(), description: 'Price at least', where: (value) => ({ price: { min: value } }) })
 */
export function query<Input, const Where extends FieldFilters>(options: {
  readonly input: ZodType<Input>
  readonly description?: string
  readonly where: (value: Input) => Where
}): Query<Keys<Where>> {
  const { input, description = '', where } = options
  // `as`: only what `input` has read is handed to `where` (compileSite).
  return { kind: 'query', description, input, where: where as (value: unknown) => FieldFilters }
}

/**
 * A field of a site's own type, with the options of that type: `stars: field(stars, { label: 'Stars', max: 5 })`.
 * The type itself must be listed in the `fieldTypes` of the site.
 */
export function field<Options extends object, Value extends Json>(
  type: FieldType<Options, Value>,
  options: NoInfer<Options> & CommonOptions & Placeholder,
): OwnField<Value> {
  // `as`: for the compiler the name also carries the type of the value.
  return { ...options, type: type.name as OwnField<Value>['type'] }
}

/** Declares a site's own field type; gives it back unchanged, with its types inferred. */
export function defineFieldType<Options extends object, Value extends Json>(
  type: FieldType<Options, Value>,
): FieldType<Options, Value> {
  return type
}
