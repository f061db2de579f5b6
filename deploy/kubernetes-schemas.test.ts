import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

// The manifests against the schemas of Kubernetes: values are checked by validators, which let unknown names pass, and names
// by the compiler.

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const run = promisify(execFile)
const FOLDER = join(import.meta.dirname, 'kubernetes')
const names = (await readdir(FOLDER)).filter((name) => name !== 'kustomization.yaml')
const manifests = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(join(FOLDER, name), 'utf8') })),
)

const moduleOf = ({ apiVersion }: Manifest) => `kubernetes-models/${apiVersion}`

async function assertValid(text: string): Promise<void> {
  const manifest: Manifest = parse(text)
  const { [manifest.kind]: Model } = await import(moduleOf(manifest))
  new Model(manifest).validate()
}

/** What the compiler says of manifests that are written as values of their types. */
async function mistakesIn(texts: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(import.meta.dirname, '.manifests-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const lines = texts.map((text, index) => {
    const manifest: Manifest = parse(text)
    const type = `import('${moduleOf(manifest)}').I${manifest.kind}`
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)}\n`
  })
  await writeFile(join(folder, 'manifests.ts'), lines.join(''))
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', '--types', '']
  const compiling = run('npx', ['tsc', ...strict, 'manifests.ts'], { cwd: folder })
  return compiling.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

describe('manifests for Kubernetes and its schemas', () => {
  test.each(manifests)('$name holds values that Kubernetes takes', async ({ text }) => {
    await expect(assertValid(text)).resolves.toBeUndefined()
  })

  test('their names are those that Kubernetes has', async () => {
    expect(await mistakesIn(manifests.map(({ text }) => text))).toBe('')
  })

  test('values of another type, and names with a mistake, are noticed', async () => {
    const deployment = manifests.find(({ name }) => name === 'deployment.yaml')?.text ?? ''
    await expect(assertValid(deployment.replace(/replicas: \d+/, 'replicas: many'))).rejects.toThrow('replicas')
    expect(await mistakesIn([deployment.replace('readinessProbe', 'readinesProbe')])).toContain('readinesProbe')
  })
})
