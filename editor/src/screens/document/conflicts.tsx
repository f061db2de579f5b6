import { useEditor } from '../../data/editor.ts'
import type { Conflict, OpenDocument } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { textOf } from '../parts/changes/value-text.ts'

/** Values that both sides changed, side by side; they wait until somebody decides. */
export function Conflicts({ document }: { readonly document: OpenDocument }) {
  const conflicts = document.conflicts.value
  if (conflicts.length === 0) return null
  return (
    <section aria-label={t.document.conflicts}>
      {conflicts.map((conflict) => (
        <ConflictCard key={conflict.path.join('.')} conflict={conflict} document={document} />
      ))}
    </section>
  )
}

const SENTENCES = {
  value: (label: string, by: string) => t.document.conflict(label, by),
  item: (label: string, by: string) => t.document.removedByOther(label, by),
  order: (label: string, by: string) => t.document.orderByOther(label, by),
}

function ConflictCard({ conflict, document }: { readonly conflict: Conflict; readonly document: OpenDocument }) {
  const { widgets } = useEditor().schema.value
  const { kind, path, label, mine, theirs, by } = conflict
  const sides = [
    { name: t.document.mine, value: mine, side: 'mine', use: t.document.useMine },
    { name: t.document.theirs, value: theirs, side: 'theirs', use: t.document.useTheirs },
  ] as const
  return (
    <div class="q-conflict" role="alert">
      <p>{SENTENCES[kind](label, by)}</p>
      <div class="q-conflict-sides">
        {sides.map(({ name, value, side, use }) => (
          <div key={side}>
            <h3>{name}</h3>
            <div class="q-conflict-value">{textOf(value, widgets)}</div>
            <Button onPress={() => document.resolve(path, side)}>{use}</Button>
          </div>
        ))}
      </div>
    </div>
  )
}
