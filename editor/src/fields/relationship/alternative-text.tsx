import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { saveAlternative } from '../../data/related.ts'
import { focusAfterUpload } from '../../ui/after-upload.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'

interface AlternativeTextProps {
  /** Of the image. */
  readonly docId: string
  readonly stored: string
  /** Whether it was just uploaded. */
  readonly isNew: boolean
}

/** The alternative text of a chosen picture: saved to the image when it is left, for all places that show it. */
export function AlternativeText({ docId, stored, isNew }: AlternativeTextProps) {
  const editor = useEditor()
  const id = useId()
  const text = useSignal(stored)
  const known = useRef(stored)
  const failure = useSignal('')
  useLayoutEffect(() => {
    // What is being typed is saved when it is left.
    if (text.peek() === known.current) text.value = stored
    known.current = stored
  }, [stored, text])
  useEffect(() => {
    if (isNew) focusAfterUpload(document.getElementById(id))
  }, [id, isNew])
  const denied = editor.schema.value.types[`${editor.place.namespace}/image`]?.denied.editDraft
  const save = async () => {
    failure.value = ''
    try {
      await saveAlternative(editor, docId, text.peek())
    } catch (error) {
      failure.value = failureOf(error).message
    }
  }
  const isMissing = text.value.trim() === ''
  return (
    <FieldFrame
      id={id}
      label={t.related.alternative}
      help={t.related.alternativeHelp}
      lock={denied ? t.roles.reason(denied) : null}
      problems={failure.value === '' ? [] : [failure.value]}
    >
      <Input
        id={id}
        type="text"
        value={text}
        readOnly={denied !== undefined}
        aria-describedby={`${id}-help ${id}-missing`}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
        onChange={() => void save()}
      />
      <small id={`${id}-missing`} class="q-warning">
        {isMissing && t.related.alternativeMissing}
      </small>
    </FieldFrame>
  )
}
