/** An input of which every name is one that `Known` has: objects made by functions are refused others, too. */
export type Exact<Given, Known> = unknown extends Known
  ? Given
  : [Known] extends [never]
    ? never
    : Given extends readonly unknown[]
      ? { readonly [Index in keyof Given]: Exact<Given[Index], ItemOf<Known>> }
      : Given extends object
        ? { readonly [Name in keyof Given]: Exact<Given[Name], ValueAt<Variant<Given, Known>, Name>> }
        : Given

type ItemOf<Known> = Known extends readonly (infer Item)[] ? Item : never

/** The kinds that the given object is of: of widgets those with its type. */
type Variant<Given, Known> = Given extends { readonly type: infer Type }
  ? Extract<Known, { readonly type: Type }>
  : Exclude<Extract<Known, object>, readonly unknown[]>

type ValueAt<Known, Name> = Known extends unknown ? (Name extends keyof Known ? Known[Name] : never) : never
