import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from './button.tsx'
import { announce } from './live.tsx'
import './toast.css'

const SHOWN_MS = 10_000

interface Toast {
  readonly id: number
  readonly text: string
  readonly action: { readonly label: string; readonly run: () => void } | null
}

const toasts = signal<readonly Toast[]>([])
let last = 0

const remove = (id: number) => {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

/** Shows a note for ten seconds, and says it; with a button, such as *Undo*. */
export function note(text: string, action: Toast['action'] = null): void {
  last += 1
  toasts.value = [...toasts.value.slice(-2), { id: last, text, action }]
  announce(text)
}

/** The notes, at the lower edge. */
export function Toasts() {
  return (
    <div class="q-toasts">
      {toasts.value.map((toast) => (
        <ToastNote key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastNote({ toast: { id, text, action } }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => remove(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class="q-toast">
      <span>{text}</span>
      {action && (
        <Button
          onPress={() => {
            remove(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}
