import type { Finding } from '../../../data/translation.ts'

/** The findings about a document, each with its advice. */
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
