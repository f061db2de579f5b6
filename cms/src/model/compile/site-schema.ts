import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../base/durations.ts'
import { isObject } from '../../base/json.ts'
import { WEBHOOKS } from '../declared/change-events.ts'
import { DISCOVERY_OPTIONS } from '../declared/discovery.ts'
import { EMBED_URL } from '../declared/embed-providers.ts'
import { JOB } from '../declared/job-schedules.ts'
import { callable } from '../declared/option-schemas.ts'
import { PURGE } from '../declared/purge.ts'
import { LAYOUT, TEMPLATE } from '../declared/template.ts'
import { SITE_STYLES } from '../styles/style-options.ts'
import { HOST } from '../terms/links.ts'
import { LOCALE } from './compile-locales.ts'

const count = z.int().min(1)

const LIMITS = z.strictObject({
  bodyBytes: count.default(16 * 1024 * 1024),
  uploadBytes: count.default(100 * 1024 * 1024),
  perPage: count.default(500),
  ids: count.default(500),
  depth: count.default(20),
  crops: count.default(100),
  imageMemory: count.default(600_000_000),
})

const EXTENSION = z
  .string()
  .regex(/^[a-z0-9]{1,10}$/, 'may hold only lower-case letters and digits, without the dot, such as "pdf"')
const FILE_GROUP = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'may hold only lower-case letters, digits and "-"'),
  label: z.string().min(1).optional(),
  extensions: z.array(EXTENSION).min(1),
})

const DECLARED_HOST = z
  .string()
  .regex(new RegExp(`^${HOST}$`), 'must be a host: "video.example.org", or "*.example.org"')

const PROVIDER = z.strictObject({
  name: z.string().min(1),
  urls: z
    .array(z.string().regex(EMBED_URL, 'must be like "https://video.example.org/w/*", with "*" at its end only'))
    .min(1),
  endpoint: z
    .string()
    .regex(/^https:\/\/[^/?#\s@]+\/[^#\s]*$/, 'must be an https address, such as "https://video.example.org/oembed"')
    .refine((text) => URL.canParse(text), 'must be an https address, such as "https://video.example.org/oembed"'),
  hosts: z.array(DECLARED_HOST).min(1),
})

const PARKED = z.strictObject({
  parkedId: z.string().regex(/^[a-z][a-z0-9-]*$/, 'may hold only lower-case letters, digits and "-"'),
  type: z.string(),
  title: z.string().min(1),
  slug: z.string().regex(/^\/./, 'must begin with "/", such as "/contact"'),
  fields: z.record(z.string(), z.json()).default({}),
  fixed: z.array(z.string()).default(['slug']),
})
/** A built-in page of the site, read. */
export type CheckedParkedPage = z.infer<typeof PARKED>

/** The functions of a feature, in the form to write them. */
const FEATURE_FORMS = {
  routes: '(site) => [route({ … })]',
  serve: 'async (ctx) => async () => { … }',
  jobs: '(site) => [ … ]',
}
const FEATURE = z.custom<object>(isFeature, 'must be a feature with a name').superRefine((feature, ctx) => {
  for (const [name, form] of Object.entries(FEATURE_FORMS)) {
    const value: unknown = Reflect.get(feature, name)
    if (value === undefined || typeof value === 'function') continue
    ctx.addIssue({ code: 'custom', path: [name], message: `must be a function: ${form}` })
  }
})

const BASE_URL = z
  .string()
  .regex(/^https?:\/\/[^/?#\s@]+\/?$/, 'must be like "https://example.org"; what follows the host is the prefix')
  .transform((url) => url.replace(/\/$/, ''))
  .optional()

const CSP = z.record(
  z.string().regex(/^[a-z]+(-[a-z]+)*$/, 'must be the name of a directive, such as "script-src"'),
  z.string().regex(/^[\x21-\x2b\x2d-\x3a\x3c-\x7e ]*$/, 'must be sources with spaces between them, such as "\'self\'"'),
)

const KEPT_VERSIONS = z
  .strictObject({ days: z.int().min(1).nullable().default(null), count: z.int().min(1).nullable().default(null) })
  .refine(({ days, count }) => days !== null || count !== null, 'must say days, count or both')

/** The options of a site, read strictly; types, widgets, fields and field types are looked into one by one. */
export const SITE_OPTIONS = z.strictObject({
  name: z.string().min(1).default('Quire'),
  namespace: z
    .string()
    .regex(/^@[a-z][a-z0-9-]*$/, 'must be "@" and a word, such as "@cms"')
    .default('@cms'),
  prefix: z
    .string()
    .regex(/^((\/[\w-]+)+)?$/, 'must begin with "/" and not end with it, such as "/site"')
    .default(''),
  baseUrl: BASE_URL,
  staticBaseUrl: BASE_URL,
  locales: z.record(z.string(), LOCALE).default({
    en: { label: 'English', prefix: '', private: false, direction: 'ltr' },
  }),
  types: z.array(z.unknown()).default([]),
  widgets: z.array(z.unknown()).default([]),
  fieldTypes: z.array(z.unknown()).default([]),
  fileGroups: z.array(FILE_GROUP).min(1).optional(),
  limits: LIMITS.prefault({}),
  anonymousBodyLimit: count.default(64 * 1024),
  cors: z.boolean().default(true),
  trustProxy: z.boolean().default(false),
  draftInterval: z.int().min(0).default(DAY_MS),
  versions: z.strictObject({ keep: KEPT_VERSIONS }).optional(),
  previewLifetime: z.int().min(1).default(HOUR_MS),
  richText: z.strictObject({ imageHosts: z.array(DECLARED_HOST).default([]) }).prefault({}),
  embeds: z.strictObject({ providers: z.array(PROVIDER).default([]) }).default({ providers: [] }),
  features: z.array(FEATURE).default([]),
  jobs: z.array(JOB).default([]),
  webhooks: WEBHOOKS.prefault({}),
  purge: PURGE.optional(),
  fastify: callable<unknown>('must be a function: (app) => { app.get(…) }').optional(),
  pages: z
    .strictObject({
      publicApiProjection: z.array(z.string()).optional(),
      parked: z.array(PARKED).default([]),
      historicRedirect: z.union([z.literal(301), z.literal(302)], 'must be 301 or 302').default(302),
      fallback: z.boolean().default(false),
    })
    .prefault({}),
  contentSecurityPolicy: CSP.default({}),
  ...DISCOVERY_OPTIONS,
  static: z.boolean().default(false),
  editor: z.union([z.literal(false), z.custom<object>(isObject)], 'must be an object, or false').default({}),
  mcp: z.union([z.literal(false), z.custom<object>(isObject)], 'must be an object, or false').default({}),
  strict: z.boolean().default(false),
  redirectByLanguage: z.boolean().default(false),
  styles: SITE_STYLES.optional(),
  global: z.strictObject({ fields: z.record(z.string(), z.unknown()).optional() }).default({}),
  templates: z
    .custom<string | URL>((value) => typeof value === 'string' || isFileUrl(value), 'must be a folder')
    .optional(),
  layout: LAYOUT.optional(),
  notFound: TEMPLATE.optional(),
  error: TEMPLATE.optional(),
})

/** The options of a site, read and with their defaults. */
export type CheckedSiteOptions = z.infer<typeof SITE_OPTIONS>

/** Features are carried as they are: the model knows only that they have names. */
function isFeature(value: unknown): value is object {
  return isObject(value) && typeof value.name === 'string'
}

function isFileUrl(value: unknown): boolean {
  return value instanceof URL && value.protocol === 'file:'
}
