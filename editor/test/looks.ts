import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from './editor.ts'

/** CSS pixels; 320 is what a window of 1280 shows at 400 %. */
const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const

/** In all looks, one after the other: axe finds nothing, and nothing is cut off. */
export async function expectFits(page: Page, where: string): Promise<void> {
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, `${where} ${width} ${colorScheme}`)
    const hidden = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect({ where, width, hidden }).toEqual({ where, width, hidden: 0 })
  }
}
