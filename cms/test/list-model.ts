import { foldText, searchWords } from '../src/base/text.ts'
import type { OpenDocument } from '../src/model/terms/document.ts'
import type {
  Bounds,
  Condition,
  IndexRow,
  Put,
  Query,
  RelatedTarget,
  Sort,
  TextMatch,
  Through,
  View,
} from '../src/store/contract/store.ts'
import { titleKey } from '../src/store/database/rows.ts'

/** A stored copy. */
interface Copy {
  readonly row: number
  readonly put: Put
}

/** What is stored, and what lists must hold: told by a walk through all of it. */
export class ListModel {
  readonly #copies = new Map<string, Copy>()
  #rows = 0

  get(key: string): Copy | undefined {
    return this.#copies.get(key)
  }

  set(key: string, put: Put): void {
    this.#rows += 1
    this.#copies.set(key, { row: this.#copies.get(key)?.row ?? this.#rows, put })
  }

  delete(key: string): void {
    this.#copies.delete(key)
  }

  find(query: Query): { readonly ids: readonly string[]; readonly total: number } {
    const found = [...this.#copies.values()].filter(({ put }) => this.#isIn(query, put))
    const ids = query.docIds !== undefined && query.sort.length === 0 ? query.docIds : null
    const order = [...new Set(ids ?? [])]
    const place = ({ put }: Copy) => order.indexOf(put.document.id.docId)
    found.sort((one, other) => (ids === null ? compare(query.sort, one, other) : place(one) - place(other)))
    const page = found.slice(query.offset, query.offset + query.limit)
    return { ids: page.map(({ put }) => put.document.id.docId), total: found.length }
  }

  #isIn(query: Query, put: Put): boolean {
    const { document } = put
    const { docId } = document.id
    if (query.docIds?.includes(docId) === false) return false
    const { words = [], isPrefix = false } = query.search ?? {}
    const inTitle = searchWords(String(document.fields.title))
    const isHit = (forms: readonly string[], index: number) => {
      const isBeginning = isPrefix && index === words.length - 1
      return forms.some((form) => inTitle.some((word) => (isBeginning ? word.startsWith(form) : word === form)))
    }
    if (!words.every(isHit)) return false
    return isShown(query, document) && query.conditions.every((condition) => this.#holds(condition, put))
  }

  #holds(condition: Condition, put: Put): boolean {
    const { document, indexRows } = put
    const values = (name: string) => indexRows.filter((row) => row.name === name)
    switch (condition.kind) {
      case 'all':
        return condition.of.every((one) => this.#holds(one, put))
      case 'any':
        return condition.of.some((one) => this.#holds(one, put))
      case 'not':
        return !this.#holds(condition.of, put)
      case 'through':
        return this.#related(condition, put).some((one) => this.#holds(condition.of, one))
      case 'used':
      case 'extension':
      case 'pixels':
      case 'missingIn':
      case 'outdatedIn':
      case 'scheduled':
        throw new Error('The documents of this model have no files, no schedules, and one locale.')
      case 'filled':
        return values(condition.name).length > 0
      case 'text':
        return values(condition.name).some(({ text }) => text !== null && isMatch(condition, text))
      case 'columnText':
        return isMatch(condition, foldText(String(document.fields[condition.column])))
      case 'equals':
        return values(condition.name).some(({ text, number }) =>
          condition.anyOf.includes(text ?? number ?? 'none at all'),
        )
      case 'range':
        return values(condition.name).some(({ number }) => {
          return number !== null && isWithin(condition, number)
        })
      case 'column': {
        const value = foldText(String(document.fields[condition.column]))
        return condition.anyOf.some((text) => foldText(text) === value)
      }
      case 'columnRange':
        return isWithin(condition, document.updatedAt)
      case 'state':
        return condition.anyOf.includes(stateOf(document))
      case 'updatedBy':
        return condition.anyOf.some((id) => id === document.updatedBy._id)
      case 'visibility':
        return condition.anyOf.some((visibility) => visibility === document.fields.visibility)
      case 'related': {
        const names = this.#namesOf(condition.targets, indexRows)
        const named = names.some((name) => condition.anyOf.includes(name))
        return named || (condition.orNone === true && names.length === 0)
      }
      case 'relatedToAll': {
        const names = this.#namesOf(condition.targets, indexRows)
        return condition.allOf.every((name) => names.includes(name))
      }
      case 'unrelated':
        return this.#namesOf(condition.targets, indexRows).length === 0
      case 'never':
        return false
    }
  }

  #related({ direction, name, target }: Through, { document, indexRows }: Put): Put[] {
    const pointsTo = (rows: readonly IndexRow[], docId: string) =>
      rows.some((row) => row.name === name && row.text === docId)
    return [...this.#copies.values()].flatMap(({ put }) => {
      const isRelated =
        direction === 'forward'
          ? pointsTo(indexRows, put.document.id.docId)
          : pointsTo(put.indexRows, document.id.docId)
      return isRelated && isShown(target, put.document) ? [put] : []
    })
  }

