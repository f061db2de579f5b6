import { computed, signal, useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { LocationProvider, useLocation } from 'preact-iso'
import type { Schema } from 'quire-client'
import { type Editor, EditorContext } from '../data/editor.ts'
import type { Place } from '../data/place.ts'
import { createJournal } from '../data/saving/journal.ts'
import { createWriters } from '../data/saving/writers.ts'
import type { Session } from '../data/session.ts'
import { SignInDialog } from '../screens/sign-in/sign-in-dialog.tsx'
import { addressOf } from './address.ts'
import { Frame } from './frame.tsx'
import { Routes } from './routes.tsx'
import { SignOut } from './sign-out.tsx'

interface SignedInProps {
  readonly place: Place
  readonly session: Session
}

/** The editor of somebody who has signed in. */
export function SignedIn(props: SignedInProps) {
  return (
    <LocationProvider scope={props.place.base}>
      <AtAddress {...props} />
    </LocationProvider>
  )
}

function AtAddress({ place, session }: SignedInProps) {
  const location = useLocation()
  const schema = useKnownSchema(session)
  const locale = useMemo(() => signal(''), [])
  const { locales, defaultLocale } = schema.value.site
  const asked = location.query.locale
  locale.value = asked !== undefined && asked in locales ? asked : defaultLocale
  const isLeaving = useSignal(false)
  const here = useRef(location)
  here.current = location
  const editor = useMemo<Editor>(() => {
    const writers = createWriters()
    const journal = createJournal()
    const link: Editor['link'] = (path, query = {}) =>
      addressOf(place.base, path, { ...localeQuery(locale.value, schema.value), ...query })
    return {
      place,
      schema,
      locale,
      link,
      ...session.as(schema.value.caller._id),
      opener: () => ({ session, schema: schema.value, journal, writers }),
      go: (path, { query, isReplacing = false } = {}) => here.current.route(link(path, query), isReplacing),
    }
  }, [place, schema, locale, session])
  const changeLocale = (chosen: string) => {
    // A new document takes its own address once it is made, of which the router does not hear.
    const { pathname, search } = globalThis.location
    const { locale: _, ...query } = Object.fromEntries(new URLSearchParams(search))
    const path = pathname.slice(place.base.length) || '/'
    location.route(addressOf(place.base, path, { ...query, ...localeQuery(chosen, schema.value) }))
  }
  return (
    <EditorContext.Provider value={editor}>
      <Frame
        onSignOut={() => {
          isLeaving.value = true
        }}
        onLocale={changeLocale}
      >
        <Routes />
      </Frame>
      {isLeaving.value && (
        <SignOut
          session={session}
          onStay={() => {
            isLeaving.value = false
          }}
        />
      )}
      {session.isOver.value && (
        <SignInDialog
          name={session.name}
          signIn={session.signIn}
          onClose={() => {
            session.isOver.value = false
          }}
        />
      )}
    </EditorContext.Provider>
  )
}

/** The schema as long as somebody is signed in, and the last one while the page is being left. */
function useKnownSchema({ schema }: Session) {
  return useMemo(() => {
    let last: Schema | null = null
    return computed(() => {
      last = schema.value ?? last
      if (last === null) throw new Error('Nobody is signed in.')
      return last
    })
  }, [schema])
}

function localeQuery(locale: string, { site }: Schema): Record<string, string> {
  return locale === site.defaultLocale ? {} : { locale }
}
