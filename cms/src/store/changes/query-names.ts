import { foldText } from '../../base/text.ts'
import { namedBy } from '../database/index-keys.ts'
import { scopeKey } from '../database/rows.ts'
import { changed, type Name } from '../terms/changes.ts'
import type { Condition, Filter, Query, RelatedTarget, Scope } from '../terms/document-query.ts'

/** A query by more values than this depends on the whole list. */
const MOST_VALUES = 100

/** The names that a query depends on: until one of them changes, it finds the same. */
export function namesOf(query: Filter): readonly Name[] {
  return [...targetNames(query), ...matchNames(query)]
}

/** The names of other documents that its conditions depend on. */
export function targetNames({ conditions }: Filter): readonly Name[] {
  return conditions.flatMap(targetNamesOf)
}

/**
 * The names that decide which documents match, and in what order. All changes of a document are announced under each of
 * its values, so the values of one condition that all of them fulfil are enough: the condition with the fewest.
 */
function matchNames(query: Filter): readonly Name[] {
  let fewest: readonly Name[] | null = null
  const choices = query.conditions.map((condition) => namesOfMatches(query, condition))
  if (query.docIds !== undefined && query.docIds.length <= MOST_VALUES) {
    const { locale, mode } = query
    choices.push(query.docIds.map((docId) => changed.copy({ docId, locale, mode })))
  }
  for (const names of choices)
    if (names !== null && names.length < (fewest?.length ?? Number.POSITIVE_INFINITY)) fewest = names
  return fewest ?? [changed.list(query)]
}

/** The names of all documents that fulfil a condition; null when only that of the list covers them. */
function namesOfMatches(scope: Scope, condition: Condition): readonly Name[] | null {
  switch (condition.kind) {
    case 'never':
      return []
    case 'equals':
      return valuesOf(scope, condition.name, condition.anyOf)
    case 'column':
      if (condition.column !== 'slug' || condition.anyOf.length > MOST_VALUES) return null
      return condition.anyOf.map((slug) => changed.slug(scope, foldText(slug)))
    case 'related':
      return condition.orNone ? null : namesOfPointing(scope, condition, condition.anyOf)
    case 'relatedToAll':
      return namesOfPointing(scope, condition, condition.allOf.slice(0, 1))
    default:
      return null
  }
}

/** The names of all documents that point to some, where those are named by id; else null. */
function namesOfPointing(
  scope: Scope,
  { name, targets }: { readonly name: string; readonly targets: readonly RelatedTarget[] },
  values: readonly string[],
): readonly Name[] | null {
  return targets.every(({ by }) => by === 'id') ? valuesOf(scope, name, namedBy('id', values)) : null
}

/** The names of all documents of a list with one of these values; null when there are too many. */
export function valuesOf(scope: Scope, name: string, values: readonly (string | number)[]): readonly Name[] | null {
  return values.length > MOST_VALUES ? null : values.map((value) => changed.value(scope, name, value))
}

function namesOfTarget({ view, by }: RelatedTarget, values: readonly string[]): Name[] {
  const { locale, mode } = view
  return namedBy(by, values).map((name) =>
    by === 'slug' ? changed.slug(view, name) : changed.copy({ docId: name, locale, mode }),
  )
}

const MODES = ['draft', 'published'] as const

/** The names of other documents that a condition depends on. */
function targetNamesOf(condition: Condition): readonly Name[] {
  switch (condition.kind) {
    case 'used':
      return condition.references.flatMap((one) => MODES.map((mode) => changed.list({ ...one, mode })))
    case 'missingIn':
    case 'outdatedIn':
      return MODES.map((mode) => changed.list({ ...condition, mode }))
    case 'unrelated':
      return condition.targets.map(({ view }) => changed.list(view))
    case 'related':
    case 'relatedToAll': {
      const values = condition.kind === 'related' ? condition.anyOf : condition.allOf
      const isAny = (condition.kind === 'related' && condition.orNone) || values.length > MOST_VALUES
      return condition.targets.flatMap((target) =>
        isAny ? [changed.list(target.view)] : namesOfTarget(target, values),
      )
    }
    case 'through':
      return [changed.list(condition.target), ...targetNamesOf(condition.of)]
    case 'all':
    case 'any':
      return condition.of.flatMap(targetNamesOf)
    case 'not':
      return targetNamesOf(condition.of)
    default:
      return []
  }
}

/** A query without its page, as a key. */
export function queryKey(query: Filter & Pick<Query, 'sort'>): string {
  const { archived, visibility, conditions, docIds = null, search = null, sort } = query
  const words = search && [search.words, search.isPrefix]
  return JSON.stringify([scopeKey(query), archived, visibility, conditions, docIds, words, sort])
}
