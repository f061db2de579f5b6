import type { IconNode } from 'lucide'
import { createElement } from 'preact'
import './icon.css'

/** A picture next to words, hidden from screen readers. */
export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="q-icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  )
}
