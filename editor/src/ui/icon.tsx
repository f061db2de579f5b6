import type { IconNode } from 'lucide'
import { createElement } from 'preact'
import './icon.css'

/** A picture beside words; those who listen do not hear of it. */
export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="q-icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  )
}
