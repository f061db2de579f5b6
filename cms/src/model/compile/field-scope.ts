import type { WidgetType } from '../declared/types.ts'
import type { Fields, FieldType } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'

/** The names that declared fields may refer to, and where mistakes are reported. */
export interface FieldScope {
  readonly fieldTypes: ReadonlyMap<string, FieldType>
  /** All types of the site, by their full names. */
  readonly typeNames: ReadonlySet<string>
  /** The types of pages, without that of the archive: those that `@cms/any-page` stands for. */
  readonly pageTypes: readonly string[]
  /** The fields of all widget types as declared, by full name. */
  readonly widgets: ReadonlyMap<string, unknown>
  /** The names of the groups of files that the site takes. */
  readonly fileGroups: readonly string[]
  /** The hosts of the site, and those that it names for pictures in rich text. */
  readonly imageHosts: readonly string[]
  /** With absolute paths. */
  readonly report: Report
  /** The name with the site's own prefix in place of `@cms`. */
  fullName(name: string): string
  /** The compiled widget type; call it only after all types are compiled. */
  widget(name: string): WidgetType | undefined
  /** True when the site's styles set the gap of all layouts; call it only after all types are compiled. */
  hasLayoutGap(): boolean
  /** Registers work for when all fields of the site are compiled: fills in what was unknown before. */
  link(work: () => void): void
  /** Registers work for when everything is filled in. */
  check(work: () => void): void
}

/** Where a set of fields is declared. */
export interface FieldSetContext {
  /** The key path of the set, `types.article.fields`. */
  readonly path: string
  /** Names that are reserved there. */
  readonly reserved: readonly string[]
  /** Built-in fields, which precede the declared ones. */
  readonly common?: { readonly [name: string]: object }
  /** Common fields that may also be declared; their declared options are already in `common`. */
  readonly adjustable?: readonly string[]
  /** Other fields of the same holders, which conditions may name, too. */
  readonly otherFields?: Fields
}
