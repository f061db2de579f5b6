import { useEffect, useRef } from 'preact/hooks'
import { stay } from '../base/stay.ts'

interface SafeHtmlProps {
  /** HTML that the service has cleaned. */
  readonly html: string
  readonly class?: string
}

interface Policy {
  createHTML(html: string): string
}

// `as`: browsers without Trusted Types have no factory, and the compiler's library does not know it.
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes
const policy: Policy = factory?.createPolicy('quire', { createHTML: (html) => html }) ?? { createHTML: (html) => html }

/** HTML as browsers that enforce Trusted Types take it. Only for what the service has cleaned. */
export function cleaned(html: string): string {
  return policy.createHTML(html)
}

/** Draws HTML that the service has cleaned; the only place that does. Its links lead nowhere. */
export function SafeHtml({ html, class: name }: SafeHtmlProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (element.current) element.current.innerHTML = cleaned(html)
  }, [html])
  useEffect(() => element.current?.addEventListener('click', stay), [])
  return <div ref={element} class={name} />
}
