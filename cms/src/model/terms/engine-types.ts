/**
 * What hooks are handed besides the values. The model knows nothing of the engine, so the package's root names these
 * types here by declaration merging: `saveEvent`, `writeContext`, `context`, `scene`, `feature`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface EngineTypes {}

/** One of the engine's types by its name in `EngineTypes`. */
export type Engine<Name extends string> = EngineTypes extends { readonly [Key in Name]: infer Type } ? Type : unknown

/** As `EngineTypes`, for what depends on the types that a site declares: `content`. */
// biome-ignore lint/correctness/noUnusedVariables: filled in by declaration merging
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface EngineTypesOf<Types> {}

/** One of the engine's types by its name in `EngineTypesOf`, for a site that declares these types. */
export type EngineOf<Name extends string, Types> =
  EngineTypesOf<Types> extends { readonly [Key in Name]: infer Type } ? Type : unknown
