import type { Page } from 'playwright-core'

/** Answers that the service has given, and a page has not got. */
export interface Held {
  /** Resolves once there is one. */
  readonly isThere: Promise<void>
  letGo(): void
}

/** Holds the answers to requests of a method back, at an address, until they are let go. */
export async function held(page: Page, method: string, address: string): Promise<Held> {
  const there = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    there.resolve()
    await free.promise
    await route.fulfill({ response })
  })
  return { isThere: there.promise, letGo: free.resolve }
}
