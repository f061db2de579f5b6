import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { FieldInfo } from 'quire-client'
import type { FormNode } from '../model/form.ts'
import { describedBy, FieldNotes, RequiredMark } from '../ui/field-frame.tsx'
import { FieldMark } from './field-mark.tsx'
import { lockOf, wordsOf } from './leaf-field.tsx'
import './field-group.css'

interface FieldGroupProps {
  readonly node: FormNode
  readonly field: FieldInfo
  /** Shown after the help, such as how many items there may be. */
  readonly hint?: string
  readonly children: ComponentChildren
}

/** A field that holds others: a group that its label names, with its help and problems. */
export function FieldGroup({ node, field, hint = '', children }: FieldGroupProps) {
  const id = useId()
  const { label, required = false } = field
  const help = [hint, field.help].filter(Boolean).join(' ') || undefined
  const lock = lockOf({ field, isLocked: node.isLocked })
  const problems = wordsOf(node.problems.value)
  return (
    <fieldset
      class={`q-group q-group--${node.kind}`}
      data-path={node.path.join('.')}
      aria-labelledby={id}
      aria-describedby={describedBy(id, { help, lock, problems })}
    >
      <legend class="q-field-label">
        <span id={id}>{label}</span>
        {required && <RequiredMark />}
      </legend>
      <FieldNotes id={id} help={help} problems={problems} lock={lock} />
      {children}
      <FieldMark path={node.path} />
    </fieldset>
  )
}
