/** A preset: the options of a style field, with its inner fields if it has some. */
export interface Preset {
  readonly [option: string]: unknown
  readonly type: string
}

/** Style fields that are ready to be used by their names (§2.9). */
export interface Presets {
  /** Adds a preset, or replaces one. Works only inside `registerPresets`. */
  setPreset(name: string, preset: Preset): void
  /** A copy of a preset; undefined when there is none of that name. */
  getPreset(name: string): Preset | undefined
  hasPreset(name: string): boolean
}

/** The default colours of built-in presets. */
export interface DefaultStyles {
  readonly borderColor: string
  readonly shadowColor: string
}
