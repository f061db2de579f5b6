import type { Frame, JSHandle, Page } from 'playwright-core'
import { type FromEditor, type FromPage, readFromPage, sent, withToken } from '../src/inside/protocol.ts'

const TOKEN = 'c0ffee00'.repeat(4)

/** A page in a frame as the editor has it: a stranger, with a token. */
export interface Framed {
  readonly frame: Frame
  /** What the page has told so far, as the editor reads it. */
  heard(): Promise<readonly (FromPage | null)[]>
  tell(message: FromEditor, token?: string): Promise<void>
}

/** Frames an address in a page of the editor. `token: null` frames it without one. */
export async function framed(
  editor: Page,
  url: string,
  {
    token = TOKEN,
    sandbox = 'allow-scripts allow-forms allow-popups',
  }: { token?: string | null; sandbox?: string } = {},
): Promise<Framed> {
  const src = token === null ? url : withToken(url, token)
  const element: JSHandle = await editor.evaluateHandle(framing(src, sandbox))
  const frame = await element.asElement()?.contentFrame()
  if (!frame) throw new Error('There is no frame.')
  return {
    frame,
    heard: async () => {
      const told = await editor.evaluate<unknown[]>('told')
      return told.map((one) => readFromPage(one, TOKEN))
    },
    tell: async (message, other = TOKEN) => {
      const data = JSON.stringify(sent(message, other))
      await editor.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${data}, '*')`)
    },
  }
}

/** A program for a page: it answers the frame when that is loaded, and keeps what comes out of it in `told`. */
function framing(src: string, sandbox: string): string {
  return `new Promise((resolve) => {
    const frame = document.createElement('iframe')
    globalThis.told = []
    addEventListener('message', ({ source, data }) => source === frame.contentWindow && told.push(data))
    frame.addEventListener('load', () => resolve(frame))
    Object.assign(frame, { src: ${JSON.stringify(src)}, title: 'Page' })
    frame.style.cssText = 'position:fixed;inset:0;inline-size:900px;block-size:500px;background:#fff;z-index:9'
    frame.setAttribute('sandbox', ${JSON.stringify(sandbox)})
    document.querySelector('iframe')?.remove()
    document.body.prepend(frame)
  })`
}
