/**
 * The engine's types that hooks receive: `saveEvent`, `writeContext`, `context`, `scene`, `feature`. The model knows
 * nothing of the engine, so the package's root adds them here by declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface EngineTypes {}

/** One of the engine's types by its name in `EngineTypes`. */
export type Engine<Name extends string> = EngineTypes extends { readonly [Key in Name]: infer Type } ? Type : unknown

/** As `EngineTypes`, for what depends on what a site declares: `content`, `siteContext`. */
// biome-ignore lint/correctness/noUnusedVariables: filled in by declaration merging
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface EngineTypesOf<Site> {}

/** One of the engine's types by its name in `EngineTypesOf`, for a site of this declaration. */
export type EngineOf<Name extends string, Site> =
  EngineTypesOf<Site> extends { readonly [Key in Name]: infer Type } ? Type : unknown
