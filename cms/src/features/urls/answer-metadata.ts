import { ByteWriter } from '../../base/byte-writer.ts'
import { invalid } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/json.ts'
import { boolean, object, text } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import {
  attachmentOptions,
  collectUrlMetadata,
  countPieces,
  type UrlMetadataOptions,
} from '../../engine/urls/collect-urls.ts'
import { flag, textParameter } from '../../http/requests/read-parameters.ts'
import { type QueryParameter, type QueryValues, Reply } from '../../http/requests/route.ts'
import { CHANGE_FREQUENCIES } from '../../model/declared/url-metadata.ts'
import { FILE_SIZES } from '../../model/terms/image-sizes.ts'

/** The bytes reserved for an answer: for each piece, with its part of the lists, and for everything else. */
const PIECE_BYTES = 300
const OTHER_BYTES = 64 * 1024

/** The URL metadata of a locale as JSON text, written part by part (§4.6). */
export async function answerMetadata(ctx: Context, query: QueryValues): Promise<Reply> {
  if (!ctx.site.static) {
    throw invalid('This site is not built statically: its URLs are not paths. Set the site option static to true.')
  }
  if (ctx.mode === 'draft') throw invalid('Only what is published has URLs: leave out aposMode=draft.')
  const options = optionsOf(query)
  // Hooks of a site may list what is not content of ours.
  if (ctx.hooks.names.has('getAllUrlMetadata') || ctx.hooks.names.has('getAllAttachmentMetadata')) ctx.caching.forbid()
  const answer = new ByteWriter((await countPieces(ctx)) * PIECE_BYTES + OTHER_BYTES)
  const pages = listWriter(answer)
  const results = listWriter(answer)
  const uploadsUrl = attachmentOptions(ctx, options)?.uploadsUrl
  const beforeResults = `],"attachments":${uploadsUrl === undefined ? 'null}' : `{"uploadsUrl":${JSON.stringify(uploadsUrl)},"results":[`}`
  let isAtResults = false
  const endPages = () => {
    if (!isAtResults) answer.write(beforeResults)
    isAtResults = true
  }
  answer.write('{"pages":[')
  await collectUrlMetadata(ctx, options, {
    pages,
    attachments: (some) => {
      endPages()
      results(some)
    },
  })
  endPages()
  if (uploadsUrl !== undefined) answer.write(']}}')
  return new Reply(answer.written())
}

/** Writes the items of a JSON list, some at a time. */
function listWriter(answer: ByteWriter): (items: readonly object[]) => void {
  let isEmpty = true
  return (items) => {
    if (items.length === 0) return
    if (!isEmpty) answer.write(',')
    answer.write(JSON.stringify(items).slice(1, -1))
    isEmpty = false
  }
}

function optionsOf(query: QueryValues): UrlMetadataOptions {
  const scope = textParameter(query, 'attachmentScope') ?? 'used'
  if (scope !== 'used' && scope !== 'all') throw invalid('attachmentScope is used or all.')
  const sizes = sizesOf(query, 'attachmentSizes')
  const skipSizes = sizesOf(query, 'attachmentSkipSizes')
  return { attachments: flag(query, 'attachments') && { scope, sizes, skipSizes } }
}

function sizesOf(query: QueryValues, name: string): string[] {
  const sizes = (textParameter(query, name) ?? '').split(',').map((size) => size.trim())
  const known: readonly string[] = ['', ...FILE_SIZES]
  if (!sizes.every((size) => known.includes(size))) {
    throw invalid(`${name} takes sizes separated by commas: ${FILE_SIZES.join(', ')}.`)
  }
  return sizes.filter((size) => size !== '')
}

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

const anyText: JsonSchema = { type: 'string' }

/** URL metadata as answered (§4.6). */
export const METADATA: JsonSchema = object(['pages', 'attachments'], {
  pages: {
    type: 'array',
    items: {
      type: 'object',
      description: 'With `contentType` a file that is written as it is; without, a page that is rendered.',
      required: ['url', 'i18nId'],
      properties: {
        url: text("Relative, without the site's prefix."),
        type: anyText,
        aposDocId: anyText,
        i18nId: text('The same in all locales.'),
        _id: anyText,
        contentType: anyText,
        sitemap: boolean('`false`: not for sitemaps.'),
        changefreq: { type: 'string', enum: [...CHANGE_FREQUENCIES] },
        priority: { type: 'number', minimum: 0, maximum: 1 },
      },
    },
  },
  attachments: {
    type: ['object', 'null'],
    required: ['uploadsUrl', 'results'],
    properties: {
      uploadsUrl: text('What stands in front of each path.'),
      results: {
        type: 'array',
        items: object(['_id', 'urls'], {
          _id: anyText,
          base: text('In place of `uploadsUrl`.'),
          urls: {
            type: 'array',
            items: object(['path'], { size: anyText, path: anyText }),
          },
        }),
      },
    },
  },
})
