import type { FieldInput, InputOf, PagePosition, Relationship } from './content-input.ts'
import type { Stem } from './infer.ts'
import type { FieldsOf, ModelOf, SiteDeclaration, SiteModel } from './site-model.ts'

/** Fields whose items operators name by the field. */
type ListItem<M extends SiteModel, F> = FieldInput<M, F> extends readonly (infer Item)[] | null ? Item : never

type List = { readonly type: 'relationship' | 'checkboxes' | 'array' }

type ListName<Fields> = { [Name in keyof Fields]: Fields[Name] extends List ? Name : never }[keyof Fields]

/** The widgets of an area, which a patch adds to `body.items`. */
type WidgetOf<M extends SiteModel, F> =
  Extract<FieldInput<M, F>, { readonly items: object }> extends {
    readonly items: readonly (infer Widget)[]
  }
    ? Widget
    : never

/** Several values at once, and where they go. */
interface Each<Item> {
  readonly $each: readonly Item[]
  readonly $position?: number
  readonly $before?: string
  readonly $after?: string
}

/** Paths into fields: `links.0.label`, `body.items`, `@id.words`. */
type PathInto<Fields> = `${keyof Fields & string}.${string}` | `@${string}`

/** Items by the list that they are added to. */
type AddedTo<Name, M extends SiteModel> = {
  [Property in keyof Added<M, FieldsOf<M, Name>>]: Added<M, FieldsOf<M, Name>>[Property]
}

type Added<M extends SiteModel, Fields> = {
  readonly [Name in ListName<Fields>]?: ListItem<M, Fields[Name]> | Each<ListItem<M, Fields[Name]>>
} & {
  readonly [Name in keyof Fields & string as Fields[Name] extends { readonly type: 'area' } ? `${Name}.items` : never]?:
    | WidgetOf<M, Fields[Name]>
    | Each<WidgetOf<M, Fields[Name]>>
} & {
  /** Only lists take additions. */
  readonly [Name in keyof Fields as Fields[Name] extends List ? never : Name]?: never
} & { readonly [Name in IdsName<Fields>]?: string | Each<string> } & { readonly [Path in PathInto<Fields>]?: unknown }

type IdsName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends Relationship ? `${Stem<Name> & string}Ids` : never
}[keyof Fields]

/** Operands by the list that they change. */
type ByList<Name, M extends SiteModel, Operand> = { readonly [List in ListOf<FieldsOf<M, Name>>]?: Operand }

type ListOf<Fields> = ListName<Fields> | IdsName<Fields> | PathInto<Fields>

type Move = { readonly $item: string } & ({ readonly $before: string } | { readonly $after: string })

interface Operators<Name, M extends SiteModel> {
  readonly $push?: AddedTo<Name, M>
  readonly $addToSet?: AddedTo<Name, M>
  readonly $pullAll?: ByList<Name, M, readonly unknown[]>
  readonly $pullAllById?: ByList<Name, M, readonly string[]>
  readonly $move?: ByList<Name, M, Move>
}

/** Changes of some fields, by their names or paths, and operators (§4.1 PATCH). */
export type PatchOf<Name, M extends SiteModel> = [FieldsOf<M, Name>] extends [never]
  ? InputOf<Name, M> & Partial<PagePosition>
  : ChangesOf<Name, M>

/** A mapped type, so that messages name it. */
type ChangesOf<Name, M extends SiteModel> = {
  [Property in keyof Changes<Name, M>]: Changes<Name, M>[Property]
}

type Changes<Name, M extends SiteModel> = Partial<PagePosition> &
  InputOf<Name, M> &
  Operators<Name, M> & { readonly [Path in PathInto<FieldsOf<M, Name>>]?: unknown } & {
    readonly _patches?: readonly PatchOf<Name, M>[]
  }

/** The changes that `patch` takes: `DocumentPatch<typeof site, 'article'>`. */
export type DocumentPatch<Site extends SiteDeclaration, Name extends string> = PatchOf<Name, ModelOf<Site>>
