import { useSignal } from '@preact/signals'
import { useContext, useId } from 'preact/hooks'
import type { Leaf, Problem } from '../model/form.ts'
import { describedBy, FieldFrame, FieldNotes, RequiredMark } from '../ui/field-frame.tsx'
import { t } from '../words/words.ts'
import { controlOf } from './controls.ts'
import { FieldMark } from './field-mark.tsx'
import { Reset } from './reset.tsx'
import { Tried } from './tried.ts'
import './field.css'

/** A field with one control, or a group of them, with its label, help and problems. */
export function LeafField({ leaf }: { readonly leaf: Leaf }) {
  const id = useId()
  const { kind, Edit } = controlOf(leaf.field)
  const { label, required = false } = leaf.field
  // A group cannot say by itself that it is required.
  const help = [...(kind === 'group' && required ? [t.form.required] : []), leaf.field.help ?? []].flat().join(' ')
  const isLeft = useSignal(false)
  const isTold = useContext(Tried).value || isLeft.value
  const problems = wordsOf(leaf.problems.value.filter(({ name }) => isTold || name !== 'required'))
  const onLeave = () => {
    isLeft.value = true
  }
  const lock = lockOf(leaf)
  const props = {
    leaf,
    id,
    describedBy: describedBy(id, { help, lock, problems }),
    isInvalid: problems.length > 0,
  }
  if (kind === 'single')
    return (
      <FieldFrame
        id={id}
        label={label}
        isRequired={required}
        help={help}
        problems={problems}
        lock={lock}
        path={leaf.path.join('.')}
        onLeave={onLeave}
      >
        <Edit {...props} />
        <Reset leaf={leaf} />
        <FieldMark path={leaf.path} />
      </FieldFrame>
    )
  return (
    <fieldset class="q-field" data-path={leaf.path.join('.')} onFocusOut={onLeave} aria-describedby={props.describedBy}>
      <legend class="q-field-label">
        {label}
        {required && <RequiredMark />}
      </legend>
      <Edit {...props} />
      <Reset leaf={leaf} />
      <FieldMark path={leaf.path} />
      <FieldNotes id={id} help={help} problems={problems} lock={lock} />
    </fieldset>
  )
}

/** Problems in words: those of the service in its own. */
export function wordsOf(problems: readonly Problem[]): readonly string[] {
  return [...new Set(problems.map((problem) => problem.message ?? t.problems.of(problem.name, problem.params ?? {})))]
}

/** Why a field cannot be changed. */
export function lockOf({ field, isLocked }: Pick<Leaf, 'field' | 'isLocked'>): string | null {
  if (!isLocked) return null
  return field.locked ? t.roles.reason(field.locked) : t.form.readOnly
}
