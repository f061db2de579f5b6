import { useEffect } from 'preact/hooks'
import type { Place } from '../data/place.ts'
import type { Session } from '../data/session.ts'
import { applyTheme } from '../data/theme.ts'
import { LoadFailure } from '../screens/parts/load-failure.tsx'
import { SignInPage } from '../screens/sign-in/sign-in-page.tsx'
import { LiveRegions } from '../ui/live.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Toasts } from '../ui/toast.tsx'
import { SignedIn } from './signed-in.tsx'

/** The editor: the form *Sign in*, or everything else. */
export function App({ place, session }: { readonly place: Place; readonly session: Session }) {
  useEffect(applyTheme, [])
  return (
    <>
      <Content place={place} session={session} />
      <Toasts />
      <LiveRegions />
    </>
  )
}

function Content({ place, session }: { readonly place: Place; readonly session: Session }) {
  const schema = session.schema.value
  if (session.failure.value !== null)
    return (
      <main class="q-sign-in-page">
        <h1>{place.title}</h1>
        <LoadFailure error={session.failure.value} onRetry={() => void session.start()} />
      </main>
    )
  if (schema === undefined)
    return (
      <main class="q-sign-in-page">
        <h1>{place.title}</h1>
        <Skeleton />
      </main>
    )
  if (schema === null) return <SignInPage siteTitle={place.title} signIn={session.signIn} />
  return <SignedIn place={place} session={session} />
}
