import { z } from 'zod'
import { isObject } from '../../base/json.ts'
import { callable } from '../declared/option-schemas.ts'
import { TEMPLATE, TEMPLATE_OPTIONS } from '../declared/template.ts'
import { CHANGE_FREQUENCIES, type SitemapHints } from '../declared/url-metadata.ts'
import { ROLES } from '../terms/roles.ts'
import { INDEX_OPTIONS } from './compile-index.ts'
import { orNull } from './read-options.ts'

type Called = (...given: never[]) => void
const hook = callable<Called>().optional()
const isWaiting = (value: unknown) => isObject(value) && value.wait === true && typeof value.run === 'function'
const listener = z
  .custom<Called | { readonly wait: true; readonly run: Called }>(
    (value) => typeof value === 'function' || isWaiting(value),
    'must be a function, or { wait: true, run }',
  )
  .optional()

const SITEMAP = z.union(
  [
    z.literal(false),
    z.strictObject({
      changefreq: z.enum(CHANGE_FREQUENCIES).optional(),
      priority: z.number().min(0).max(1).optional(),
    }),
    callable<(document: never) => SitemapHints | false | undefined>(),
  ],
  `must be false, { changefreq, priority }, or a function of a document: changefreq is one of ${CHANGE_FREQUENCIES.join(', ')}, priority from 0 to 1`,
)

/** The options of a type as site authors give them. */
export const TYPE_OPTIONS = z.strictObject({
  label: z.string().min(1).optional(),
  pluralLabel: z.string().min(1).optional(),
  icon: orNull(z.string().min(1)),
  description: orNull(z.string().min(1)),
  fields: z.unknown().optional(),
  publicApiProjection: z.array(z.string()).optional(),
  guestApiAccess: z.boolean().default(false),
  viewRole: z.enum(ROLES).nullable().default(null),
  editRole: z.enum(ROLES).nullable().default(null),
  publishRole: z.enum(ROLES).nullable().default(null),
  perPage: z.int().min(1).optional(),
  sort: z
    .record(z.string(), z.union([z.literal(1), z.literal(-1)], 'must be 1 (ascending) or -1 (descending)'))
    .default({ updatedAt: -1 }),
  slugPrefix: z
    .string()
    .regex(/^[\p{Ll}\p{Lo}\p{N}-]*$/u, 'may hold only lower-case letters, digits and "-"')
    .default(''),
  autopublish: z.boolean().default(false),
  scheduling: z.boolean().default(false),
  localized: z.boolean().default(true),
  singleton: z.boolean().default(false),
  versions: z.boolean().default(true),
  searchable: z.array(z.string()).default([]),
  searchWeights: z.record(z.string(), z.enum(['high', 'normal', 'low', 'none'])).default({}),
  cache: z.strictObject({ maxAge: z.int().min(0) }).optional(),
  queries: z.record(z.string(), z.unknown()).default({}),
  ...INDEX_OPTIONS,
  sitemap: SITEMAP.default({}),
  hooks: z.strictObject({ beforeSave: hook, afterSave: listener, title: hook }).default({}),
  ...TEMPLATE_OPTIONS,
  index: TEMPLATE.optional(),
  show: TEMPLATE.optional(),
})
/** The options of a type after parsing. */
export type CheckedTypeOptions = z.infer<typeof TYPE_OPTIONS>
