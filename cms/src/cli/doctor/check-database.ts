import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { counted, withoutPassword } from '../../base/text.ts'
import { countAdmins } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { checkIndexRows } from '../../engine/lists/check-index-rows.ts'
import { isIndexStale } from '../../engine/values/index-state.ts'
import { compileSite } from '../../model/compile/site.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import type { Site } from '../../model/declared/types.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { AppOptions } from '../../service.ts'
import type { Inspection } from '../../store/database/database.ts'
import { databaseFile } from '../../store/database/database-file.ts'
import { isUsableBy, type TablesState } from '../../store/database/tables-state.ts'
import { TABLES_VERSION } from '../../store/migrations/index.ts'
import { inspect, inspectListening, inspectReplica } from '../../store/open-store.ts'
import { explain } from '../command/failure.ts'
import { loadSite } from '../command/site-module.ts'
import { withStoredContent } from '../command/with-stored-content.ts'
import { type Finding, Findings, isDenied, sizeText } from './finding.ts'

const POOL_SIZE = 10
const LARGE_WAL = 256e6
/** Clocks that differ by more put saves of several machines in a wrong order. */
const MOST_SKEW_MS = 2_000
/** A file's time may be cut off to seconds. */
const MOST_FILE_SKEW_MS = 3_000

/**
 * The database: whether it can be reached, is sound, up to date, and somebody may administer the site. `isWhole`: the
 * index is compared with all documents.
 */
export async function checkDatabase(
  options: AppOptions,
  workers: number,
  isWhole: boolean,
): Promise<readonly Finding[]> {
  const found = new Findings('database')
  const { database } = options
  const shown = withoutPassword(database)
  const path = databaseFile(database)
  if (path !== null && (await isDenied(found, path))) return found.all
  if (path !== null && (await stat(path).catch(() => null)) === null) {
    found.warn(
      `There is no file ${path}.`,
      'The first start makes it. If there was one, put it back, or set QUIRE_DATABASE.',
    )
    return found.all
  }
  // First: opening the database closes the file to others.
  if (path !== null) await checkFile(found, path)
  const inspection = await inspect(database).catch((error: unknown) => {
    found.fail(`${shown}: ${explain(error) ?? String(error)}`, 'Check QUIRE_DATABASE, and that the database is there.')
    return null
  })
  if (inspection !== null) {
    checkFacts(found, shown, inspection)
    for (const { what, advice } of inspection.denied) found.fail(what, advice)
    checkConnections(found, inspection, (options.poolSize ?? POOL_SIZE) + 1, workers)
    await checkListening(found, options)
    if (isUsableBy(TABLES_VERSION, inspection.tables)) await checkReplicas(found, options)
    const isSound = inspection.problems.length === 0 && inspection.denied.length === 0
    if (isUsableBy(TABLES_VERSION, inspection.tables) && isSound) await checkContent(found, options, isWhole)
  }
  return found.all
}

function checkFacts(found: Findings, shown: string, facts: Inspection): void {
  const { product, needed, tables, bytes, walBytes, problems, aheadMs } = facts
  found.ok(`${shown} can be read: ${product}, ${sizeText(bytes)}.`)
  if (needed !== null) found.fail(`${product} is too old.`, `Use ${needed} or newer.`)
  for (const problem of problems) found.fail(problem, 'Restore a backup: quire restore FILE --force')
  if (problems.length === 0) found.ok('It is sound.')
  checkTables(found, tables)
  if (walBytes !== null && walBytes > LARGE_WAL)
    found.warn(`The file of changes (-wal) takes ${sizeText(walBytes)}.`, 'Look for a program that reads for hours.')
  if (aheadMs === null) return
  if (Math.abs(aheadMs) <= MOST_SKEW_MS) found.ok(`Its clock and ours differ by ${Math.abs(aheadMs)} ms.`)
  else found.warn(`Its clock and ours differ by ${Math.abs(aheadMs)} ms.`, 'Set the clocks of both machines by NTP.')
}

function checkTables(found: Findings, tables: TablesState): void {
  const { version } = tables
  if (isUsableBy(TABLES_VERSION, tables))
    found.ok(version === TABLES_VERSION ? 'Its tables are up to date.' : `Its tables can be used: ${NEWER}.`)
  else if (version === 0) found.warn('It has no tables yet.', 'Start the service, or run: quire migrate')
  else if (version < TABLES_VERSION)
    found.warn(
      `Its tables are at version ${version}, this program needs ${TABLES_VERSION}.`,
      'Back it up, then run: quire migrate',
    )
  else
    found.fail(
      `Its tables are at version ${version}, this program knows versions up to ${TABLES_VERSION}.`,
      'Use the newer program that has been using it, or restore a backup from before.',
    )
}

const NEWER = 'a newer program has added what this one does not need'

/** Checks the number of connections: each worker has a pool, and one more. */
function checkConnections(found: Findings, { maxConnections }: Inspection, each: number, workers: number): void {
  if (maxConnections === null) return
  const text = `${workers * each} connections at most, of ${maxConnections} that the server allows.`
  if (workers * each < maxConnections) found.ok(text)
  else found.fail(text, 'Lower QUIRE_POOL_SIZE or QUIRE_WORKERS, or raise max_connections.')
}

