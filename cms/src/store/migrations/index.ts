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
import { agentCalls, agentsOfAll, documentStates, proposals, purges, searchWords } from './0023-to-0028.ts'
import { exclusive, type Migration } from './table-migration.ts'

/**
 * All migrations of the tables, in order. The version of a database is how many of them it has seen. Programs that knew
 * up to 28 of them know nothing of additive ones.
 */
export const MIGRATIONS: readonly Migration[] = [
  exclusive('0001-start', start),
  exclusive('0002-access', access),
  exclusive('0003-pages', pages),
  exclusive('0004-media', media),
  exclusive('0005-left-over-files', leftOverFiles),
  exclusive('0006-idempotency', idempotency),
  exclusive('0007-previews', previews),
  exclusive('0008-clipboards', clipboards),
  exclusive('0009-versions', versions),
  exclusive('0010-earlier-contents', earlierContents),
  exclusive('0011-contents', contents),
  exclusive('0012-changes', changes),
  exclusive('0013-content-migrations', contentMigrations),
  exclusive('0014-jobs', jobs),
  exclusive('0015-webhooks', webhooks),
  exclusive('0016-schedules', schedules),
  exclusive('0017-search-hashes', searchHashes),
  exclusive('0018-mode-last', modeLast),
  exclusive('0019-search-merges', searchMerges),
  exclusive('0020-was-published', wasPublished),
  exclusive('0021-secrets', secrets),
  // Since this version there is a fence, which is moved after the last step.
  exclusive('0022-fence', () => []),
  exclusive('0023-search-words', searchWords),
  exclusive('0024-document-states', documentStates),
  exclusive('0025-proposals', proposals),
  exclusive('0026-agent-calls', agentCalls),
  exclusive('0027-agents-of-all', agentsOfAll),
  exclusive('0028-purges', purges),
]

/** The version of the tables that this program needs: the number of migrations. */
export const TABLES_VERSION = MIGRATIONS.length
