import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, BrokenConnection } from '../cms/test/caller.ts'
import { SERVING_KEYS } from '../cms/test/serving.ts'

const ATTEMPTS = 20

/** The text of a file that was uploaded; null where it cannot be had. Connections to processes that have been killed may still be tried. */
export async function fileAt(url: URL): Promise<string | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) return answer.text()
    await pause(200)
  }
  return null
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
