/** Folders whose modules a start may load, whichever they are. */
export const START_FOLDERS: readonly string[] = [
  'base',
  'files',
  'http',
  'model',
  'model/fields',
  'model/styles',
  'store',
]

const MODULES = `
: app contexts index
cli/: command environment failure log lost-database main open-service running-process serve
  site-module small-start welcome
engine/: acting ai-mark caches hook-runner locate permissions related shared-bytes sourced-cache
  write
engine/access/: accounts authenticate previews random-secrets tokens
engine/documents/: copies declared-content fixed-id missing-references not-served singletons slug
engine/embeds/: embed-cache embeds is-network
engine/lists/: filters find index-keys search search-index sorting
engine/media/: attachment-uses attachments file-names
engine/pages/: access parked
engine/presentation/: field-plans fragments piece-urls plan populate prepare present projection related-size related-texts shown-values url
  url-operations
engine/rendering/: images style-images styles-cache template-files widget-styles
engine/styles/: page-styles stylesheet
engine/urls/: feed-names
engine/versions/: editable
features/access/: feature routes
features/delivery/: feature path preview-routes previewed redirects
features/embeds/: feature routes
features/jobs/: feature
features/locales/: feature routes
features/media/: feature permit routes
features/pages/: feature locate permit position routes state-actions
features/pieces/: feature find-pieces list list-request parameters permit read routes state-actions
features/scheduling/: feature
features/styles/: feature
features/urls/: feature literal-files metadata-schema
features/versions/: daily-jobs feature parameters routes schemas
features/webhooks/: feature routes
model/rich-text-diff/: common-blocks format images read-items rich-words same-rich-text same-words traits
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
