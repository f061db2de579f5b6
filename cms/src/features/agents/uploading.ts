import { Readable } from 'node:stream'
import { z } from 'zod'
import { invalidFields, tooLarge } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { makeUploadLink } from '../../engine/access/make-upload-link.ts'
import type { Agent } from './agent.ts'
import { IDEMPOTENCY_KEY, type Tool, type ToolAnswer, tool } from './tool.ts'

const MOST_BYTES = 1024 * 1024

const INPUT = z.strictObject({
  name: z.string().min(1).max(200).describe('With its extension: "map.png".'),
  data: z
    .string()
    .max(Math.ceil(MOST_BYTES / 3) * 4)
    .optional()
    .describe('The file as base64, up to 1 MB.'),
  size: z.int().min(1).optional().describe('Of a larger file, in bytes: its link takes no more.'),
  idempotencyKey: IDEMPOTENCY_KEY,
})

/** Takes a file, or gives a link by which a larger one is sent. */
export const upload: Tool = tool({
  name: 'upload',
  title: 'Upload a file',
  description:
    'Stores a file of up to 1 MB, and answers its _id for fields of type attachment. Without data it gives a link, by which one larger file is sent within 15 minutes. Files at other addresses are not fetched.',
  input: INPUT,
  facts: { _id: z.string().optional(), url: z.string().optional(), expiresAt: z.string().optional() },
  writes: true,
  answersSecret: (given) => isObject(given) && given.data === undefined,
  run: (agent, { name, data, size }) => (data === undefined ? linkFor(agent, name, size) : store(agent, name, data)),
})

async function linkFor({ ctx }: Agent, name: string, size: number | undefined): Promise<ToolAnswer> {
  const { site, origin } = ctx
  const most = site.limits.uploadBytes
  if (size !== undefined && size > most) throw tooLarge(`This service takes files of at most ${most} bytes.`)
  const { token, expiresAt } = await makeUploadLink(ctx, { name, mostBytes: size ?? most })
  const address = `${site.baseUrl ?? origin ?? ''}${site.prefix}/api/v1/${site.namespace}/attachment/upload-link`
  const url = `${address}?token=${token}`
  const text = `Send the file once, until ${expiresAt}, without a key: curl -T FILE "${url}", or by POST as multipart/form-data, in a part named "file". At most ${size ?? most} bytes. The answer has its _id.`
  return { text, url, expiresAt }
}

async function store(agent: Agent, name: string, data: string): Promise<ToolAnswer> {
  const bytes = bytesOf(data)
  const file = { name, type: '', stream: Readable.from([bytes]) }
  const { body } = await agent.run('attachment.upload', { upload: { file: async () => file } })
  const { _id, extension, length, width, height } = isObject(body) ? body : {}
  const size = width ? `, ${width} × ${height} pixels` : ''
  return { text: `Stored: ${length} bytes of ${extension}${size}. Its _id is ${_id}.`, _id: String(_id) }
}

function bytesOf(data: string): Buffer {
  const text = data.replaceAll(/\s/g, '')
  const bytes = Buffer.from(text, 'base64')
  const isWhole = bytes.length > 0 && bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')
  if (isWhole && bytes.length <= MOST_BYTES) return bytes
  const message = isWhole
    ? 'The file is larger than 1 MB: upload without data gives a link to send it by.'
    : 'Send the file as base64.'
  throw invalidFields([{ path: 'data', name: 'invalid', message }])
}
