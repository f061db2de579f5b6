import type { Refusal } from '../../data/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../words/words.ts'
import { SignInForm } from './sign-in-form.tsx'

interface SignInDialogProps {
  readonly name: string
  readonly signIn: (name: string, password: string) => Promise<Refusal | null>
  readonly onClose: () => void
}

/** Over the form when the session has ended: nothing below it is lost. */
export function SignInDialog({ name, signIn, onClose }: SignInDialogProps) {
  return (
    <Dialog title={t.signIn.title} onClose={onClose}>
      <p>{t.signIn.again}</p>
      <SignInForm signIn={signIn} name={name} />
    </Dialog>
  )
}
