import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** More stops than any screen of a test has. */
const MOST_STOPS = 120
/** What the browser draws: its own bar, or the button of a date's calendar. */
const OF_BROWSER = 'the browser'

/** What has the focus, as those hear it who listen, without its state and value: `textbox "Title"`. */
export async function focused(page: Page): Promise<string> {
  const focus = page.locator(':focus')
  if ((await focus.count()) === 0) return OF_BROWSER
  return /^- '?(\w+(?: "[^"]*")?)/.exec(await focus.ariaSnapshot())?.[1] ?? ''
}

/**
 * Presses Tab until the focus is on what is wanted, and answers all stops on the way. Each must be seen: it has a
 * ring, and is inside of the window.
 */
export async function tabTo(page: Page, wanted: string, key = 'Tab'): Promise<readonly string[]> {
  const stops: string[] = []
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press(key)
    const stop = await focused(page)
    stops.push(stop)
    const isSeen = stop === OF_BROWSER || (await isFocusSeen(page))
    expect({ stop, isSeen }).toEqual({ stop, isSeen: true })
    if (stop === wanted) return stops
  }
  throw new Error(`${key} did not lead to ${wanted}, but to:\n${stops.join('\n')}`)
}

function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null) return false
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isInside = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return isInside && ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none')
  })
}
