/** Our modules that a start of a small site and its first answer load, by folder. */
const MODULES = `
: app index
base/: body-marks build-url errors html html-contexts ids json late lru-map path patience revision-memory same-json
  semaphore text turns
cli/: admin-key command environment failure log lost-database main progress serve site-module welcome young-generation
engine/: ai-mark caching daily-work hook-runner locate permissions related write
engine/access/: accounts authenticate previews random-secrets tokens
engine/documents/: copies declared-content fixed-id locales singletons slug
engine/embeds/: embed-cache embeds is-network
engine/lists/: filters find index-keys search search-index sorting
engine/media/: attachment-uses attachments file-names
engine/pages/: access parked
engine/presentation/: piece-urls populate present projection related-size shown-values url url-operations
engine/rendering/: images style-images style-text template-files widget-styles
engine/styles/: page-styles stylesheet
engine/urls/: absolute feed-names feed-urls listed-pages
engine/versions/: editable
features/access/: feature routes
features/delivery/: feature path preview-routes previewed redirects
features/embeds/: feature routes
features/locales/: feature list-locales routes
features/media/: daily-cleaning feature permit routes
features/pages/: feature locate make-parked permit position routes state-actions
features/pieces/: feature find-pieces list list-request parameters permit read routes state-actions
features/styles/: feature
features/urls/: feature literal-files metadata-schema robots
features/versions/: daily-pruning feature parameters routes schemas
files/: folder names open recent-files served-as
http/: answer answering api body cache callers change-schemas compression cookies credentials endpoints errors headers
  health idempotency input language load locales lock-queues node-http openapi-route origin parameters query
  query-limits request-queue respond route schemas server sockets upload uploads
model/: annotation aside blank built-in check-declarations check-fields check-related compile-discovery compile-feed
  compile-fields compile-index compile-locales compile-queries compile-type configuration-error content-type crop
  declaration-history declarations discovery document embed-providers file-groups freeze holder-schema html-libraries
  html-text image-sizes index-rows layout-options names parked-pages permalinks property-names read-options
  reserved-slugs rich-text rich-text-links roles schema settle site site-options site-schema target template
  url-metadata walk
model/fields/: area array attachment attachment-schema boolean box checkboxes choice-list color date date-and-time
  diff-items email float index integer items moment object oembed options outside password radio range relationship
  relationship-reverse rich-text select slug string time url
model/rich-text-diff/: common-blocks format images read-items rich-words same-rich-text same-words traits
model/styles/: background check-rule compile-groups compile-styles css-names css-safety css-string expand-style
  presets rule-text selectors sheet style-fields style-options to-css
model/text-diff/: common-ends split-words
store/: attachment-reader attachment-writer clipboards conditions count-cache document-reader document-store
  document-writer group-commit idempotency index-row-writer keys lists locale-merge locales migrate neighbours open
  order previews query rows settings sql sqlite sqlite-connection sqlite-dialect sqlite-errors sqlite-file statement
  store stored-form tables-version throttle tokens tree-reader tree-writer version-reader version-rows version-writer
`

/** The same as paths without their ending: `engine/locate`. */
export const START_MODULES: readonly string[] = MODULES.replaceAll('\n  ', ' ')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [folder = '', names = ''] = line.split(': ')
    return names.split(' ').map((name) => folder + name)
  })

/** The packages that they load. */
export const START_PACKAGES: readonly string[] = [
  '@csstools/css-tokenizer',
  '@fastify/cookie',
  '@fastify/error',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  'abstract-logging',
  'avvio',
  'citty',
  'cookie',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-json-stringify',
  'fast-querystring',
  'fastify',
  'fastify-plugin',
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
  'semver',
  'toad-cache',
  'zod',
]

/** How many files they may read of these, all together. */
export const START_PACKAGE_FILES = 250
