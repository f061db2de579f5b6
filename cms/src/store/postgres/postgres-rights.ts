import type { Connection } from '../database/connection.ts'
import { quotedName, type Sql, sql } from '../database/sql.ts'

const PRIVILEGES: Readonly<Record<string, Sql>> = {
  SELECT: sql`select`,
  INSERT: sql`insert`,
  UPDATE: sql`update`,
  DELETE: sql`delete`,
}

/** A right of an account that does not own the tables: `what` and `who` of a `grant`. */
interface Right {
  readonly what: Sql
  readonly who: Sql
}

/** The rights that accounts other than the owner have on documents, to be granted on tables that are created again. */
export async function rightsOfOthers(connection: Connection): Promise<readonly Right[]> {
  const found = await connection.all<{ grantee: string; privilege: string }>(
    sql`select pg_get_userbyid(acl.grantee) as grantee, acl.privilege_type as privilege
      from pg_class c cross join lateral aclexplode(c.relacl) acl
      where c.oid = to_regclass('documents') and acl.grantee not in (0, c.relowner)`,
  )
  return found.flatMap(({ grantee, privilege }) => {
    const what = PRIVILEGES[privilege]
    return what === undefined ? [] : [{ what, who: quotedName(grantee) }]
  })
}
