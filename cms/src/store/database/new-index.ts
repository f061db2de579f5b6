import { quotedName, type Sql, sql } from './sql.ts'

/** An index that an additive migration makes: where the database can, others write to its table meanwhile. */
export class NewIndex {
  readonly name: string
  readonly #on: Sql

  /** `on`: table and columns, as `documents (type, locale)`. It must not be unique: older processes write, too. */
  constructor(name: string, on: Sql) {
    this.name = name
    this.#on = on
  }

  /** The statement that removes it where an interrupted attempt has left it unfinished; `manner` follows `drop index`. */
  removal(manner: Sql = sql``): Sql {
    return sql`drop index ${manner} if exists ${quotedName(this.name)}`
  }

  /** The statement that makes it unless it is there; `manner` follows `create index`. */
  statement(manner: Sql = sql``): Sql {
    return sql`create index ${manner} if not exists ${quotedName(this.name)} on ${this.#on}`
  }
}