async function checkListening(found: Findings, { database, listenAt = 'none' }: AppOptions): Promise<void> {
  if (listenAt === 'none' || databaseFile(database) !== null) return
  const refusal = await inspectListening(database, listenAt)
  const shown = withoutPassword(listenAt)
  if (refusal === null) found.ok(`Changes are heard of at ${shown}.`)
  else found.fail(`Changes cannot be heard of at ${shown}: ${refusal}`, 'Check QUIRE_DATABASE_LISTEN, and that server.')
}

async function checkReplicas(found: Findings, { database, replicas = [] }: AppOptions): Promise<void> {
  for (const replica of replicas) {
    const refusal = await inspectReplica(database, replica)
    const shown = withoutPassword(replica)
    if (refusal === null) found.ok(`The replica ${shown} can be read.`)
    else found.warn(`The replica ${shown} is left out: ${refusal}.`, 'Check QUIRE_DATABASE_REPLICAS, and that server.')
  }
}

async function checkContent(found: Findings, options: AppOptions, isWhole: boolean): Promise<void> {
  const declared = await declaredSite()
  const site = declared ?? compileSite(defineSite({}))
  await withStoredContent(options, site, async (store, content) => {
    if (await isIndexStale(store))
      found.warn('The index is older than the declarations of fields.', 'The next start rebuilds it; or: quire reindex')
    else if (declared === null) found.ok('The index was not compared with the documents: there is no site here.')
    else if (await content.isRecorded(store)) await checkIndex(found, { site: declared, store }, isWhole)
    else
      found.warn('The declarations of fields have changed since the last start.', 'The next start rebuilds the index.')
    // Without a site, or with a wrong one, the type of users has its usual name.
    await checkAdmins(found, { site, store }, options)
  })
}

/** The site as it is declared here; null where there is none, or a wrong one. */
async function declaredSite(): Promise<Site | null> {
  return loadSite(undefined, process.env)
    .then(({ site }) => compileSite(site))
    .catch(() => null)
}

async function checkFile(found: Findings, path: string): Promise<void> {
  const folder = dirname(path)
  for (const one of [folder, path]) {
    if ((await stat(one).catch(() => null)) === null) continue
    const code = await access(one, constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (code !== null) found.fail(...notWritable(one, code))
  }
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile() || process.platform === 'win32') return
  if ((stats.mode & 0o077) !== 0) found.warn(`Others on this machine may open ${path}.`, `Run: chmod 600 '${path}'`)
  if (stats.mtimeMs > Date.now() + MOST_FILE_SKEW_MS)
    found.warn(`${path} was changed in the future.`, 'Set the clock of this machine by NTP.')
}

/** The reasons why a path cannot be written, by the code of the error, with their remedies. */
export function notWritable(path: string, code: string | undefined): readonly [message: string, advice: string] {
  return code === 'EROFS'
    ? [
        `${path} is on a file system that is read-only.`,
        'Mount it to be written, or set QUIRE_DATABASE to another place.',
      ]
    : [`${path} cannot be written by this user.`, `Run: chown "$USER" '${path}'`]
}

/** Whether somebody may administer the site: a user who can sign in, or a key. */
async function checkAdmins(
  found: Findings,
  { site, store }: Pick<Context, 'site' | 'store'>,
  { keys: ofEnvironment = [] }: AppOptions,
): Promise<void> {
  const now = store.now().toISOString()
  const stored = (await store.keys.list()).filter(
    ({ role, revokedAt, expiresAt }) =>
      role === 'admin' && revokedAt === null && (expiresAt === null || expiresAt > now),
  )
  const keys = stored.length + ofEnvironment.filter(({ role }) => role === 'admin').length
  const users = await countAdmins({ site, store })
  const counts = [counted(users, 'user'), counted(keys, 'key')].filter((text) => !text.startsWith('0 '))
  if (counts.length > 0) found.ok(`Admins: ${counts.join(', ')}.`)
  else {
    const advice = 'Make one: quire user create NAME --role admin, or quire key create --role admin --name NAME'
    found.warn('There is no admin: neither a user nor a key.', advice)
  }
}

/** How many copies are compared where not all are. */
const SAMPLE = 1000
const MOST_NAMED = 5

/** Whether lists find documents by what these say: of a sample, or of all. */
export async function checkIndex(
  found: Findings,
  ctx: Pick<Context, 'site' | 'store'>,
  isWhole: boolean,
): Promise<void> {
  const { checked, wrong } = await checkIndexRows(ctx, isWhole ? 'all' : SAMPLE)
  const of = `${counted(checked, 'copy', 'copies')} of documents`
  if (wrong.length === 0) {
    const rest = isWhole || checked < SAMPLE ? '' : ' To compare all: quire doctor --all'
    return found.ok(`The index agrees with ${of}.${rest}`)
  }
  const named = wrong.slice(0, MOST_NAMED).map(({ type, id }) => `${type} ${DocumentId.format(id)}`)
  const more = wrong.length > MOST_NAMED ? ', …' : ''
  found.fail(
    `The index does not agree with ${wrong.length} of ${of}: ${named.join(', ')}${more}. Lists and filters miss them.`,
    'Run: quire reindex',
  )
}
