import { execFile } from 'node:child_process'
import { appendFile, chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseUrl, type PostgresServer, runOn, startPostgres, withClient } from './postgres-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** As tests need it: they end processes, never the machine. */
const SETTINGS = { fsync: 'off', wal_keep_size: '256MB', wal_retrieve_retry_interval: '100ms', max_connections: '100' }

/** A primary and its replicas, each a server of its own on this machine. */
export interface Cluster {
  readonly primary: PostgresServer
  readonly replicas: readonly PostgresServer[]
  stop(): Promise<void>
}

/** Starts a primary, and so many replicas that follow it. */
export async function startCluster(count: number, settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const primary = await startPostgres({ ...SETTINGS, ...settings })
  const replicas: PostgresServer[] = []
  const stop = async () => {
    for (const server of [...replicas, primary]) await server.stop()
  }
  try {
    while (replicas.length < count) replicas.push(await startReplica(primary, settings))
    return { primary, replicas, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts a replica of a running server, from a copy of its data. */
export async function startReplica(
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = await temporaryFolder('quire-replica')
  try {
    const copy = join(folder, 'data')
    await copyData(primary, copy)
    return await startPostgres({ ...SETTINGS, ...settings }, copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How a replica connects to the server that it follows. */
function connectionTo({ url }: PostgresServer): string {
  const { hostname, port } = new URL(url)
  return `primary_conninfo = 'host=${hostname} port=${port} user=quire'`
}

/** Copies the data of a server while it runs, for a replica of it. */
async function copyData(primary: PostgresServer, to: string): Promise<void> {
  const { url, data } = primary
  await withClient(url, async (client) => {
    await client.query(`select pg_backup_start('copy', true)`)
    await promisify(execFile)('cp', ['-a', data, to])
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    await writeFile(join(to, 'backup_label'), rows[0].labelfile)
    await writeFile(join(to, 'standby.signal'), '')
    await appendFile(join(to, 'postgresql.auto.conf'), `${connectionTo(primary)}\n`)
    const { uid, gid } = await stat(to)
    for (const file of ['backup_label', 'standby.signal']) await chown(join(to, file), uid, gid)
    for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, file), { force: true })
  })
}

/** Makes a replica the primary. */
export async function promote({ url }: PostgresServer): Promise<void> {
  await runOn(url, 'select pg_promote()')
}

/** Makes another server the one that a replica follows. */
export async function follow({ url }: PostgresServer, primary: PostgresServer): Promise<void> {
  await runOn(url, `alter system set ${connectionTo(primary)}`)
  await runOn(url, 'select pg_reload_conf()')
}

/** The address of a database on several servers. */
export function addressOf(servers: readonly PostgresServer[], name: string): string {
  const hosts = servers.map(({ url }) => new URL(url).host)
  return databaseUrl(servers[0]?.url ?? '', name).replace(/@[^/]*/, `@${hosts.join(',')}`)
}
