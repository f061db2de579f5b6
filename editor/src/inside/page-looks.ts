import type { FromEditor } from './protocol.ts'

const ID = 'apos-styles-stylesheet'

/** Shows the page with another stylesheet of the site, where the service has put its own (§4.7). */
export function takeStyles({ css, classes, replaced }: Extract<FromEditor, { kind: 'styles' }>): void {
  const sheet = document.getElementById(ID) ?? newSheet()
  sheet.textContent = css
  document.body.classList.remove(...replaced)
  document.body.classList.add(...classes)
}

/** A site whose values made no CSS has no stylesheet yet. */
function newSheet(): HTMLElement {
  const sheet = document.createElement('style')
  sheet.id = ID
  const place = document.getElementById('apos-styles') ?? document.body.firstChild
  place?.parentNode?.insertBefore(sheet, place)
  return sheet
}
