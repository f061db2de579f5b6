/** The tables of a database, and who may use them (§0.11). */
export interface TablesState {
  /** How many migrations they have seen; 0 where there are none. */
  readonly version: number
  /** The oldest program that may use them, by the version it knows: all migrations since were additive. */
  readonly oldest: number
}

/** The state of a database that has no tables. */
export const NO_TABLES: TablesState = { version: 0, oldest: 0 }

/** The settings that hold the state: programs that know nothing of additive migrations read the first as the version. */
export const STATE_SETTINGS = { oldest: 'version', version: 'tables' } as const

/** The columns of a query for the state, for `stateOf`. */
export const STATE_COLUMNS = `(select value from meta where name = '${STATE_SETTINGS.oldest}') as oldest,
  (select value from meta where name = '${STATE_SETTINGS.version}') as version`

/** A query for the state alone. */
export const TABLES_STATE = `select ${STATE_COLUMNS}`

/** The state of tables as the two settings hold it. */
export function stateOf(settings: Readonly<{ [Name in keyof TablesState]?: unknown }>): TablesState {
  const oldest = Number(settings.oldest ?? 0)
  return { oldest, version: Number(settings.version ?? oldest) }
}

/** Whether a program may use tables as they are; `known`: the version that it knows. */
export function isUsableBy(known: number, { version, oldest }: TablesState): boolean {
  return oldest <= known && known <= version
}
