import type { JsonSchema } from '../../base/json.ts'
import type { QueryParameter } from '../../http/requests/route.ts'
import { CHANGE_FREQUENCIES } from '../../model/declared/url-metadata.ts'
import { FILE_SIZES } from '../../model/terms/image-sizes.ts'

const SIZES = `separated by commas: ${FILE_SIZES.map((size) => `\`${size}\``).join(', ')}`

/** The parameters of URL metadata (§4.6). */
export const METADATA_QUERY: readonly QueryParameter[] = [
  {
    name: 'attachments',
    description: 'With the files of attachments.',
    schema: { type: 'boolean', default: false },
  },
  {
    name: 'attachmentScope',
    description: '`used`: of attachments that the listed pages use; `all`: of every one that is not archived.',
    schema: { type: 'string', enum: ['used', 'all'], default: 'used' },
  },
  { name: 'attachmentSizes', description: `Only images of these sizes, ${SIZES}.`, schema: { type: 'string' } },
  { name: 'attachmentSkipSizes', description: `No images of these sizes, ${SIZES}.`, schema: { type: 'string' } },
]

const text: JsonSchema = { type: 'string' }

/** URL metadata as answered (§4.6). */
export const METADATA: JsonSchema = {
  type: 'object',
  required: ['pages', 'attachments'],
  properties: {
    pages: {
      type: 'array',
      items: {
        type: 'object',
        description: 'With `contentType` a file that is written as it is; without, a page that is rendered.',
        required: ['url', 'i18nId'],
        properties: {
          url: { type: 'string', description: "Relative, without the site's prefix." },
          type: text,
          aposDocId: text,
          i18nId: { type: 'string', description: 'The same in all locales.' },
          _id: text,
          contentType: text,
          sitemap: { type: 'boolean', description: '`false`: not for sitemaps.' },
          changefreq: { type: 'string', enum: [...CHANGE_FREQUENCIES] },
          priority: { type: 'number', minimum: 0, maximum: 1 },
        },
      },
    },
    attachments: {
      type: ['object', 'null'],
      required: ['uploadsUrl', 'results'],
      properties: {
        uploadsUrl: { type: 'string', description: 'What stands in front of each path.' },
        results: {
          type: 'array',
          items: {
            type: 'object',
            required: ['_id', 'urls'],
            properties: {
              _id: text,
              base: { type: 'string', description: 'In place of `uploadsUrl`.' },
              urls: {
                type: 'array',
                items: { type: 'object', required: ['path'], properties: { size: text, path: text } },
              },
            },
          },
        },
      },
    },
  },
}
