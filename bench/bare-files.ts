import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { childSettings, ownUsage, reply } from './children.ts'

/** The baseline of uploads: node:http alone, which sends a file of a folder as a stream. */
const { port, folder } = childSettings<{ readonly port: number; readonly folder: string }>()

const server = createServer(async (request, response) => {
  const file = await open(join(folder, request.url ?? ''))
  const { size } = await file.stat()
  if (response.destroyed) return file.close()
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': size })
  await pipeline(file.createReadStream(), response).catch(() => response.destroy())
})
server.listen(port, '127.0.0.1', () => reply(ownUsage))
