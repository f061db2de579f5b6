import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCommand } from 'citty'
import { didYouMean } from '../base/did-you-mean.ts'
import { OWN_FOLDER } from '../base/own-folder.ts'
import { makeFolder } from '../files/folder-access.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'

/** How a site is put on a server: the files for it, and what is to do with them. */
interface Target {
  readonly files: readonly string[]
  readonly next: () => readonly string[]
}

const IMAGE = ['Dockerfile', '.dockerignore']

const TARGETS = {
  docker: {
    files: IMAGE,
    next: () => ['docker build -t site .', 'docker run -p 127.0.0.1:3000:3000 -v site-data:/data site'],
  },
  compose: {
    files: [...IMAGE, 'compose.yaml'],
    next: () => [
      'npm install @aws-sdk/client-s3',
      `echo "POSTGRES_PASSWORD='${secret()}'" >> .env`,
      `echo "S3_ACCESS_KEY=quire" >> .env`,
      `echo "S3_SECRET_KEY='${secret()}'" >> .env`,
      'docker compose up -d --build',
    ],
  },
  systemd: {
    files: ['quire.service', 'quire.socket'],
    next: () => [
      'sudo useradd --system quire',
      'sudo cp quire.service quire.socket /etc/systemd/system/',
      'sudo systemctl enable --now quire.socket quire.service',
    ],
  },
  nginx: { files: ['nginx.conf'], next: () => ['sudo cp nginx.conf /etc/nginx/sites-enabled/site.conf'] },
  caddy: { files: ['Caddyfile'], next: () => ['sudo cp Caddyfile /etc/caddy/Caddyfile'] },
  kubernetes: {
    files: [
      ...IMAGE,
      'kubernetes/deployment.yaml',
      'kubernetes/disruption-budget.yaml',
      'kubernetes/kustomization.yaml',
      'kubernetes/migrate-job.yaml',
      'kubernetes/service-account.yaml',
      'kubernetes/service.yaml',
    ],
    next: () => [
      'npm install @aws-sdk/client-s3',
      'docker build -t registry.example/site:1.0.0 . && docker push registry.example/site:1.0.0',
      'kubectl create secret generic quire --from-env-file=quire.env',
      'kubectl apply -f kubernetes/service-account.yaml -f kubernetes/migrate-job.yaml',
      'kubectl wait --for=condition=complete --timeout=1h job/quire-migrate',
      'kubectl apply -k kubernetes',
    ],
  },
  prometheus: {
    files: ['prometheus-alerts.yaml', 'grafana-dashboard.json'],
    next: () => [
      'sudo cp prometheus-alerts.yaml /etc/prometheus/',
      "Add to /etc/prometheus/prometheus.yml: rule_files: ['prometheus-alerts.yaml']",
      'Import grafana-dashboard.json in Grafana: Dashboards, New, Import',
    ],
  },
} as const satisfies Readonly<Record<string, Target>>

type TargetName = keyof typeof TARGETS
const NAMES = Object.keys(TARGETS)

const init = command({
  meta: { name: 'init', description: 'Write the files for a server into this folder, next to package.json' },
  args: {
    target: { type: 'positional', required: true, description: `What they are for: ${NAMES.join(', ')}` },
    force: { type: 'boolean', description: 'Replace files that are there' },
  },
  async run({ args }) {
    const { files, next } = targetOf(args.target)
    const isKept = (name: string) => args.force !== true && existsSync(name)
    const written = files.filter((name) => !isKept(name))
    const kept = files.filter(isKept)
    if (written.length === 0) throw new UsageError(`${isThere(kept)}: nothing was written. Replace with --force.`)
    for (const name of written) await write(name)
    console.log(`Written: ${written.join(', ')}. Read and adapt what their comments say.`)
    if (kept.length > 0) console.log(`${isThere(kept)}: left alone. --force replaces what is there.`)
    console.log(['', 'Then:', ...next().map((line) => `  ${line}`)].join('\n'))
  },
})

/** `quire deploy init docker|compose|kubernetes|systemd|nginx|caddy|prometheus`: files to put a site on a server with. */
export const deploy = defineCommand({
  meta: { name: 'deploy', description: 'Write files for Docker, Kubernetes, systemd, nginx, Caddy or Prometheus' },
  subCommands: { init },
})

async function write(name: string): Promise<void> {
  await makeFolder(dirname(name))
  await copyFile(`${shippedFolder()}${name}`, name)
}

function targetOf(name: string): Target {
  if (isTarget(name)) return TARGETS[name]
  throw new UsageError(
    `There are no files for “${name}”${didYouMean(name, NAMES) || '.'} There are: ${NAMES.join(', ')}.`,
  )
}

function isTarget(name: string): name is TargetName {
  return Object.hasOwn(TARGETS, name)
}

function isThere(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} there already`
}

/** The folder of the files: in the package next to what was built, else at the top of the repository. */
function shippedFolder(): string {
  const own = new URL(`file://${OWN_FOLDER}`)
  const built = fileURLToPath(new URL('deploy/', own))
  return existsSync(built) ? built : fileURLToPath(new URL('../../deploy/', own))
}

function secret(): string {
  return randomBytes(24).toString('base64url')
}
