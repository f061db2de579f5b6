import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { appOptions, metricsPortOf } from '../cms/src/cli/command/environment.ts'
import { unknownVariables } from '../cms/src/cli/command/known-variables.ts'
import { monitoringRoutes } from '../cms/src/http/openapi/monitoring-routes.ts'

const run = promisify(execFile)
const FOLDER = join(import.meta.dirname, 'kubernetes')
const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
)

/** A manifest; the schemas of the cluster say more, but these are what a release depends on. */
async function manifest(name: string) {
  const document = parseDocument(await readFile(join(FOLDER, name), 'utf8'), { strict: true, uniqueKeys: true })
  expect([...document.errors, ...document.warnings], name).toEqual([])
  return document.toJS()
}

const deployment = await manifest('deployment.yaml')
const job = await manifest('migrate-job.yaml')
const pods = [
  ['the service', deployment.spec.template],
  ['the migration', job.spec.template],
] as const

/** The variables that a container is given by value. */
function variablesOf({ env }: { readonly env: readonly { readonly name: string; readonly value: string }[] }) {
  return Object.fromEntries(env.map(({ name, value }) => [name, value]))
}

describe('manifests for Kubernetes', () => {
  test.each(pods)('%s runs without rights, writes to volumes alone, and asks nothing of the cluster', (_, { spec }) => {
    const [container] = spec.containers
    expect(spec).toMatchObject({
      serviceAccountName: 'quire',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const volumes = spec.volumes.map(({ name }: { name: string }) => name)
    for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
    expect(container.resources.limits).toHaveProperty('memory')
  })

  test.each(pods)('%s gets its secrets by reference, and no variable that is not one of Quire', (_, { spec }) => {
    const [container] = spec.containers
    expect(container.envFrom).toEqual([{ secretRef: { name: 'quire' } }])
    const variables = variablesOf(container)
    expect(unknownVariables(variables)).toEqual([])
    expect(() => [appOptions(variables), metricsPortOf(variables, null)]).not.toThrow()
    expect(Object.keys(variables).filter((name) => /KEY|PASSWORD|SECRET|DATABASE|UPLOADS/.test(name))).toEqual([])
  })

  test('probes ask for routes that there are, at a port that the service listens on', () => {
    const [container] = deployment.spec.template.spec.containers
    const paths = monitoringRoutes(() => false).map(({ path }) => path)
    const port = container.ports.find(({ name }: { name: string }) => name === 'http').containerPort
    expect(variablesOf(container)).toMatchObject({ HOST: '0.0.0.0', PORT: String(port) })
    const { startupProbe, livenessProbe, readinessProbe } = container
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect(paths).toContain(httpGet.path)
      expect(httpGet.port).toBe('http')
    }
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/api/v1/health', '/api/v1/ready'])
  })

  test('a start that builds the index anew is not ended, and no release is given up meanwhile', () => {
    const { progressDeadlineSeconds, template } = deployment.spec
    const { periodSeconds, failureThreshold } = template.spec.containers[0].startupProbe
    // A million documents, of which a second takes five hundred.
    expect(periodSeconds * failureThreshold).toBeGreaterThan(1_000_000 / 500)
    expect(progressDeadlineSeconds).toBeGreaterThan(periodSeconds * failureThreshold)
  })

  test('a pod gets the time that it takes to drain, to finish what runs, and to end what hangs', () => {
    const { spec } = deployment.spec.template
    const [container] = spec.containers
    const { QUIRE_DRAIN_SECONDS: drain, QUIRE_STOP_SECONDS: stop } = variablesOf(container)
    const [, , script] = container.lifecycle.preStop.exec.command
    const before = Number(/(\d+)\)$/.exec(script)?.[1]) / 1000
    expect(() => new Function(script)).not.toThrow()
    expect(before).toBeGreaterThan(0)
    expect(spec.terminationGracePeriodSeconds).toBe(before + Number(drain) + Number(stop) + 10)
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
  })

  test('service and disruption budget choose the pods of the deployment, and not those of the migration', async () => {
    const { selector } = (await manifest('service.yaml')).spec
    const { spec } = await manifest('disruption-budget.yaml')
    const { labels } = deployment.spec.template.metadata
    expect(labels).toMatchObject(selector)
    expect(labels).toMatchObject(spec.selector.matchLabels)
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
    expect(job.spec.template.metadata.labels).not.toMatchObject(selector)
    expect(spec.maxUnavailable).toBeLessThan(deployment.spec.replicas)
  })

  test('the migration is tried once, and has the image of the release', async () => {
    const [{ newName, newTag }] = (await manifest('kustomization.yaml')).images
    const [{ image, command }] = job.spec.template.spec.containers
    expect([image, job.spec.backoffLimit, job.spec.template.spec.restartPolicy]).toEqual([
      `${newName}:${newTag}`,
      0,
      'Never',
    ])
    expect(command).toEqual(['node', 'node_modules/quire-cms/bin/quire.js', 'migrate'])
  })

  test('all but the migration are applied together', async () => {
    const { resources } = await manifest('kustomization.yaml')
    const kinds = await Promise.all(resources.map(async (name: string) => (await manifest(name)).kind))
    expect(kinds).toEqual(['ServiceAccount', 'Deployment', 'Service', 'PodDisruptionBudget'])
  })

  test.runIf(hasKubectl)('kubectl puts them together', async () => {
    const { stdout } = await run('kubectl', ['kustomize', FOLDER])
    expect(stdout).toContain('image: registry.example/site:1.0.0')
  })
})
