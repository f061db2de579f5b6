import { useId } from 'preact/hooks'
import { describedBy, FieldFrame } from './field-frame.tsx'
import { Input, type InputAttributes } from './input.tsx'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly isRequired?: boolean
  readonly help?: string
  readonly problems?: readonly string[]
  readonly attributes?: InputAttributes
}

/** One line of text with its label: for what is not a field of a document. */
export function TextField({
  label,
  value,
  onInput,
  isRequired = false,
  help,
  problems = [],
  attributes,
}: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} isRequired={isRequired} help={help} problems={problems}>
      <Input
        type="text"
        {...attributes}
        id={id}
        value={value}
        aria-required={isRequired ? 'true' : undefined}
        aria-invalid={problems.length > 0 ? 'true' : undefined}
        aria-describedby={describedBy(id, { help, problems })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </FieldFrame>
  )
}
