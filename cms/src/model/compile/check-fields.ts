import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject, joinPath } from '../../base/json.ts'
import type { Field, FieldGroup, Fields } from '../field-type/field-type.ts'
import { fieldsOf } from '../field-type/options.ts'
import type { DeclaredGroup } from '../styles/style-options.ts'
import type { Report } from '../terms/configuration-error.ts'
import { labelOf } from '../terms/property-labels.ts'
import { readFields, UNBOUND } from '../values/schema.ts'
import { propertyNames } from '../values/walk.ts'

type Values = { readonly [name: string]: unknown }

/** A default must be a value that the field accepts. */
export function checkDef(field: Field, path: string, report: Report): void {
  const { name, def } = field
  if (def === undefined || def === null) return
  const bare: Field = { ...field, def: undefined, readOnly: false, required: false, if: null }
  const { problems } = readFields(fieldsOf([bare]), { [name]: def }, UNBOUND)
  for (const problem of problems) {
    report(joinPath(`${path}.def`, problem.path.slice(name.length + 1)), problem.message)
  }
}

/** Checks that a condition, declared at `path`, names only fields of the same set. */
export function checkCondition(condition: Values | null, fields: Fields['byName'], path: string, report: Report): void {
  for (const [name, value] of Object.entries(condition ?? {})) {
    if (name === '$or') {
      checkBranches(value, fields, `${path}.$or`, report)
    } else if (!fields.has(name)) {
      report(path, `"${name}" is not a sibling of this field${didYouMean(name, fields.keys())}`)
    }
  }
}

function checkBranches(value: unknown, fields: Fields['byName'], path: string, report: Report): void {
  const branches: readonly unknown[] = Array.isArray(value) ? value : []
  if (branches.length === 0) report(path, 'must be a list of conditions')
  for (const [index, branch] of branches.entries()) {
    if (isObject(branch)) checkCondition(branch, fields, `${path}.${index}`, report)
    else report(`${path}.${index}`, 'must be a condition: { field: value }')
  }
}

/** Checks that no two fields are stored under the same name. */
export function checkProperties(fields: Fields, report: Report): void {
  const owners = new Map<string, string>()
  for (const field of fields.list) {
    const { name } = field
    for (const property of propertyNames(field)) {
      const other = owners.get(property)
      if (other !== undefined) report(`add.${name}`, `"${other}" is stored as "${property}" too; rename one`)
      owners.set(property, name)
    }
  }
}

/** A unique value is compared as a whole among the documents of a type, so it must be a single text or number. */
export function checkUnique({ unique, type, options }: Field, isOfType: boolean, path: string, report: Report): void {
  if (!unique) return
  const scalar = type.choices ? undefined : type.scalar?.(options)
  if (!isOfType) report(path, 'only fields of a type itself can be unique, not those inside others')
  else if (scalar !== 'text' && scalar !== 'number') {
    report(path, `values of the field type "${type.name}" cannot be unique`)
  }
}

/** Fields of a type have an index from the start; those inside others get one, as far as their values can be filtered by. */
export function checkFilterable({ filterable, type }: Field, isOfType: boolean, path: string, report: Report): void {
  if (!filterable) return
  if (isOfType) report(path, 'lists can be filtered by each field of a type already: this is for fields inside others')
  else if (!type.index) report(path, `lists cannot be filtered by values of the field type "${type.name}"`)
}

/** A placeholder stands where nothing is typed yet. */
export function checkPlaceholder({ placeholder, type }: Field, path: string, report: Report): void {
  if (placeholder === null || !type.hasNoPlaceholder) return
  report(path, `a field of the field type "${type.name}" has no empty place to show it in; use help`)
}

type Groups = { readonly [name: string]: DeclaredGroup }

/**
 * Compiles the groups of some fields, and the groups in them (§2.8): each field is in one of them at most. `what` is what
 * other names are not: `a style field`.
 */
export function compileGroups(declared: Groups, { byName }: Fields, what: string, report: Report): FieldGroup[] {
  const taken = new Map<string, string>()
  const compile = (groups: Groups, path: string, level: number): FieldGroup[] =>
    Object.entries(groups).map(([name, { label, fields = [], group }]) => {
      const at = `${path}.${name}`
      for (const field of fields) {
        const other = taken.get(field)
        if (!byName.has(field)) report(`${at}.fields`, `"${field}" is not ${what}${didYouMean(field, byName.keys())}`)
        else if (other !== undefined) report(`${at}.fields`, `"${field}" is in the group "${other}" already`)
        taken.set(field, name)
      }
      if (group && level > 1)
        report(`${at}.group`, 'a group is a tab, a group in it a section; sections have no groups')
      return { name, label: label ?? labelOf(name), fields, groups: compile(group ?? {}, `${at}.group`, level + 1) }
    })
  return compile(declared, 'group', 1)
}
