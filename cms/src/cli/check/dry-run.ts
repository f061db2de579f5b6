import { openUploads } from '../../app.ts'
import { migrateContent } from '../../engine/content-migrations/migrate-content.ts'
import type { MigrateOptions, MigrationReport } from '../../engine/content-migrations/migrate-options.ts'
import { DeclaredContent } from '../../engine/values/declared-content.ts'
import { compileSite } from '../../model/compile/site.ts'
import type { SiteDeclaration } from '../../model/compile/site-options.ts'
import { open } from '../../store/open-store.ts'
import type { Environment } from '../command/environment.ts'
import { quietLog } from '../command/json-log.ts'
import { optionsOfStored } from '../command/lost-database.ts'
import { operatorContext } from '../command/operator.ts'

/** The changes that content migrations would make, if the database were served with this site now. Changes nothing. */
export async function dryRunMigrations(
  declaration: SiteDeclaration,
  env: Environment,
  migrate: MigrateOptions,
): Promise<MigrationReport[]> {
  const site = compileSite(declaration)
  const content = new DeclaredContent(site)
  const options = { ...(await optionsOfStored(env)), log: quietLog }
  const store = await open(options.database, { ...options, migrate: false, form: content })
  const files = await openUploads(site, options)
  try {
    await content.preview(store)
    return await migrateContent(await operatorContext({ site, store, files }), content, migrate)
  } finally {
    await files.close()
    await store.close()
  }
}
