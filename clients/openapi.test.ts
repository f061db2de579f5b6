import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabases } from '../cms/test/databases.ts'
import { isWhole } from '../cms/test/sample.ts'
import { type Service, startService } from '../cms/test/service.ts'
import { operations, undescribed } from './described.ts'
import { site } from './site.ts'

const run = promisify(execFile)
const HERE = import.meta.dirname
const BIN = join(HERE, '../node_modules/.bin')
const GENERATED = join(HERE, 'generated')

describe('§5 programs that are generated from the OpenAPI document', () => {
  let service: Service
  let folder = ''

  beforeAll(async () => {
    const [database] = testDatabases
    if (database === undefined) throw new Error('There is a database to test on.')
    service = await startService(database, { site })
    folder = await mkdtemp(join(tmpdir(), 'quire-clients-'))
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
    await rm(GENERATED, { recursive: true, force: true })
  })

  /** The document as a caller with a key gets it, in a file. */
  async function described(key: string | null): Promise<string> {
    const headers: Record<string, string> = key === null ? {} : { authorization: `ApiKey ${key}` }
    const answer = await fetch(`${service.address}/api/v1/openapi.json`, { headers })
    const path = join(folder, `${key ?? 'anonymous'}.json`)
    await writeFile(path, await answer.text())
    return path
  }

  test('a client of openapi-typescript and openapi-fetch compiles and does its work', async () => {
    await mkdir(GENERATED, { recursive: true })
    const generator = join(HERE, 'node_modules/openapi-typescript/bin/cli.js')
    await run(process.execPath, [generator, await described('key-editor'), '-o', join(GENERATED, 'api.ts')])
    await run(process.execPath, [
      join(HERE, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(HERE, 'tsconfig.json'),
    ]).catch(({ stdout }) => expect(stdout).toBe(''))
    const { stdout } = await run(process.execPath, [join(HERE, 'program.ts'), service.address, 'key-editor'])
    expect(JSON.parse(stdout)).toEqual({
      listed: ['Opera at Town hall, Great hall', 'Jazz night at Town hall, Great hall'],
      several: 0,
      kind: 'concert',
      words: ['@cms/rich-text', 'Be brief.'],
      children: ['About'],
      once: 1,
      missing: 'notfound',
      stale: 'conflict',
    })
  }, 120_000)

  test('every operation, parameter and property is described', async () => {
    const document: unknown = JSON.parse(await readFile(await described('key-admin'), 'utf8'))
    expect(undescribed(document)).toEqual([])
  })

  test('bodies are flat: what programs call with is one object', async () => {
    const { paths, components } = JSON.parse(await readFile(await described('key-admin'), 'utf8'))
    for (const operation of operations(paths)) {
      const [media] = Object.values(operation.requestBody?.content ?? {})
      const schema = media?.schema.$ref ? components.schemas[media.schema.$ref.split('/').at(-1) ?? ''] : media?.schema
      if (schema) expect([operation.operationId, schema.type]).toEqual([operation.operationId, 'object'])
      expect(JSON.stringify(schema ?? {})).not.toMatch(/"(?:any|all)Of"/)
    }
  })

  test('§5 each caller gets a description of what their role may see', async () => {
    const text = async (key: string | null) => readFile(await described(key), 'utf8')
    const [anonymous, contributor, admin] = [await text(null), await text('key-contributor'), await text('key-admin')]
    const hidden = [
      'diary',
      'Diaries',
      'website',
      'internal',
      'quote',
      'plain-page',
      '@cms/page',
      '@cms/user',
      '.input',
    ]
    expect(hidden.filter((name) => anonymous.includes(name))).toEqual([])
    expect(Object.keys(JSON.parse(anonymous).paths['/api/v1/event'])).toEqual(['get'])
    expect(contributor).toContain('/api/v1/diary')
    expect(contributor).not.toMatch(/"internal"|@cms\/user/)
    expect(admin).toMatch(/"internal"/)
    expect(admin).toContain('/api/v1/@cms/user')
  })

  test('§5 neither OPTIONS nor what is not found tells of hidden types', async () => {
    const answered = async (method: string, path: string) => {
      const answer = await fetch(`${service.address}/api/v1/${path}`, { method })
      return [answer.status, answer.headers.get('allow'), await answer.text()]
    }
    for (const [hidden, unknown] of [
      ['diary', 'nothing'],
      ['diary/x', 'nothing/x'],
      ['diary/x/publish', 'nothing/x/publish'],
      ['@cms/page', '@cms/nothing'],
      ['@cms/user', '@cms/nobody'],
    ] as const) {
      expect(await answered('OPTIONS', hidden)).toEqual(await answered('OPTIONS', unknown))
      if (hidden !== '@cms/user') expect(await answered('GET', hidden)).toEqual(await answered('GET', unknown))
    }
    expect((await answered('OPTIONS', 'event'))[1]).toBe('OPTIONS, HEAD, GET, POST')
  })

  test.runIf(isWhole)(
    'redocly and spectral find nothing to complain of',
    async () => {
      const path = await described('key-admin')
      const ruleset = join(HERE, 'spectral.yaml')
      const redocly = run(join(BIN, 'redocly'), ['lint', path, '--config', join(HERE, 'redocly.yaml')])
      const output = await redocly.catch((failure: { stdout: string; stderr: string }) => failure)
      expect(`${output.stdout}${output.stderr}`).not.toMatch(/warning|error/i)
      const spectral = run(join(BIN, 'spectral'), ['lint', path, '--ruleset', ruleset, '--fail-severity', 'warn'])
      await spectral.catch(({ stdout, stderr }) => expect(`${stdout}${stderr}`).toBe(''))
    },
    300_000,
  )
})
