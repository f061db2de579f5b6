import { hash } from 'node:crypto'
import type { Type } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document-id.ts'

/**
 * The aposDocId of a document that the service creates itself: the same on every machine, so that it is created once.
 */
export function fixedId(name: string): string {
  return `s${hash('sha256', name).slice(0, 25)}`
}

/**
 * The aposDocId of the document of a singleton type: the same in every locale and database. Only a type that was
 * renamed has that of its former name instead (`storedSingletonIds`).
 */
export function singletonId(type: Type): DocId {
  return fixedId(type.name)
}

/**
 * The ids with which the document of a singleton type of this name may have been made. A renamed type keeps its id, so
 * that a new type with its former name needs another one (§2.14).
 */
export function ownSingletonIds(names: TypeNames, name: string): readonly DocId[] {
  const others = Array.from({ length: names.timesRenamed(name) }, (_, index) => fixedId(`${name} ${index + 2}`))
  return [fixedId(name), ...others]
}

/** The ids that the document of a singleton type may have: that of a former name of the type is kept (§2.14). */
export function possibleSingletonIds(names: TypeNames, name: string): readonly DocId[] {
  return names.typeNames(name).flatMap((one) => ownSingletonIds(names, one))
}

/** The former names of types in a database: `DeclaredContent`. */
export interface TypeNames {
  typeNames(name: string): readonly string[]
  timesRenamed(name: string): number
}
