import type { Field, Fields } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import { targetOf } from '../../model/target.ts'

/**
 * What is done with a field of an answer: `open`: looked into, since it holds fields; `relate`, `attach`: filled in;
 * `link`: what its text links to is named beside it; `hide`: removed.
 */
export type Task = 'none' | 'open' | 'relate' | 'attach' | 'link' | 'hide'

/** A field, and what is done with it for callers of one audience. */
export interface PlannedField {
  readonly field: Field
  /** Those under which it is stored. */
  readonly names: readonly string[]
  readonly task: Task
  /** The caller may know the ids of related documents that are not filled in. */
  readonly seesIds: boolean
}

/** What fields are planned by: all that depends on the audience. */
export interface FieldPlansOptions {
  /** Annotations are for callers who see the whole document. */
  readonly annotates: boolean
  /** Whether the caller may not see a field, wherever it lies. */
  isHidden(field: Field): boolean
  /** Whether the caller may know of every document of a type. */
  seesAllOf(typeName: string): boolean
}

/** What is done with fields for callers of one audience, at any depth; each set of fields is planned when it is met. */
export class FieldPlans {
  readonly annotates: boolean
  readonly #options: FieldPlansOptions
  readonly #planned = new Map<Fields, readonly PlannedField[]>()

  constructor(options: FieldPlansOptions) {
    this.#options = options
    this.annotates = options.annotates
  }

  of(fields: Fields): readonly PlannedField[] {
    const known = this.#planned.get(fields)
    if (known !== undefined) return known
    const planned = fields.list.map((field) => this.plan(field))
    this.#planned.set(fields, planned)
    return planned
  }

  plan(field: Field): PlannedField {
    const target = targetOf(field)
    const seesIds = target !== null && this.#options.seesAllOf(target)
    return { field, names: propertyNames(field), task: this.#taskOf(field), seesIds }
  }

  #taskOf(field: Field): Task {
    const { type } = field
    if (type.secret !== undefined || this.#options.isHidden(field)) return 'hide'
    if (type.relation !== undefined) return 'relate'
    if (type.file) return 'attach'
    if (type.children) return 'open'
    return type.setByAreas && this.annotates ? 'link' : 'none'
  }
}
