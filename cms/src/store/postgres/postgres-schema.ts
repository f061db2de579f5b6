import { UnusableDatabase } from '../database/unusable-database.ts'

/** As part of the names of connections, which have 63 letters. */
const NAME = /^[a-z_][a-z0-9_]{0,29}$/

/** The schema that an address names, for several services in one database: `?schema=blog`; null where it names none. */
export function schemaOf(url: string): string | null {
  const [, schema] = /[?&]schema=([^&#]*)/.exec(url) ?? []
  if (schema === undefined) return null
  if (NAME.test(schema)) return schema
  throw new UnusableDatabase(
    `The address of the database has the schema “${schema}”. Its name may have 30 small letters, digits and underscores.`,
  )
}

/** The option of a connection that makes names mean the tables of a schema, and of no other. */
export function schemaOption(schema: string | null): string {
  return schema === null ? '' : ` -c search_path=${schema}`
}

/** The schema of connections whose address and account name none. */
const PUBLIC = 'public'

/** The prefix of the names of connections of one service, which sets them apart from those of others in the same database. */
export function connectionPrefix(announcing: string, schema: string | null): string {
  return schema === null || schema === PUBLIC ? announcing : `${announcing}${schema}+`
}

/** Throws where a connection is not in the schema that its address names. */
export function assertSchema(schema: string | null, current: string | null): void {
  if (schema === null || schema === current) return
  throw new UnusableDatabase(
    current === null
      ? `The database has no schema “${schema}”. Create it: create schema ${schema} authorization …`
      : `Connections are in the schema “${current}”, not in “${schema}”: a pooler does not pass it on. Set it for the account: alter role … set search_path = ${schema}`,
  )
}
