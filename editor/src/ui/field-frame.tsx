import type { ComponentChildren } from 'preact'
import './field-frame.css'

interface FieldFrameProps {
  /** Of the control; its help has `<id>-help`, its problems `<id>-problems`. */
  readonly id: string
  readonly label: string
  readonly isRequired?: boolean
  readonly help?: string | undefined
  readonly problems?: readonly string[]
  /** Why it cannot be changed. */
  readonly lock?: string | null
  /** Where it lies in a document, dotted. */
  readonly path?: string
  /** The focus goes elsewhere. */
  readonly onLeave?: () => void
  readonly children: ComponentChildren
}

/** A control with its label above it, and its help and problems below. */
export function FieldFrame({
  id,
  label,
  isRequired,
  help,
  problems = [],
  lock,
  path,
  onLeave,
  children,
}: FieldFrameProps) {
  return (
    <div class={problems.length > 0 ? 'q-field q-field--wrong' : 'q-field'} data-path={path} onFocusOut={onLeave}>
      <label class="q-field-label" for={id}>
        {label}
        {isRequired && <RequiredMark />}
      </label>
      {children}
      <FieldNotes id={id} help={help} problems={problems} lock={lock ?? null} />
    </div>
  )
}

/** A star for eyes: the name of a control is its label alone. To ears the control says itself that it is required. */
export function RequiredMark() {
  return <span class="q-field-star" />
}

interface FieldNotesProps {
  readonly id: string
  readonly help: string | undefined
  readonly problems: readonly string[]
  readonly lock: string | null
}

/** Help and problems of a control, which `describedBy` names. */
export function FieldNotes({ id, help, problems, lock }: FieldNotesProps) {
  return (
    <>
      {(help || lock) && (
        <p id={`${id}-help`} class="q-field-help">
          {[lock, help].filter(Boolean).join(' ')}
        </p>
      )}
      {problems.length > 0 && (
        <ul id={`${id}-problems`} class="q-field-problems">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The value of `aria-describedby` of a control in a frame. */
export function describedBy(
  id: string,
  { help, lock, problems = [] }: { help?: string | undefined; lock?: string | null; problems?: readonly string[] },
): string | undefined {
  const ids = [...(help || lock ? [`${id}-help`] : []), ...(problems.length > 0 ? [`${id}-problems`] : [])]
  return ids.length > 0 ? ids.join(' ') : undefined
}
