import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, BrokenConnection } from '../cms/test/caller.ts'
import { SERVING_KEYS } from '../cms/test/serving.ts'

/** Processes that have been killed may still be coming back. */
const PATIENCE_MS = 60_000

/** The text of a file that was uploaded; where it cannot be had, the reason. */
export async function fileAt(url: URL): Promise<string> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(200)) {
    const answer = await fetch(url).catch((error: unknown) => String(error))
    if (typeof answer !== 'string' && answer.status === 200) return answer.text()
    if (Date.now() > deadline) return typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`
  }
}

/** Uploads a text. */
export async function uploaded(address: string, text: string): Promise<Pick<Answer, 'status' | 'body'>> {
  const form = new FormData()
  form.append('file', new Blob([text]), 'file.txt')
  const headers = { authorization: `ApiKey ${SERVING_KEYS.editor}` }
  try {
    const answer = await fetch(`${address}/api/v1/@cms/attachment/upload`, { method: 'POST', body: form, headers })
    return { status: answer.status, body: await answer.json() }
  } catch (cause) {
    throw new BrokenConnection(address, { cause })
  }
}
