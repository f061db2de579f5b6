import { createServer } from 'node:http'
import { childSettings, type JobRequest, ownUsage, reply } from './children.ts'

/**
 * The baseline of everything: node:http alone, answering the very bytes that the service answered to the same
 * request, out of memory. It reads the body of a request to its end, and does nothing with it.
 */
const { port } = childSettings<{ readonly port: number }>()
const answers = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const body = answers.get(`${request.method} ${request.url}`)
  const answer = () => {
    response.writeHead(body ? 200 : 404, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body?.length ?? 0,
    })
    response.end(body)
  }
  if (request.method === 'GET') return answer()
  request.resume()
  request.on('end', answer)
})
server.listen(port, '127.0.0.1', () => reply(answerParent))

/** Learns the answers to new requests, or says what it has used. */
function answerParent(message: {
  readonly learn?: readonly { readonly request: JobRequest; readonly body: string }[]
  readonly forget?: true
}): unknown {
  if (message.forget) answers.clear()
  for (const { request, body } of message.learn ?? []) {
    answers.set(`${request.method} ${request.path}`, Buffer.from(body))
  }
  return ownUsage()
}