  #namesOf(targets: readonly RelatedTarget[], indexRows: readonly IndexRow[]): string[] {
    return targets.flatMap(({ view, by }) =>
      this.#targets(view, indexRows).map(({ id, fields }) => (by === 'id' ? id.docId : String(fields.slug))),
    )
  }

  #targets(view: View, indexRows: readonly IndexRow[]): OpenDocument[] {
    const ids = indexRows.filter(({ name }) => name === '_topics').map(({ text }) => text)
    const all = [...this.#copies.values()].map(({ put }) => put.document)
    return all.filter((document) => ids.includes(document.id.docId) && isShown(view, document))
  }
}

function isMatch({ is, text }: { readonly is: TextMatch; readonly text: string }, value: string): boolean {
  return is === 'part' ? value.includes(text) : value.startsWith(text)
}

function isWithin<Value extends string | number>(bounds: Bounds<string | number>, value: Value): boolean {
  const { min = value, max = value, above, below } = bounds
  return (
    value >= min && value <= max && (above === undefined || value > above) && (below === undefined || value < below)
  )
}

function stateOf({ id, fields, lastPublishedAt, modified }: OpenDocument) {
  if (fields.archived) return 'archived'
  if (id.locale === '') return 'published'
  return lastPublishedAt === null ? 'draft' : modified ? 'modified' : 'published'
}

function isShown(view: View, { id, type, fields }: OpenDocument): boolean {
  return (
    type === view.type &&
    id.locale === view.locale &&
    id.mode === view.mode &&
    (view.archived === 'any' || fields.archived === view.archived) &&
    (view.visibility === null || fields.visibility === view.visibility)
  )
}

function compare(sorts: readonly Sort[], one: Copy, other: Copy): number {
  const given: readonly Sort[] = sorts.length > 0 ? sorts : [{ by: 'column', column: 'updatedAt', direction: -1 }]
  for (const sort of given) {
    const left = cellOf(sort, one.put)
    const right = cellOf(sort, other.put)
    if (left === right) continue
    if (left === null || right === null) return left === null ? 1 : -1
    const difference =
      typeof left === 'number' ? left - Number(right) : Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
    if (difference !== 0) return difference * sort.direction
  }
  return (one.row - other.row) * (given[0]?.direction ?? -1)
}

function cellOf(sort: Sort, { document, indexRows }: Put): string | number | null {
  if (sort.by === 'field') return indexRows.find(({ name }) => name === sort.name)?.[sort.value] ?? null
  if (sort.by === 'schedule') throw new Error('The documents of this model have no schedules.')
  if (sort.column === 'createdAt' || sort.column === 'updatedAt' || sort.column === 'lastPublishedAt')
    return document[sort.column]
  const text = String(document.fields[sort.column])
  return sort.column === 'title' ? titleKey(text) : foldText(text)
}
