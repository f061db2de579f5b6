/** A module that is loaded late, with all that it imports; the rest of a service is imported plainly. */
export interface Door {
  readonly module: string
  /** The one file that loads it. */
  readonly openedBy: string
  readonly why: string
}

/** All doors but the subcommands. */
export const DOORS: readonly Door[] = [
  {
    module: 'base/open-telemetry.ts',
    openedBy: 'base/tracing.ts',
    why: '@opentelemetry/api, where an SDK is registered',
  },
  {
    module: 'cli/serve/serve-by-workers.ts',
    openedBy: 'cli/serve-command.ts',
    why: 'node:cluster, for several processes',
  },
  {
    module: 'cli/serve/serve-metrics.ts',
    openedBy: 'cli/serve-command.ts',
    why: 'all of node:http, for a port of its own',
  },
  { module: 'engine/embeds/fetch-embed.ts', openedBy: 'engine/embeds/embeds.ts', why: 'node:https, 8 MB' },
  {
    module: 'engine/outgoing/call.ts',
    openedBy: 'features/purging/purge-sender.ts',
    why: 'node:https and all of node:http, for sites with a cache in front',
  },
  {
    module: 'engine/rendering/nunjucks/nunjucks-environment.ts',
    openedBy: 'engine/rendering/template-files.ts',
    why: 'nunjucks, for sites with template files',
  },
  {
    module: 'engine/xliff/import-texts.ts',
    openedBy: 'features/xliff/feature.ts',
    why: 'saxes, for files that come back from translators',
  },
  {
    module: 'features/agents/mcp-endpoint.ts',
    openedBy: 'features/agents/mcp-route.ts',
    why: '@modelcontextprotocol/server, for sites that agents ask',
  },
  {
    module: 'features/webhooks/send.ts',
    openedBy: 'features/webhooks/deliver.ts',
    why: 'node:https and all of node:http',
  },
  {
    module: 'files/bucket.ts',
    openedBy: 'files/open-files.ts',
    why: '@aws-sdk/client-s3, which sites install themselves',
  },
  { module: 'images/index.ts', openedBy: 'images/open-images.ts', why: 'sharp, file-type, postcss and saxes' },
  { module: 'store/postgres/index.ts', openedBy: 'store/open-store.ts', why: 'pg, where the database is PostgreSQL' },
]

/** The list of the subcommands, each of which is loaded when it is run. */
export const COMMANDS = 'cli/main.ts'

/** Packages that are loaded late by the one module that knows them; HTML libraries are needed within one call. */
export const LATE_PACKAGES: Readonly<Record<string, string>> = {
  '@node-rs/argon2': 'engine/access/secrets.ts',
  htmlparser2: 'model/values/html-libraries.ts',
  'sanitize-html': 'model/values/html-libraries.ts',
}

/** The packages that a start and the first answer load. */
export const START_PACKAGES: readonly string[] = [
  '@csstools/css-tokenizer',
  '@fastify/busboy',
  '@fastify/error',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  '@orama/stemmers',
  'abstract-logging',
  'avvio',
  'citty',
  'content-type',
  'cookie',
  'css-what',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-json-stringify',
  'fast-querystring',
  'fastify',
  'fastq',
  'find-my-way',
  'ipaddr.js',
  'negotiator',
  'process-warning',
  'ret',
  'reusify',
  'rfdc',
  'safe-regex2',
  'secure-json-parse',
  'toad-cache',
  'zod',
]

/** How many files they may read of these, all together. */
export const START_PACKAGE_FILES = 162
