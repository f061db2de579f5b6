import type { Frame, Page } from 'playwright-core'
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
  const element = await editor.evaluateHandle(
    ([src = '', sandbox = '']) =>
      new Promise<HTMLIFrameElement>((resolve) => {
        const frame = document.createElement('iframe')
        const told: unknown[] = []
        Object.assign(globalThis, { told })
        addEventListener('message', ({ source, data }) => source === frame.contentWindow && told.push(data))
        frame.addEventListener('load', () => resolve(frame))
        Object.assign(frame, { src, title: 'Page' })
        frame.style.cssText = 'position:fixed;inset:0;inline-size:900px;block-size:500px;background:#fff;z-index:9'
        frame.setAttribute('sandbox', sandbox)
        document.body.prepend(frame)
      }),
    [src, sandbox],
  )
  const frame = await element.asElement()?.contentFrame()
  if (!frame) throw new Error('There is no frame.')
  return {
    frame,
    heard: async () => {
      const told = await editor.evaluate(() => Reflect.get(globalThis, 'told') as unknown[])
      return told.map((one) => readFromPage(one, TOKEN))
    },
    tell: async (message, other = TOKEN) => {
      await element.evaluate(
        (one, data) => one.contentWindow?.postMessage(data, '*'),
        sent(message, other) as unknown as Record<string, string>,
      )
    },
  }
}
