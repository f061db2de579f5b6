import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseDocument } from 'yaml'
import { createApp } from '../cms/src/app.ts'
import type { AnsweredRequest } from '../cms/src/http/pipeline/answered-request.ts'
import { defineSite } from '../cms/src/model/compile/site.ts'
import { settingsOf } from '../cms/src/store/postgres/postgres-pool.ts'
import { quire } from '../cms/test/command.ts'
import { freePort } from '../cms/test/free-port.ts'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'

// What the tools themselves say of these files, where they are installed (nginx, caddy, systemd); parsers for the others.

const PATH = `${process.env.PATH ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`

const UNITS = ['quire.service', 'quire.socket']
const MANIFESTS = [
  'deployment.yaml',
  'disruption-budget.yaml',
  'kustomization.yaml',
  'migrate-job.yaml',
  'service-account.yaml',
  'service.yaml',
]

const pathOf = (name: string) => join(import.meta.dirname, name)
const textOf = (name: string) => readFile(pathOf(name), 'utf8')

/** Runs a tool: its exit code and what it printed. */
function run(tool: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly printed: string }> {
  return new Promise((resolve) => {
    execFile(tool, [...args], { env: { ...process.env, PATH } }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, printed: out + err })
    })
  })
}

const isInstalled = async (tool: string, ...args: readonly string[]) => (await run(tool, ...args)).code === 0
const hasNginx = await isInstalled('nginx', '-v')
const hasCaddy = await isInstalled('caddy', 'version')
const hasSystemd = await isInstalled('systemd-analyze', '--version')

test('the guide tells of each file', async () => {
  const guide = await readFile(join(import.meta.dirname, '../docs/guide/25-deploying.md'), 'utf8')
  for (const name of [
    'Dockerfile',
    'compose.yaml',
    'kubernetes',
    'quire.service',
    'quire.socket',
    'nginx.conf',
    'Caddyfile',
    'grafana-dashboard.json',
    'prometheus-alerts.yaml',
  ])
    expect(guide).toContain(`(../../deploy/${name})`)
})

test('the Dockerfile is valid, and its service is not run by root', async () => {
  const text = await textOf('Dockerfile')
  expect(validate(text).map(({ message }) => message)).toEqual([])
  expect(text).toMatch(/^USER node$/m)
  expect(text).toMatch(/^HEALTHCHECK /m)
  const [, check = ''] = /"-e", "(.*)"\]$/m.exec(text) ?? []
  expect(() => new Function(check)).not.toThrow()
})

test('the compose file is valid: what it names is there', async () => {
  const document = parseDocument(await textOf('compose.yaml'), { strict: true, uniqueKeys: true })
  expect([...document.errors, ...document.warnings]).toEqual([])
  // `as`: this file.
  const { services, volumes } = document.toJS() as {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: object
  }
  for (const [name, { image, build, depends_on = {}, volumes: mounted = [] }] of Object.entries(services)) {
    expect(image ?? build, name).toBeTypeOf('string')
    for (const other of Object.keys(depends_on)) expect(services, name).toHaveProperty(other)
    for (const mount of mounted) expect(volumes, name).toHaveProperty(mount.split(':')[0] ?? '')
  }
})

test('images have whole versions, so that a build of tomorrow is that of today', async () => {
  const texts = [await textOf('Dockerfile'), await textOf('compose.yaml')].join('\n')
  const images = [...texts.matchAll(/^(?:FROM| *image:) (\S+)/gm)].map(([, image]) => image)
  expect(images).toHaveLength(5)
  for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-slim)?$/)
})

test('passwords have a place where no character of theirs means anything', async () => {
  const text = await textOf('compose.yaml')
  expect(text).toMatch(/^ *QUIRE_DATABASE: postgres:\/\/quire@database\/quire$/m)
  expect(text).toMatch(/^ *PGPASSWORD: \$\{POSTGRES_PASSWORD:\?\}$/m)
  vi.stubEnv('PGPASSWORD', 'a#b@c/d')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new Client(settingsOf('postgres://quire@database/quire')).password).toBe('a#b@c/d')
})

