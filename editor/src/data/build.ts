import { signal } from '@preact/signals'

/** True once the service is known to serve another build of the editor than this tab runs. */
export const isOutdated = signal(false)

const ENTRY = /<script[^>]*\ssrc="[^"]*?([^"/]+\.js)"/

/** Loads a part of the editor; where that fails, finds out whether the service serves another build by now. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    isOutdated.value = await isOtherServed()
    throw error
  }
}

async function isOtherServed(): Promise<boolean> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src')?.split('/').at(-1)
  try {
    const page = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const served = ENTRY.exec(await page.text())?.[1]
    return served !== undefined && served !== own
  } catch {
    // Without a connection nobody knows; the part is asked for again.
    return false
  }
}
