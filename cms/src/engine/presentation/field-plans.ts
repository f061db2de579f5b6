import type { Field, Fields } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import { targetOf } from '../../model/target.ts'

/**
 * What happens to a field of an answer: `open`: its inner fields are processed; `relate`, `attach`: documents or a file
 * are filled in; `link`: the ids that its text links to are added beside it; `hide`: it is removed.
 */
export type Task = 'none' | 'open' | 'relate' | 'attach' | 'link' | 'hide'

/** A field, and what happens to it for callers of one audience. */
export interface PlannedField {
  readonly field: Field
  /** The names under which it is stored. */
  readonly names: readonly string[]
  readonly task: Task
  /** The caller may know the ids of related documents that are not filled in. */
  readonly seesIds: boolean
}

/** All that field plans depend on besides the fields. */
export interface FieldPlansOptions {
  /** Annotations are for callers who see the whole document. */
  readonly annotates: boolean
  /** Whether the caller may not see a field, wherever it lies. */
  isHidden(field: Field): boolean
  /** Whether the caller may know of every document of a type. */
  seesAllOf(typeName: string): boolean
}

/** Plans for the fields of callers of one audience, at any depth; each set of fields is planned at the first use. */
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
