import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { untilItListens } from './pgbouncer.ts'
import { temporaryFolder } from './temporary-folder.ts'

const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` }
const GUIDE = new URL('../../docs/guide/29-cdn.md', import.meta.url)

/** How the guide lets Varnish forget answers: by a module, or by what it has itself. */
export const VARNISH_WAYS = ['xkey', 'bans'] as const
type Way = (typeof VARNISH_WAYS)[number]

/** Why Varnish, with what a way needs, cannot be tried here; null where it can. */
export async function varnishIsMissing(way: Way): Promise<string | null> {
  const folder = await readableFolder()
  const config = join(folder, 'tried.vcl')
  await writeFile(config, `vcl 4.1; ${way === 'xkey' ? 'import xkey;' : ''} backend default none;`)
  try {
    await promisify(execFile)('varnishd', ['-C', '-n', join(folder, 'varnish'), '-f', config], { env })
    return null
  } catch {
    return way === 'xkey' ? 'varnishd with its module xkey is not installed' : 'varnishd is not installed'
  }
}

/** Varnish in front of a service, with the configuration that the guide gives for a way. */
export async function startVarnish(
  way: Way,
  serviceAddress: string,
  port: number,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const folder = await readableFolder()
  const config = join(folder, 'default.vcl')
  await writeFile(
    config,
    (await configurationOf(way)).replace('.port = "3000"', `.port = "${new URL(serviceAddress).port}"`),
  )
  const listening = ['-a', `127.0.0.1:${port}`, '-s', 'default,64m']
  const child = spawn('varnishd', ['-F', '-n', join(folder, 'varnish'), ...listening, '-f', config], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = once(child, 'exit')
  await Promise.race([
    untilItListens(port),
    ended.then(() => {
      throw new Error(`Varnish does not start: ${said}`)
    }),
  ])
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The configuration in the guide, for a cache on this machine. */
async function configurationOf(way: Way): Promise<string> {
  const blocks = [...(await readFile(GUIDE, 'utf8')).matchAll(/^```vcl\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const found = blocks.find((text) => text.includes('import xkey') === (way === 'xkey'))
  if (found === undefined) throw new Error(`The guide has no configuration for ${way}.`)
  return found.replace('"10.0.0.0"/8;', '"127.0.0.1";')
}

/** A folder that the account which Varnish changes to may read. */
async function readableFolder(): Promise<string> {
  const folder = await temporaryFolder('quire-varnish')
  await chmod(folder, 0o755)
  return folder
}
