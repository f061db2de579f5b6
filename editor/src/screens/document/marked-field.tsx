import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { ChangeRow, JsonObject } from 'quire-client'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { AiMark } from '../../ui/ai-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { ChangedContent, keyOf, placeOf } from '../parts/changes/change-item.tsx'
import '../parts/changes/changes.css'
import { PutBackButton } from './put-back-button.tsx'
import './marked-field.css'

interface MarkedFieldProps {
  readonly draft: OpenDraft
  readonly rows: readonly ChangeRow[]
  /** Whether it was ever published: else it only shows what AI has written. */
  readonly isCompared: boolean
  readonly published: () => Promise<JsonObject>
}

/** Beside a field: that it differs from what is published, what that was, and the way back. */
export function MarkedField({ draft, rows, isCompared, published }: MarkedFieldProps) {
  const id = useId()
  const isOpen = useSignal(false)
  const ai = aiOf(rows)
  const undo = (row: ChangeRow | undefined) =>
    row && <PutBackButton draft={draft} row={row} earlier={published} label={t.marks.undoHere} />
  if (!isCompared)
    return ai === false ? null : (
      <p class="q-marked">
        <AiMark ai={ai} />
      </p>
    )
  return (
    <div class="q-marked">
      <div class="q-row">
        <span class="q-state q-state--modified">
          <span aria-hidden="true">◐</span> {t.marks.changed}
        </span>
        <AiMark ai={ai} />
        <Button
          onPress={() => {
            isOpen.value = !isOpen.peek()
          }}
          attributes={{ 'aria-expanded': isOpen.value, 'aria-controls': isOpen.value ? id : undefined }}
        >
          {t.marks.published}
          <span class="q-hidden"> {rows[0] ? placeOf(rows[0]) : ''}</span>
        </Button>
        {rows.length === 1 && undo(rows[0])}
      </div>
      {isOpen.value && (
        <div id={id} class="q-marked-content">
          {rows.map((row) => (
            <div key={keyOf(row)}>
              {rows.length > 1 && <strong>{placeOf(row)}</strong>}
              <p class="q-change-sentence">{t.changes.sentence(row.kind, row.type)}</p>
              <ChangedContent row={row} />
              {rows.length > 1 && undo(row)}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** Text that nobody touched outweighs text that somebody did. */
function aiOf(rows: readonly ChangeRow[]): ChangeRow['ai'] {
  return rows.find(({ ai }) => ai === 'changed')?.ai ?? rows.find(({ ai }) => ai !== false)?.ai ?? false
}
