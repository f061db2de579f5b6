import { Readable } from 'node:stream'
import { z } from 'zod'
import { invalidFields } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Agent } from './agent.ts'
import { IDEMPOTENCY_KEY, type Tool, tool } from './tool.ts'
import type { ToolAnswer } from './tool-answer.ts'

const MOST_BYTES = 1024 * 1024

const INPUT = z.strictObject({
  name: z.string().min(1).max(200).describe('With its extension: "map.png".'),
  data: z
    .string()
    .max(Math.ceil(MOST_BYTES / 3) * 4)
    .optional()
    .describe('The file as base64, up to 1 MB.'),
  idempotencyKey: IDEMPOTENCY_KEY,
})

/** Takes a file, or tells where larger ones are sent. */
export const upload: Tool = tool({
  name: 'upload',
  title: 'Upload a file',
  description:
    'Stores a file of up to 1 MB, and answers its _id for fields of type attachment. Without data it tells where larger files are sent. Files at other addresses are not fetched.',
  input: INPUT,
  facts: { _id: z.string().optional(), url: z.string().optional() },
  writes: true,
  run: (agent, { name, data }) => (data === undefined ? whereToSend(agent) : store(agent, name, data)),
})

async function whereToSend({ ctx: { site, origin } }: Agent): Promise<ToolAnswer> {
  const address = `${site.baseUrl ?? origin ?? ''}${site.prefix}/api/v1/${site.namespace}/attachment/upload`
  const most = Math.floor(site.limits.uploadBytes / 1024 / 1024)
  const text = `POST the file as multipart/form-data, in a part named "file", to ${address} with your key in Authorization, at most ${most} MB. The answer has its _id.`
  return { text, url: address }
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
    ? 'The file is larger than 1 MB: upload without data tells where to send it.'
    : 'Send the file as base64.'
  throw invalidFields([{ path: 'data', name: 'invalid', message }])
}
