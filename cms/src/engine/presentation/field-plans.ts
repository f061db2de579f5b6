import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { propertyNames } from '../../model/values/property-names.ts'
import type { linkedIds } from '../../model/values/rich-text-links.ts'
import { targetOf } from '../../model/values/target.ts'

/**
 * What happens to a field of an answer: `open`: its inner fields are processed; `relate`, `attach`: documents or a file
 * are filled in; `link`: the ids that its text, and those of its neighbours, link to are added beside it; `hide`: it is
 * removed.
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
  readonly links: Links | null
}

/** Which fields of a holder are rich text, and the names under which the ids that they link to are added. */
export interface Links {
  readonly texts: readonly string[]
  readonly names: readonly LinkName[]
}

type LinkName = keyof ReturnType<typeof linkedIds>

/** All names under which the ids that rich text links to are added. */
export const LINK_NAMES: readonly LinkName[] = ['permalinkIds', 'imageIds']

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
    const planned = this.plan(fields.list, fields)
    this.#planned.set(fields, planned)
    return planned
  }

  /** Plans for those fields of a holder that are shown. */
  plan(shown: readonly Field[], { list }: Fields): readonly PlannedField[] {
    const texts = shown.filter((field) => this.#taskOf(field) === 'link').map(({ name }) => name)
    // A relationship `_image` is stored as `imageIds`, too.
    const names = LINK_NAMES.filter((name) => !list.some((field) => propertyNames(field).includes(name)))
    return shown.map((field) => {
      const target = targetOf(field)
      const seesIds = target !== null && this.#options.seesAllOf(target)
      const links = field.name === texts[0] && names.length > 0 ? { texts, names } : null
      const task = this.#taskOf(field)
      return { field, names: propertyNames(field), task: task === 'link' && !links ? 'none' : task, seesIds, links }
    })
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
