import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import './dialog.css'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** Buttons, at the end. */
  readonly actions?: ComponentChildren
  readonly onClose: () => void
  readonly size?: 'small' | 'large'
}

/** A dialog over everything else. Escape closes it, and the focus goes back to what opened it. */
export function Dialog({ title, children, actions, onClose, size = 'small' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={`q-dialog q-dialog--${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header class="q-dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" label={t.frame.close} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </header>
      <div class="q-dialog-body">{children}</div>
      {actions && <footer class="q-dialog-actions">{actions}</footer>}
    </dialog>
  )
}
