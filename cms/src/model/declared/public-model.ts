import type { Stem } from './infer.ts'
import type { ContentType, IsUnknown, SiteModel } from './site-model.ts'

/** The fields that a projection names, by their own names or those of their ids. */
type Projected<Fields, Public> = {
  readonly [Name in keyof Fields as Name extends Public
    ? Name
    : `${Stem<Name> & string}Ids` extends Public
      ? Name
      : never]: Fields[Name]
}

type PublicType<Type> =
  Type extends ContentType<infer Name, infer Fields, infer Family, infer Pieces, infer Parameter, infer Public>
    ? ContentType<Name, Projected<Fields, Public>, Family, Pieces, Parameter, Public>
    : never

/**
 * A site as anonymous callers know it: each type with the fields that its `publicApiProjection` names. Types without
 * one are not there, but pages, which the projection of the site's `pages` may show.
 */
export type PublicModel<M extends SiteModel> =
  IsUnknown<M> extends true
    ? M
    : {
        readonly types: {
          readonly [Name in keyof M['types'] as M['types'][Name] extends { readonly projected?: never }
            ? M['types'][Name]['family'] extends 'page'
              ? Name
              : never
            : Name]: PublicType<M['types'][Name]>
        }
        readonly widgets: M['widgets']
        readonly global: M['global']
        readonly locale: M['locale']
      }
