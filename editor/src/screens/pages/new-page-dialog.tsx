import { useSignal } from '@preact/signals'
import { useId, useMemo } from 'preact/hooks'
import { onceKeys } from '../../base/once-key.ts'
import { useEditor } from '../../data/editor.ts'
import { invalidate } from '../../data/query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { newPageTypes } from './new-page-types.ts'
import type { PageRequests } from './page-requests.ts'
import type { PageRow } from './page-row.ts'
import type { Choice } from './target-choice.ts'
import { TargetPicker } from './target-picker.tsx'

interface NewPageDialogProps {
  /** The page below which the new one is to stand. */
  readonly above: PageRow
  readonly requests: PageRequests
  readonly onClose: () => void
  /** Opens the page that was made. */
  readonly onMade: (page: PageRow) => void
}

/** Asks for the title and the kind of a new page; the place can be changed. Then the page is opened, as a draft. */
export function NewPageDialog({ above, requests, onClose, onMade }: NewPageDialogProps) {
  const { schema } = useEditor()
  const types = newPageTypes(schema.value)
  const id = useId()
  const title = useSignal('')
  const type = useSignal(types.find(([name]) => name === above.type)?.[0] ?? types[0]?.[0] ?? '')
  const parent = useSignal<Choice>({ docId: above.aposDocId, title: above.title })
  const problem = useSignal<string | null>(null)
  const failure = useSignal<string | null>(null)
  const isMaking = useSignal(false)
  const keyOf = useMemo(onceKeys, [])
  const make = async () => {
    problem.value = title.value.trim() === '' ? t.tree.noTitle : null
    if (problem.value !== null || isMaking.value) return
    isMaking.value = true
    try {
      const target = { docId: parent.value.docId, position: 'lastChild' } as const
      const page = { type: type.value, title: title.value.trim() }
      const made = await requests.create(page, target, keyOf({ page, target }))
      onClose()
      void invalidate('tree', 'documents', type.value)
      onMade(made)
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error)
    }
    isMaking.value = false
  }
  return (
    <Dialog
      title={t.tree.create}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="primary" isSubmit attributes={{ form: `${id}-form` }}>
            {t.tree.make}
          </Button>
        </>
      }
    >
      <form
        id={`${id}-form`}
        class="q-page-form"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <TextField
          label={t.tree.title}
          value={title.value}
          isRequired
          problems={problem.value === null ? [] : [problem.value]}
          attributes={{ autocomplete: 'off' }}
          onInput={(value) => {
            title.value = value
          }}
        />
        <div class="q-field">
          <label class="q-field-label" for={id}>
            {t.tree.typeOf}
          </label>
          <select
            id={id}
            class="q-input"
            value={type.value}
            onChange={(event) => {
              type.value = event.currentTarget.value
            }}
          >
            {types.map(([name, { label }]) => (
              <option key={name} value={name} selected={name === type.value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </form>
      <div class="q-page-form">
        <p>{t.tree.belowWhich(parent.value.title)}</p>
        <details>
          <summary>{t.tree.belowOther}</summary>
          <TargetPicker requests={requests} moving={null} chosen={parent} />
        </details>
        {failure.value !== null && <Failure message={failure.value} />}
      </div>
    </Dialog>
  )
}
