import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { callerOf } from './service.ts'
import { SERVING_KEYS, serve } from './serving.ts'

/** Large, and needed for some requests only: each is read when the first of them comes. */
const LATE = ['sanitize-html', 'htmlparser2', 'postcss', 'ajv', 'undici', 'pg', 'pino', '@node-rs/argon2', 'sharp']
const LATE_TOO = ['@aws-sdk/client-s3', 'saxes', 'file-type']

test('a start and the first read wait for no package that they do not need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = `sqlite:${join(folder, 'content.db')}`
  const packages = join(folder, 'packages')
  const noting = new URL('./note-packages.ts', import.meta.url).href
  const service = await serve(database, { NODE_OPTIONS: `--import=${noting}`, PACKAGES_FILE: packages })
  onTestFinished(async () => void (await service.end('SIGKILL')))
  expect(await callerOf(service.address, SERVING_KEYS.editor, null).get('@cms/global')).toMatchObject({ status: 200 })
  await service.end('SIGTERM')
  const read = new Set((await readFile(packages, 'utf8')).split('\n'))
  expect(read).toContain('fastify')
  expect([...LATE, ...LATE_TOO].filter((name) => read.has(name))).toEqual([])
})
