import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject } from '../../base/json.ts'
import type { Type } from '../declared/types.ts'
import type { Fields } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'
import { targetsOf } from '../values/walk.ts'
import { projectionNames } from './compile-type.ts'

/**
 * Checks what relationships declare about other types, when all types are compiled. `name` is the declaring type's own.
 */
export function checkRelated(
  fields: Fields,
  name: string,
  types: ReadonlyMap<string, Type>,
  report: (field: string) => Report,
): void {
  for (const field of fields.list) {
    const options: Options = field.options
    const others = targetsOf(field).flatMap((other) => types.get(other) ?? [])
    const [other] = others
    if (other === undefined) continue
    if (field.type.relation === 'reverse') checkReverse(options, name, other, report(field.name))
    checkProject(options, others, report(field.name))
  }
}

interface Options {
  readonly reverseOf?: string
  readonly builders?: unknown
}

function checkReverse({ reverseOf = '' }: Options, name: string, other: Type, report: Report): void {
  const relationships = other.fields.list.filter((field) => field.type.relation === 'forward')
  const relationship = relationships.find((field) => field.name === reverseOf)
  if (relationship === undefined) {
    const hint = didYouMean(
      reverseOf,
      relationships.map(({ name }) => name),
    )
    report('reverseOf', `"${reverseOf}" is not a relationship of ${other.name}${hint}`)
  } else if (!targetsOf(relationship).includes(name)) {
    report(
      'reverseOf',
      `"${reverseOf}" of ${other.name} points to ${targetsOf(relationship).join(' or ')}, not to ${name}`,
    )
  }
}

/** Each type need not have all fields that a relationship to several shows. */
function checkProject({ builders }: Options, others: readonly Type[], report: Report): void {
  const project = isObject(builders) && isObject(builders.project) ? builders.project : {}
  const known = others.flatMap(({ fields }) => projectionNames(fields))
  const names = others.map((other) => other.name).join(' or ')
  for (const name of Object.keys(project)) {
    if (known.includes(name)) continue
    report('builders.project', `"${name}" is not a field of ${names}${didYouMean(name, known)}`)
  }
}
