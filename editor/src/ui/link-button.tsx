import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'

interface LinkButtonProps {
  readonly href: string
  readonly children: ComponentChildren
  readonly kind?: 'plain' | 'primary'
  /** Why nobody can go there now: it is a button then, which says so. */
  readonly offBecause?: string | null
}

/** A link that looks like a button. */
export function LinkButton({ href, children, kind = 'plain', offBecause = null }: LinkButtonProps) {
  if (offBecause !== null)
    return (
      <Button kind={kind} offBecause={offBecause}>
        {children}
      </Button>
    )
  return (
    <a href={href} class={`q-button q-button--${kind}`}>
      {children}
    </a>
  )
}
