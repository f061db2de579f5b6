/** Folders whose modules a start may load, whichever they are. */
export const START_FOLDERS: readonly string[] = [
  'base',
  'files',
  'http/load',
  'http/openapi',
  'http/pipeline',
  'http/requests',
  'model/compile',
  'model/declared',
  'model/field-type',
  'model/fields',
  'model/history',
  'model/styles',
  'model/terms',
  'model/values',
  'store',
  'store/changes',
  'store/contract',
  'store/database',
  'store/documents',
  'store/lists',
  'store/migrations',
  'store/postgres',
  'store/records',
  'store/sqlite',
  'store/tree',
  'store/versions',
]

const MODULES = `
: app contexts index
cli/: main serve-command
cli/command/: command environment failure json-log lost-database site-module
cli/serve/: open-service running-process small-start welcome
engine/: acting ai-mark caches hook-runner locate permissions related shared-bytes sourced-cache write
engine/access/: accounts authenticate previews random-secrets tokens
engine/embeds/: embed-cache embeds is-network
engine/lists/: filters find index-keys search search-index sorting
engine/media/: attachment-uses attachments file-names
engine/operations/: not-served singletons
engine/pages/: page-access parked
engine/presentation/: document-url field-plans fragments piece-urls plan populate prepare present projection
  related-size related-texts shown-values url-operations
engine/rendering/: style-images styles-cache template-files template-images widget-styles
engine/save/: copies whole-slug
engine/styles/: page-styles stylesheet
engine/urls/: feed-names
engine/values/: declared-content fixed-id missing-references
engine/versions/: editable
features/access/: feature routes
features/delivery/: feature preview-routes previewed redirects url-path
features/embeds/: feature routes
features/jobs/: feature
features/locales/: feature routes
features/media/: feature permit-media routes
features/pages/: feature locate-page page-state-actions permit-pages position routes
features/pieces/: feature find-pieces list-pieces list-request permit-pieces piece-parameters piece-state-actions
  read-piece routes
features/scheduling/: feature
features/styles/: feature
features/urls/: feature literal-files metadata-schema
features/versions/: daily-jobs feature routes version-parameters version-schemas
features/webhooks/: feature routes
model/rich-text-diff/: common-blocks format read-items rich-text-images rich-words same-rich-text same-words traits
model/text-diff/: common-ends split-words
`

/** Our other modules that a start of a small site and its first answer load, without their ending: `engine/locate`. */
export const START_MODULES: readonly string[] = MODULES.replaceAll('\n  ', ' ')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [folder = '', names = ''] = line.split(': ')
    return names.split(' ').map((name) => folder + name)
  })

/** How many of our modules they may be, all together. */
export const START_MODULE_COUNT = 341

/** The packages that they load. */
export const START_PACKAGES: readonly string[] = [
  '@csstools/css-tokenizer',
  '@fastify/error',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  'abstract-logging',
  'avvio',
  'citty',
  'content-type',
  'cookie',
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
export const START_PACKAGE_FILES = 131
