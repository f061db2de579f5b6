import type { Finding } from '../../../data/translation.ts'

/** What is the case with a document, and what to do about it. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <ul>
      {findings.map(({ path, message, advice }) => (
        <li key={`${path} ${message}`}>
          {path !== '' && <code dir="ltr">{path}</code>} {message} <span class="q-translation-quiet">{advice}</span>
        </li>
      ))}
    </ul>
  )
}
