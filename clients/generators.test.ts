import { execFile, spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testDatabases } from '../cms/test/databases.ts'
import { isWhole } from '../cms/test/sample.ts'
import { type Service, startService } from '../cms/test/service.ts'
import { site } from '../example/site.ts'
import { installIn } from './astro-project.ts'

// Clients of the example that generators of others write. Each is compiled strictly and then used: without a cast, the
// programs list, read, create and change. What they need is installed for these tests alone.

const run = promisify(execFile)
const GENERATORS = join(import.meta.dirname, 'generators')
const GENERATED = join(GENERATORS, 'generated')
const DOCUMENT = join(GENERATED, 'example.json')
const PYTHON = process.env.QUIRE_TEST_PYTHON ?? 'python3'
const hasPython = isWhole && spawnSync(PYTHON, ['-m', 'openapi_python_client', '--version']).status === 0
if (isWhole && !hasPython) {
  console.log('openapi-python-client (of Python) is not installed: it generates no client from the OpenAPI document.')
}

const FOUND = {
  listed: ['Ink'],
  words: ['<p>Ink is slow.</p>'],
  topics: ['rivers'],
  section: 'essay',
  subtitle: 'Slowly',
}

describe.runIf(isWhole)('§5.8 clients that others generate', { timeout: 300_000 }, () => {
  let service: Service
  beforeAll(async () => {
    const [database] = testDatabases
    if (database === undefined) throw new Error('There is a database to test on.')
    await installIn(GENERATORS)
    service = await startService(database, { site })
    const headers = { authorization: 'ApiKey key-editor' }
    const answer = await fetch(`${service.address}/api/v1/openapi.json`, { headers })
    await mkdir(GENERATED, { recursive: true })
    await writeFile(DOCUMENT, await answer.text())
  }, 300_000)
  afterAll(async () => {
    await service?.stop()
    await rm(GENERATED, { recursive: true, force: true })
  })
  // Each begins without content of another.
  afterEach(() => emptied(service))

  test('orval', async () => {
    const options = { target: join(GENERATED, 'orval.ts'), client: 'fetch', baseUrl: service.address }
    // Not the one with areas as HTML.
    const override = { contentType: { include: ['application/json'] } }
    const config = await configFile('orval', { api: { input: DOCUMENT, output: { ...options, override } } })
    await node(join(GENERATORS, 'node_modules/orval/dist/bin/orval.mjs'), '--config', config)
    expect(await compiledAndRun('orval-program.ts')).toEqual(FOUND)
  })

  test('hey-api', async () => {
    const config = await configFile('hey-api', {
      input: DOCUMENT,
      output: { path: join(GENERATED, 'hey-api'), module: { extension: '.ts' } },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
      logs: { file: false },
    })
    await node(join(GENERATORS, 'node_modules/@hey-api/openapi-ts/bin/run.js'), '--file', config)
    expect(await compiledAndRun('hey-api-program.ts')).toEqual(FOUND)
  })

  test.runIf(hasPython)('openapi-python-client', async () => {
    const options = ['--path', DOCUMENT, '--meta', 'none', '--overwrite']
    const folder = join(GENERATED, 'quire_client')
    const printed = await python('-m', 'openapi_python_client', 'generate', ...options, '--output-path', folder)
    // Of an answer that is an image it has nothing to make.
    const complaints = printed.match(/^(?:WARNING|ERROR|Unable).*$/gm) ?? []
    expect(complaints.filter((line) => !line.includes('.svg'))).toEqual([])
    const program = join(GENERATORS, 'python_program.py')
    if (spawnSync(PYTHON, ['-m', 'mypy', '--version']).status === 0) {
      await python('-m', 'mypy', '--strict', '--follow-imports=silent', '--cache-dir', '/dev/null', program)
    }
    expect(JSON.parse(await python(program, service.address, 'key-editor'))).toEqual(FOUND)
  })

  /** What a program prints, once the compiler has nothing to say of it. */
  async function compiledAndRun(name: string): Promise<unknown> {
    const program = join(GENERATORS, name)
    const tsconfig = join(GENERATED, 'tsconfig.json')
    await writeFile(tsconfig, JSON.stringify({ extends: '../../tsconfig.json', files: [program] }))
    await node(join(GENERATORS, 'node_modules/typescript/bin/tsc'), '-p', tsconfig)
    return JSON.parse(await node(program, service.address, 'key-editor'))
  }
})

/** Deletes what the programs make. */
async function emptied({ editor, admin }: Service): Promise<void> {
  for (const type of ['article', 'topic']) {
    const { results } = (await editor.get(type)).body
    for (const { _id } of results) await admin.delete(`${type}/${_id}`)
  }
}

async function configFile(name: string, config: object): Promise<string> {
  const path = join(GENERATED, `${name}.config.mjs`)
  await writeFile(path, `export default ${JSON.stringify(config)}\n`)
  return path
}

const node = (...args: readonly string[]) => printedBy(process.execPath, args)
const python = (...args: readonly string[]) => printedBy(PYTHON, args)

/** What a command prints; an error of one that fails has all that it printed. */
async function printedBy(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: GENERATED, MYPYPATH: GENERATED }
  const options = { cwd: GENERATED, env, maxBuffer: 100_000_000 }
  const { stdout } = await run(command, args, options).catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout}${failure.stderr}`.slice(-5000))
  })
  return stdout
}
