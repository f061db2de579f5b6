import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Refusal } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import './sign-in-form.css'

const SECOND_MS = 1000

interface SignInFormProps {
  readonly signIn: (name: string, password: string) => Promise<Refusal | null>
  /** The name of the user who signs in again. */
  readonly name?: string
}

/** User name or e-mail, and password. */
export function SignInForm({ signIn, name: known = '' }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const name = useSignal(known)
  const password = useSignal('')
  const isShown = useSignal(false)
  const isBusy = useSignal(false)
  const isTried = useSignal(false)
  const refusal = useSignal<Refusal | null>(null)
  const wait = useCountdown(refusal.value)
  const missing = {
    name: isTried.value && name.value.trim() === '' ? [t.signIn.nameMissing] : [],
    password: isTried.value && password.value === '' ? [t.signIn.passwordMissing] : [],
  }
  const focus = (field: string) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus()
  const submit = async () => {
    isTried.value = true
    if (name.value.trim() === '') return focus('username')
    if (password.value === '') return focus('password')
    isBusy.value = true
    refusal.value = await signIn(name.value.trim(), password.value)
    isBusy.value = false
    if (refusal.value) focus('password')
  }
  return (
    <form
      ref={form}
      class="q-sign-in"
      aria-label={t.signIn.title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy.value && wait === 0) void submit()
      }}
    >
      <div role="alert">{refusal.value && <p class="q-sign-in-refusal">{sentenceOf(refusal.value, wait)}</p>}</div>
      <TextField
        label={t.signIn.name}
        value={name.value}
        problems={missing.name}
        onInput={(value) => {
          name.value = value
        }}
        attributes={{ name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: false }}
      />
      <TextField
        label={t.signIn.password}
        value={password.value}
        problems={missing.password}
        onInput={(value) => {
          password.value = value
        }}
        attributes={{ name: 'password', type: isShown.value ? 'text' : 'password', autocomplete: 'current-password' }}
      />
      <div class="q-sign-in-actions">
        <Button
          kind="quiet"
          onPress={() => {
            isShown.value = !isShown.value
          }}
        >
          {isShown.value ? t.signIn.hide : t.signIn.show}
        </Button>
        <Button kind="primary" isSubmit offBecause={wait > 0 ? t.signIn.tooOften(clock(wait)) : null}>
          {isBusy.value ? t.signIn.signingIn : t.signIn.submit}
        </Button>
      </div>
    </form>
  )
}

/** Seconds left until another try. */
function useCountdown(refusal: Refusal | null): number {
  const left = useSignal(0)
  useEffect(() => {
    if (refusal?.kind !== 'tooOften') return
    const end = Date.now() + refusal.seconds * SECOND_MS
    const tick = () => {
      left.value = Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS))
    }
    tick()
    const timer = setInterval(tick, SECOND_MS)
    return () => clearInterval(timer)
  }, [refusal, left])
  return left.value
}

function sentenceOf(refusal: Refusal, wait: number): string {
  if (refusal.kind === 'tooOften') return t.signIn.tooOften(clock(wait))
  return refusal.kind === 'other' ? refusal.message : t.signIn[refusal.kind]
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
