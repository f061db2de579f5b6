import type { Dialect } from '../database/dialect.ts'
import type { Sql } from '../database/sql.ts'
import { start } from './0001-start.ts'
import { access } from './0002-access.ts'
import { pages } from './0003-pages.ts'
import { media } from './0004-media.ts'
import { leftOverFiles } from './0005-left-over-files.ts'
import { idempotency } from './0006-idempotency.ts'
import { previews } from './0007-previews.ts'
import { clipboards } from './0008-clipboards.ts'
import { versions } from './0009-versions.ts'
import { earlierContents } from './0010-earlier-contents.ts'
import { contents } from './0011-contents.ts'
import { changes } from './0012-changes.ts'
import { contentMigrations } from './0013-content-migrations.ts'
import { jobs } from './0014-jobs.ts'
import { webhooks } from './0015-webhooks.ts'
import { schedules } from './0016-schedules.ts'
import { searchHashes } from './0017-search-hashes.ts'
import { modeLast } from './0018-mode-last.ts'
import { searchMerges } from './0019-search-merges.ts'
import { wasPublished } from './0020-was-published.ts'
import type { ByRange } from './by-range.ts'
import type { TABLES_VERSION } from './tables-version.ts'

/** A step from one shape of the tables to the next. Runs on every database. */
export interface Migration {
  readonly name: string
  readonly statements: (dialect: Dialect) => readonly (Sql | ByRange)[]
}

/** All steps, in order. The version of a database is how many of them it has seen. */
export const MIGRATIONS = [
  { name: '0001-start', statements: start },
  { name: '0002-access', statements: access },
  { name: '0003-pages', statements: pages },
  { name: '0004-media', statements: media },
  { name: '0005-left-over-files', statements: leftOverFiles },
  { name: '0006-idempotency', statements: idempotency },
  { name: '0007-previews', statements: previews },
  { name: '0008-clipboards', statements: clipboards },
  { name: '0009-versions', statements: versions },
  { name: '0010-earlier-contents', statements: earlierContents },
  { name: '0011-contents', statements: contents },
  { name: '0012-changes', statements: changes },
  { name: '0013-content-migrations', statements: contentMigrations },
  { name: '0014-jobs', statements: jobs },
  { name: '0015-webhooks', statements: webhooks },
  { name: '0016-schedules', statements: schedules },
  { name: '0017-search-hashes', statements: searchHashes },
  { name: '0018-mode-last', statements: modeLast },
  { name: '0019-search-merges', statements: searchMerges },
  { name: '0020-was-published', statements: wasPublished },
] as const satisfies readonly Migration[] & { readonly length: typeof TABLES_VERSION }

/** The steps that a database of a version has not seen. */
export async function stepsAfter(version: number): Promise<readonly Migration[]> {
  return MIGRATIONS.slice(version)
}
