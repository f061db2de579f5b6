import type { ButtonHTMLAttributes, ComponentChildren, TargetedMouseEvent } from 'preact'
import { useId } from 'preact/hooks'
import './button.css'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** Why it cannot be pressed now. It can still be reached by the keyboard, and says the reason. */
  readonly offBecause?: string | null
  readonly isSubmit?: boolean
  /** Its name, where it shows a picture alone. */
  readonly label?: string
  readonly attributes?: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> & Record<`data-${string}`, string>
}

/** A button; one that is off stays reachable and says why. */
export function Button(props: ButtonProps) {
  const { children, onPress, kind = 'plain', offBecause = null, isSubmit = false, label, attributes } = props
  const id = useId()
  const isOff = offBecause !== null
  return (
    <span class="q-button-place">
      <button
        {...attributes}
        type={isSubmit ? 'submit' : 'button'}
        class={`q-button q-button--${kind}`}
        aria-label={label}
        aria-disabled={isOff ? 'true' : undefined}
        aria-describedby={isOff ? id : attributes?.['aria-describedby']}
        title={label}
        onClick={(event) => {
          if (isOff) event.preventDefault()
          else onPress?.(event)
        }}
      >
        {children}
      </button>
      {isOff && (
        <span id={id} role="tooltip" class="q-button-reason">
          {offBecause}
        </span>
      )}
    </span>
  )
}
