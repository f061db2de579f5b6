import { useSignal } from '@preact/signals'
import { useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'
import type { Check } from './use-publishing.ts'

interface AlongDialogProps {
  readonly check: Check
  readonly onClose: () => void
  /** The ids that are published as well. */
  readonly onPublish: (ids: readonly string[]) => void
}

/** Asks which unpublished documents go live together with this one. Pages above must. */
export function AlongDialog({ check, onClose, onPublish }: AlongDialogProps) {
  const { schema } = useEditor()
  const { unpublishedAncestors: ancestors, unpublishedRelated: related } = check
  const chosen = useSignal<ReadonlySet<string>>(new Set(related.map(({ _id }) => _id)))
  const toggle = (id: string) => {
    const next = new Set(chosen.value)
    if (!next.delete(id)) next.add(id)
    chosen.value = next
  }
  return (
    <Dialog
      title={t.publishing.along}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="primary" onPress={() => onPublish([...chosen.value])}>
            {ancestors.length > 0 ? t.publishing.withAncestors : t.publishing.withThem}
          </Button>
        </>
      }
    >
      {ancestors.length > 0 && <p>{t.publishing.ancestors(ancestors.map(({ title }) => title).join(', '))}</p>}
      {related.length > 0 && <p>{t.publishing.alongHelp}</p>}
      {related.map(({ _id, type, title }) => (
        <Tick
          key={_id}
          type="checkbox"
          label={`${title || t.list.untitled} (${schema.value.types[type]?.label ?? type})`}
          checked={chosen.value.has(_id)}
          onChange={() => toggle(_id)}
        />
      ))}
    </Dialog>
  )
}
