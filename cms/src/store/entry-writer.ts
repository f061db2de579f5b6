import type { Cell, Dialect } from './dialect.ts'
import { scopeKey, scopeOf, stateOf } from './rows.ts'
import { joined, type Sql, sql } from './sql.ts'
import type { Connection } from './statement.ts'
import type { Entry, Put } from './store.ts'

/** Writes what lists find documents by, in one transaction. */
export class EntryWriter {
  readonly #connection: Connection
  readonly #dialect: Dialect

  constructor(connection: Connection, dialect: Dialect) {
    this.#connection = connection
    this.#dialect = dialect
  }

  /** At most two statements, whatever the number of copies. */
  async change(changes: readonly EntryChanges[]): Promise<void> {
    const replaced = changes.filter((change) => change.isReplaced).map((change) => change.row)
    const removed = changes.flatMap((change) => change.removed)
    const added = changes.flatMap((change) => change.added)
    if (replaced.length > 0 || removed.length > 0) await this.#connection.all(this.#deletion(replaced, removed))
    if (added.length > 0) await this.#connection.all(this.#insertion(added))
  }

  #deletion(replaced: readonly number[], removed: readonly (readonly Cell[])[]): Sql {
    const parts: Sql[] = []
    if (replaced.length > 0) parts.push(this.#dialect.oneOf(sql`document`, replaced, 'integer'))
    if (removed.length > 0) {
      const table = this.#dialect.table('r', { document: 'integer', name: 'text', place: 'integer' }, removed)
      parts.push(sql`(document, name, place) in (select r.document, r.name, r.place from ${table})`)
    }
    return sql`delete from entries where ${joined(parts, ' or ')}`
  }

  #insertion(added: readonly (readonly Cell[])[]): Sql {
    const table = this.#dialect.table(
      'r',
      {
        document: 'integer',
        scope: 'text',
        state: 'integer',
        kind: 'text',
        name: 'text',
        place: 'integer',
        text: 'text',
        number: 'number',
      },
      added,
    )
    return sql`insert into entries (document, scope, state, kind, name, place, text, number)
      select r.document, r.scope, r.state, r.kind, r.name, r.place, r.text, r.number from ${table}`
  }
}

/** What is to be changed for one copy. */
export interface EntryChanges {
  readonly row: number
  /** Everything that is there goes first: scope or state are others now. */
  readonly isReplaced: boolean
  /** Row, name and place. */
  readonly removed: readonly (readonly Cell[])[]
  readonly added: readonly (readonly Cell[])[]
}

/** What differs between what the index holds of a copy and what it shall hold. */
export function entryChanges({ document, entries, before }: Put, row: number): EntryChanges {
  const scope = scopeKey(scopeOf(document))
  const state = stateOf(document)
  const isReplaced =
    before !== null && (scopeKey(scopeOf(before.document)) !== scope || stateOf(before.document) !== state)
  const toRow = ([, place, entry]: Placed) => [
    row,
    scope,
    state,
    entry.kind,
    entry.name,
    place,
    entry.text,
    entry.number,
  ]
  const after = placed(entries)
  if (before === null || isReplaced) return { row, isReplaced, removed: [], added: after.map(toRow) }
  const stored = placed(before.entries)
  const storedKeys = new Set(stored.map(([key]) => key))
  const keys = new Set(after.map(([key]) => key))
  return {
    row,
    isReplaced,
    removed: stored.filter(([key]) => !keys.has(key)).map(([, place, entry]) => [row, entry.name, place]),
    added: after.filter(([key]) => !storedKeys.has(key)).map(toRow),
  }
}

/** A text that tells entries of a document apart, the place among those of its name, and the entry. */
type Placed = readonly [key: string, place: number, entry: Entry]

function placed(entries: readonly Entry[]): readonly Placed[] {
  const places = new Map<string, number>()
  return entries.map((entry) => {
    const place = places.get(entry.name) ?? 0
    places.set(entry.name, place + 1)
    return [JSON.stringify([entry.name, place, entry.kind, entry.text, entry.number]), place, entry]
  })
}
