import type { Dialect } from '../database/connection.ts'
import type { Sql } from '../database/sql.ts'
import { start } from './0001-start.ts'
import {
  access,
  clipboards,
  earlierContents,
  idempotency,
  leftOverFiles,
  media,
  pages,
  previews,
  versions,
} from './0002-to-0010.ts'
import { contents } from './0011-contents.ts'
import {
  changes,
  contentMigrations,
  jobs,
  modeLast,
  schedules,
  searchHashes,
  searchMerges,
  secrets,
  wasPublished,
  webhooks,
} from './0012-to-0022.ts'
import { documentStates, searchWords } from './0023-to-0024.ts'
import { proposals } from './0025-proposals.ts'
import { agentCalls } from './0026-agent-calls.ts'
import { agentsOfAll } from './0027-agents-of-all.ts'
import { purges } from './0028-purges.ts'
import type { ByRange } from './by-range.ts'

/** A step from one shape of the tables to the next. Runs on every database. */
interface Migration {
  readonly name: string
  readonly statements: (dialect: Dialect) => readonly (Sql | ByRange)[]
}

/** All steps, in order. The version of a database is how many of them it has seen. */
export const MIGRATIONS: readonly Migration[] = [
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
  { name: '0021-secrets', statements: secrets },
  // Since this version there is a fence, which is moved after the last step.
  { name: '0022-fence', statements: () => [] },
  { name: '0023-search-words', statements: searchWords },
  { name: '0024-document-states', statements: documentStates },
  { name: '0025-proposals', statements: proposals },
  { name: '0026-agent-calls', statements: agentCalls },
  { name: '0027-agents-of-all', statements: agentsOfAll },
  { name: '0028-purges', statements: purges },
]

/** The version of the tables that this program needs: the number of migrations. */
export const TABLES_VERSION = MIGRATIONS.length