test.each([
  ['docker', ['.dockerignore', 'Dockerfile']],
  ['compose', ['.dockerignore', 'Dockerfile', 'compose.yaml']],
  ['kubernetes', ['.dockerignore', 'Dockerfile', ...MANIFESTS.map((name) => `kubernetes/${name}`)]],
  ['systemd', ['quire.service', 'quire.socket']],
  ['nginx', ['nginx.conf']],
  ['caddy', ['Caddyfile']],
  ['prometheus', ['grafana-dashboard.json', 'prometheus-alerts.yaml']],
])('quire deploy init %s writes its files, and replaces none unless it is told to', async (target, names) => {
  const folder = await temporaryFolder('quire-deploy')
  const init = (...more: string[]) => quire(folder, ['deploy', 'init', target, ...more])
  const written = await init()
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('Then:'), err: '' })
  expect((await readdir(folder, { recursive: true })).filter((name) => name !== 'kubernetes').sort()).toEqual(names)
  for (const name of names) expect(await readFile(join(folder, name), 'utf8')).toBe(await textOf(name))
  const [own = ''] = names
  await writeFile(join(folder, own), 'mine')
  const again = await init()
  expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already: nothing was written.') })
  expect(await readFile(join(folder, own), 'utf8')).toBe('mine')
  expect(await init('--force')).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, own), 'utf8')).toBe(await textOf(own))
})

test('quire deploy init leaves what is there, and writes the rest; other targets are unknown', async () => {
  const folder = await temporaryFolder('quire-deploy')
  await writeFile(join(folder, 'Dockerfile'), 'mine')
  const { code, out } = await quire(folder, ['deploy', 'init', 'compose'])
  expect([code, out]).toEqual([0, expect.stringContaining('Dockerfile is there already: left alone.')])
  expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe('mine')
  expect(await readdir(folder)).toContain('compose.yaml')
  const unknown = await quire(folder, ['deploy', 'init', 'ngix'])
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('did you mean "nginx"?') })
})

/** A service of the compose file. */
interface Service {
  readonly image?: string
  readonly build?: string
  readonly depends_on?: object
  readonly volumes?: readonly string[]
}

test.runIf(hasSystemd)('systemd accepts the units', async () => {
  const { code, printed } = await run('systemd-analyze', 'verify', '--man=no', ...UNITS.map(pathOf))
  expect(printed.split('\n').filter((line) => /quire\.(service|socket)/.test(line))).toEqual([])
  expect(code).toBe(0)
})

test.runIf(hasCaddy)('Caddy accepts its file', async () => {
  const { code, printed } = await run('caddy', 'validate', '--adapter', 'caddyfile', '--config', pathOf('Caddyfile'))
  expect(printed).toContain('Valid configuration')
  expect(code).toBe(0)
})

test.runIf(hasNginx)(
  'behind nginx the service sees the address that nginx saw, not one that a visitor claims',
  async () => {
    const answered: AnsweredRequest[] = []
    const folder = await mkdtemp(join(tmpdir(), 'quire-deploy-'))
    const app = await createApp(defineSite({ trustProxy: true, baseUrl: 'https://example.org' }), {
      database: `sqlite:${join(folder, 'quire.db')}`,
      accessLog: (one) => void answered.push(one),
    })
    onTestFinished(async () => {
      await app.close()
      await rm(folder, { recursive: true })
    })
    const service = new URL(await app.listen(0, '127.0.0.1')).port
    const address = await startNginx(folder, service)
    const claims = { 'x-forwarded-for': '203.0.113.66', 'x-forwarded-host': 'evil.example' }
    expect((await fetch(`${address}/api/v1/health`, { headers: claims })).status).toBe(200)
    expect(answered.at(-1)).toMatchObject({ path: '/api/v1/health', address: '127.0.0.1' })
    expect((await fetch(`${address}/api/v1/metrics`)).status).toBe(404)
    expect(answered.at(-1)).toMatchObject({ path: '/api/v1/health' })
  },
)

/** nginx with the file that is shipped, at free ports of this machine: its address. */
async function startNginx(folder: string, service: string): Promise<string> {
  const port = await freePort()
  const shipped = (await textOf('nginx.conf'))
    .replace('127.0.0.1:3000', `127.0.0.1:${service}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('  listen [::]:80;\n', '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  )
  const config = join(folder, 'nginx.conf')
  const http = `http {\naccess_log off;\n${temporary.join('\n')}\n${shipped}\n}`
  await writeFile(config, `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\n${http}\n`)
  const tested = await run('nginx', '-t', '-p', folder, '-c', config)
  expect(tested.printed).toContain('test is successful')
  const child = spawn('nginx', ['-p', folder, '-c', config], { env: { ...process.env, PATH }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const address = `http://127.0.0.1:${port}`
  await expect.poll(async () => (await fetch(address).catch(() => null))?.status, { timeout: 10_000 }).toBeDefined()
  return address
}
