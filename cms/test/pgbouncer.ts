import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PATH = `${process.env.PATH ?? ''}:/usr/sbin`

/** Whether PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { env: { ...process.env, PATH }, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts PgBouncer in transaction mode before a server, with the settings that the guide gives. */
export async function startPgBouncer(serverUrl: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = await temporaryFolder('quire-pgbouncer')
  const port = await freePort()
  const server = new URL(serverUrl)
  const config = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 5',
    'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  await chmod(folder, 0o755)
  // It refuses to be run by root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...account, config], { env: { ...process.env, PATH }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await untilItListens(port)
  server.hostname = '127.0.0.1'
  server.port = String(port)
  return {
    url: server.href,
    close: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Waits until something on this machine listens at a port. */
export async function untilItListens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await pause(50)
  }
  throw new Error(`Nothing listens at ${port}.`)
}
