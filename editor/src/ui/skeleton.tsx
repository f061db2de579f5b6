import { t } from '../words/words.ts'
import './skeleton.css'

/** Outlines of what is coming, after a moment; those who listen hear *Loading…*. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div class="q-skeleton" role="status">
      <span class="q-hidden">{t.frame.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="q-skeleton-row" />
      ))}
    </div>
  )
}
