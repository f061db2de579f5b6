/** A container that a value is moved into. */
export interface Container {
  readonly name: string
  readonly kind: 'object' | 'array'
}

/** The values of a field get another name, or another place in what contains them. */
export interface MovedField {
  readonly kind: 'field'
  /** The set of fields that both are in: `article`, `article/links`, `widget:quote`. */
  readonly set: string
  /** The objects that contain the values now, and the name of the field. */
  readonly from: readonly string[]
  /** The new containers, outermost first, and the new name. */
  readonly into: readonly Container[]
  readonly to: string
}

/** A choice of a field gets another value. */
export interface RenamedChoice {
  readonly kind: 'choice'
  readonly set: string
  readonly field: string
  readonly from: string
  readonly to: string
}

/** A type of pieces or pages gets another name. */
interface RenamedType {
  readonly kind: 'type'
  readonly from: string
  readonly to: string
}

/** A type of widgets gets another name. */
export interface RenamedWidget {
  readonly kind: 'widget'
  readonly from: string
  readonly to: string
}

/** A move of a content migration: values stored before are read as moved, in versions, too (§2.14). */
export type Move = MovedField | RenamedChoice | RenamedType | RenamedWidget
