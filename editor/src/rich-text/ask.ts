import type { RichTextWords } from '../words/rich-text.ts'
import { element, newId } from './dom.ts'

/** A dialog with a form. */
export interface Question {
  readonly title: string
  readonly t: RichTextWords
  /** The rows of the form. */
  readonly rows: readonly HTMLElement[]
  /** Called with the form's answers; false keeps the dialog open. */
  onUse(): boolean
  /** Offered as *Remove*. */
  readonly onRemove?: (() => void) | undefined
  /** Called when it is closed, however that was. */
  onClose(): void
}

/** Asks in a dialog inside of `host`; Escape and *Cancel* change nothing. */
export function ask(host: HTMLElement, { title, t, rows, onUse, onRemove, onClose }: Question): HTMLDialogElement {
  const heading = element('h2', { id: newId() }, title)
  const cancel = element('button', { type: 'button', class: 'q-button' }, t.cancel)
  const use = element('button', { type: 'submit', class: 'q-button q-button--primary' }, t.use)
  const remove = element('button', { type: 'button', class: 'q-button q-button--danger' }, t.remove)
  const buttons = element('div', { class: 'q-rich-text-buttons' }, ...(onRemove ? [remove] : []), cancel, use)
  const form = element('form', {}, heading, ...rows, buttons)
  const dialog = element('dialog', { class: 'q-rich-text-dialog', 'aria-labelledby': heading.id }, form)
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (onUse()) dialog.close()
  })
  cancel.addEventListener('click', () => dialog.close())
  remove.addEventListener('click', () => {
    onRemove?.()
    dialog.close()
  })
  dialog.addEventListener('keydown', (event) => event.stopPropagation())
  dialog.addEventListener('close', () => {
    dialog.remove()
    onClose()
  })
  host.append(dialog)
  dialog.showModal()
  return dialog
}

/** A labelled input, with a place for what is wrong with it. */
export interface AskedValue {
  readonly row: HTMLElement
  readonly input: HTMLInputElement
  /** Shows a problem and takes the focus there; an empty one is gone. */
  complain(message: string): void
}

/** A row of a form. */
export function asked(label: string, value: string, type: 'text' | 'search' | 'color' = 'text'): AskedValue {
  const id = newId()
  const problem = element('p', { id: `${id}-problem`, class: 'q-rich-text-problem' })
  const input = element('input', { id, type, class: 'q-input', 'aria-describedby': problem.id, autocomplete: 'off' })
  input.value = value
  const row = element('div', { class: 'q-rich-text-row' }, element('label', { for: id }, label), input, problem)
  return {
    row,
    input,
    complain(message) {
      problem.textContent = message
      input.setAttribute('aria-invalid', String(message !== ''))
      if (message !== '') input.focus()
    },
  }
}

/** A checkbox in a row of a form. */
export function askedWhether(
  label: string,
  isOn: boolean,
): { readonly row: HTMLElement; readonly input: HTMLInputElement } {
  const input = element('input', { type: 'checkbox' })
  input.checked = isOn
  return { input, row: element('label', { class: 'q-rich-text-row' }, input, label) }
}
