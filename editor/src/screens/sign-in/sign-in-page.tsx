import { useEffect } from 'preact/hooks'
import type { Refusal } from '../../data/session.ts'
import { t } from '../../words/words.ts'
import { SignInForm } from './sign-in-form.tsx'

interface SignInPageProps {
  readonly siteTitle: string
  readonly signIn: (name: string, password: string) => Promise<Refusal | null>
}

/** The form *Sign in*, which each address shows without a session. */
export function SignInPage({ siteTitle, signIn }: SignInPageProps) {
  useEffect(() => {
    document.title = t.frame.titleOf(t.signIn.title, siteTitle)
  }, [siteTitle])
  return (
    <main class="q-sign-in-page">
      <p>{siteTitle}</p>
      <h1>{t.signIn.title}</h1>
      <SignInForm signIn={signIn} />
    </main>
  )
}
