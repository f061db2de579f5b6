import { ChevronRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'
import './disclosure.css'

interface DisclosureProps {
  readonly label: string
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** Only drawn while it is open. */
  readonly children: () => ComponentChildren
}

/** A button that shows and hides what is below it. */
export function Disclosure({ label, isOpen, onToggle, children }: DisclosureProps) {
  const id = useId()
  return (
    <div class="q-disclosure">
      <button
        type="button"
        class="q-disclosure-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        <Icon of={ChevronRight} />
        {label}
      </button>
      {isOpen && <div id={id}>{children()}</div>}
    </div>
  )
}
