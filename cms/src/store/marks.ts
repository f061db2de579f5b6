import { sql } from './sql.ts'
import type { Connection } from './statement.ts'
import type { MarkReader, MarkWriter } from './store.ts'

/** Reads small facts that outlast a process. */
export class Marks implements MarkReader {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  async get(name: string): Promise<string | null> {
    const [row] = await this.connection.all<{ value: string }>(sql`select value from meta where name = ${keyOf(name)}`)
    return row?.value ?? null
  }
}

/** Changes them. */
export class WritableMarks extends Marks implements MarkWriter {
  async set(name: string, value: string): Promise<void> {
    await this.connection.all(
      sql`insert into meta (name, value) values (${keyOf(name)}, ${value})
        on conflict (name) do update set value = excluded.value`,
    )
  }

  async remove(name: string): Promise<void> {
    await this.connection.all(sql`delete from meta where name = ${keyOf(name)}`)
  }

  async takeTurn(name: string, now: string, before: string): Promise<boolean> {
    const rows = await this.connection.all(
      sql`insert into meta (name, value) values (${keyOf(name)}, ${now})
        on conflict (name) do update set value = excluded.value where meta.value <= ${before} returning name`,
    )
    return rows.length > 0
  }
}

/** Apart from what the store itself remembers. */
function keyOf(name: string): string {
  return `mark:${name}`
}
