import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ClientOptions, Schema } from 'quire-client'
import { createClient, isProblem, QuireError } from 'quire-client'
import { withOwnNames } from './own-names.ts'
import type { Place } from './place.ts'
import { forget } from './query.ts'
import type { RequestOptions } from './request-options.ts'

/** The status of the refusal of a request whose caller is not the one who is expected. */
const REFUSED = 401

/** Why signing in did not go well. */
export type Refusal =
  | { readonly kind: 'wrong' | 'guest' | 'otherUser' }
  | { readonly kind: 'tooOften'; readonly seconds: number }
  | { readonly kind: 'other'; readonly message: string }

/** Who uses the editor. */
export interface Session {
  /** Undefined until the service has answered; null without a session. */
  readonly schema: ReadonlySignal<Schema | null | undefined>
  /** The failure that kept the editor from starting. */
  readonly failure: ReadonlySignal<unknown>
  /** The session has ended while somebody was working: nothing more is sent until the same person signs in again. */
  readonly isOver: Signal<boolean>
  /** Asks who is signed in, and what there is. */
  start(): Promise<void>
  signIn(name: string, password: string): Promise<Refusal | null>
  /** The name by which somebody has signed in here last; empty where the page found a session. */
  readonly name: string
  /** Rejects with a `QuireError` where the service is not reached. */
  signOut(): Promise<void>
  /** Speaks for one user, whoever has signed in since: under anybody else's session, or none, nothing is done. */
  as(user: string): Speaker
}

/** Sends requests as one user. */
export interface Speaker {
  readonly client: ReturnType<typeof clientOf>
  /** Rejects with a `QuireError`. */
  request<Body>(method: string, path: string, options?: RequestOptions): Promise<Body>
}

/** A session at the service that a place belongs to. */
export function createSession(place: Place): Session {
  const schema = signal<Schema | null | undefined>(undefined)
  const failure = signal<unknown>(null)
  const isOver = signal(false)
  let lastName = ''

  function as(user: string): Speaker {
    const client = clientOf(place, {
      expectCaller: user,
      onAnswer: ({ status }) => {
        // A late answer for somebody who has signed out says nothing about who came after.
        if (status === REFUSED && schema.peek()?.caller._id === user) isOver.value = true
      },
    })
    return {
      client,
      // `as`: the caller names what the address answers (reference, §4).
      request: async <Body>(method: string, path: string, options: RequestOptions = {}) =>
        (await client.request(method, path, options)).body as Body,
    }
  }

  /** Speaks for whom the editor was started by; before that for whoever has a session. */
  const present = () => (schema.value ? as(schema.value.caller._id).client : clientOf(place))

  async function load(): Promise<Schema | null> {
    try {
      // `as`: its shape is the one that the client describes.
      return withOwnNames((await present().schema()) as Schema)
    } catch (error) {
      if (isProblem(error, 'unauthorized')) return null
      throw error
    }
  }

  async function start(): Promise<void> {
    failure.value = null
    try {
      const loaded = await load()
      schema.value = loaded?.caller.role === 'guest' ? null : loaded
    } catch (error) {
      failure.value = error
    }
  }

  async function signIn(name: string, password: string): Promise<Refusal | null> {
    const known = schema.value
    try {
      const who = name.includes('@') ? { email: name, password } : { username: name, password }
      await clientOf(place).signIn(who)
      if (known) return await again()
      const loaded = await load()
      if (loaded === null) return { kind: 'wrong' }
      if (loaded.caller.role === 'guest') {
        await clientOf(place).signOut()
        return { kind: 'guest' }
      }
      lastName = name
      schema.value = loaded
      return null
    } catch (error) {
      return refusalOf(error)
    }
  }

  /** Resumes a session that has ended, for the same person; for anybody else, nothing is sent. */
  async function again(): Promise<Refusal | null> {
    const loaded = await load()
    if (loaded === null) return { kind: 'otherUser' }
    schema.value = loaded
    isOver.value = false
    return null
  }

  async function signOut(): Promise<void> {
    try {
      await present().signOut()
    } catch (error) {
      // The session is over, or somebody else has one now, which stays.
      if (!isProblem(error, 'unauthorized')) throw error
    }
    forget()
    schema.value = null
    isOver.value = false
  }

  return {
    schema,
    failure,
    isOver,
    get name() {
      return lastName
    },
    start,
    signIn,
    signOut,
    as,
  }
}

function clientOf({ api, namespace }: Place, options: Pick<ClientOptions, 'expectCaller' | 'onAnswer'> = {}) {
  return createClient({ url: api.replace(/\/api\/v1$/, ''), session: true, namespace, ...options })
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof QuireError)) throw error
  if (error.name === 'toomany') return { kind: 'tooOften', seconds: error.retryAfter ?? 1 }
  const isWrong = error.name === 'unauthorized' || error.name === 'invalid' || error.name === 'forbidden'
  return isWrong ? { kind: 'wrong' } : { kind: 'other', message: error.message }
}
