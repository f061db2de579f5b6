import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { TypeInfo } from 'quire-client'
import { onceKeys } from '../../base/once-key.ts'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { makeRelated } from '../../data/related.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { choosable } from './media-upload.tsx'
import type { Choosable } from './use-chosen.ts'

interface NewDialogProps {
  readonly name: string
  readonly type: TypeInfo
  readonly onMade: (document: Choosable) => void
  readonly onClose: () => void
}

/** Asks for the title of a new document, and makes it; the rest is written later, in its own form. */
export function NewDialog({ name, type, onMade, onClose }: NewDialogProps) {
  const editor = useEditor()
  const id = useId()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const title = useSignal('')
  const failure = useSignal('')
  const isMissing = useSignal(false)
  const isMaking = useSignal(false)
  const keyOf = useMemo(onceKeys, [])
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  const make = async () => {
    isMissing.value = title.value.trim() === ''
    if (isMissing.value || isMaking.value) return
    isMaking.value = true
    failure.value = ''
    try {
      const values = { title: title.value }
      onMade(choosable(await makeRelated(editor, { name, type }, values, keyOf(values))))
      onClose()
    } catch (error) {
      failure.value = failureOf(error).message
    }
    isMaking.value = false
  }
  return (
    <Dialog
      title={t.related.create(type.label)}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="primary" isSubmit attributes={{ form: formId }}>
            {t.related.createNow}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <FieldFrame id={id} label={t.related.title} problems={isMissing.value ? [t.related.titleMissing] : []}>
          <Input
            id={id}
            type="text"
            value={title}
            aria-invalid={isMissing.value ? 'true' : undefined}
            aria-describedby={isMissing.value ? `${id}-problems` : undefined}
            onInput={({ currentTarget }) => {
              title.value = currentTarget.value
            }}
          />
        </FieldFrame>
        {failure.value !== '' && <Failure message={failure.value} />}
      </form>
    </Dialog>
  )
}
