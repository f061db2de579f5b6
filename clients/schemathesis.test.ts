import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampledDatabases } from '../cms/test/databases.ts'
import { refusedOperations } from '../cms/test/refused-operations.ts'
import { isWhole, seed, some } from '../cms/test/sample.ts'
import { type Service, startService } from '../cms/test/service.ts'
import { seed as seedReference } from '../conformance/seed.ts'
import { referenceSite } from '../conformance/site.ts'
import { seed as seedExample } from '../example/seed.ts'
import { site as example } from '../example/site.ts'
import { type Operation, operations } from './described.ts'
import { configured } from './schemathesis-config.ts'

const run = promisify(execFile)
const COMMAND = process.env.QUIRE_TEST_SCHEMATHESIS ?? 'schemathesis'
const isInstalled = isWhole && spawnSync(COMMAND, ['--version']).status === 0
if (isWhole && !isInstalled) {
  console.log('Schemathesis (version 4, of Python) is not installed: it does not test the OpenAPI documents.')
}
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'missing_required_header',
]

const SITES = [
  ['the reference site', referenceSite({}), (app) => seedReference(app, 10, () => {})],
  ['the example', example, (app) => seedExample(app, () => {})],
] as const satisfies readonly (readonly [string, unknown, (app: Service['app']) => Promise<void>])[]

describe.runIf(isInstalled).each(SITES)('§5.8 Schemathesis finds nothing at %s', (name, site, fill) => {
  let service: Service
  let folder = ''

  beforeAll(async () => {
    const [database] = sampledDatabases(name)
    if (database === undefined) throw new Error('There is a database to test on.')
    service = await startService(database, { site })
    folder = await mkdtemp(join(tmpdir(), 'quire-schemathesis-'))
    await fill(service.app)
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test.each([null, 'admin'] as const)(
    'for %s',
    async (role) => {
      const caller = role === null ? service.anonymous : service[role]
      const { paths } = (await caller.get('openapi.json')).body
      const config = join(folder, `${role}.toml`)
      await writeFile(config, await configured(caller, paths, refusedOperations(service.app.site)))
      expect(
        await complaints(folder, ['--config-file', config, ...optionsFor(service.address, role, operations(paths))]),
      ).toBe('')
    },
    1_800_000,
  )
})

function optionsFor(address: string, role: 'admin' | null, all: readonly Operation[]): readonly string[] {
  // All operations of those who may do something would take an hour.
  const tags = some([...new Set(all.flatMap(({ tags }) => tags))], role === null ? 100 : 2)
  // It follows redirects, and then expects the answers of the operation.
  const redirects = all.filter(({ responses }) => '302' in responses)
  // Anonymous callers must sign in for the methods that they are not told of.
  const checks = role === null ? CHECKS : [...CHECKS, 'unsupported_method']
  return [
    ...['run', `${address}/api/v1/openapi.json`, '--url', address, '--checks', checks.join(',')],
    ...['--phases', 'coverage,fuzzing', '--max-examples', '5', '--seed', String(seed), '--no-shrink'],
    ...['--generation-with-security-parameters', 'false', '--generation-database', 'none', '--continue-on-failure'],
    ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color'],
    ...(role === null ? [] : ['-H', `Authorization: ApiKey key-${role}`]),
    ...tags.flatMap((tag) => ['--include-tag', tag]),
    ...redirects.flatMap(({ operationId }) => ['--exclude-operation-id', operationId]),
  ]
}

/** What Schemathesis finds; empty where it finds nothing. */
async function complaints(cwd: string, options: readonly string[]): Promise<string> {
  const failed = await run(COMMAND, options, { cwd, maxBuffer: 100_000_000 }).catch(
    (failure: { readonly stdout: string; readonly stderr: string }) => failure,
  )
  return 'code' in failed ? `${failed.stdout}${failed.stderr}`.slice(-20_000) : ''
}
