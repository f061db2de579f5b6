import type { ChangeRow, JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { putBack, whyNot } from './put-back-row.ts'

interface PutBackButtonProps {
  readonly draft: OpenDraft
  readonly row: ChangeRow
  /** Reads the older side, once it is needed. */
  readonly earlier: () => Promise<JsonObject>
  readonly label?: string
}

/** Puts one change back as the older side has it. */
export function PutBackButton({ draft, row, earlier, label = t.changes.putBack }: PutBackButtonProps) {
  const { schema } = useEditor()
  return (
    <span>
      <Button onPress={() => void putBack(draft, row, earlier)} offBecause={whyNot(draft, schema.value.widgets, row)}>
        {label}
        <span class="q-hidden"> {row.path.map((step) => step.label).join(' › ')}</span>
      </Button>
    </span>
  )
}
