import { signal } from '@preact/signals'

const polite = signal('')
const assertive = signal('')

/** Says something to those who listen, once the present sentence is over. The same sentence twice is said twice. */
export function announce(text: string): void {
  polite.value = polite.value === text ? `${text}\u00a0` : text
}

/** Says at once what threatens to be lost. */
export function alarm(text: string): void {
  assertive.value = text
}

/** The two live regions of the page. */
export function LiveRegions() {
  return (
    <div class="q-hidden">
      <div aria-live="polite" aria-atomic="true">
        {polite}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {assertive}
      </div>
    </div>
  )
}
