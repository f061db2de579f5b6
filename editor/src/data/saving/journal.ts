import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { JsonObject } from 'quire-client'
import { isDone, openDatabase, resultOf } from '../../base/storage.ts'
import type { Operation } from '../../model/form.ts'
import { type DocumentPlace, nameOf } from './document-place.ts'

// Typed text that is not stored at the service yet, on this device (§5.2 of the design). Changes go into two stores
// under one key: `changes`, which is written while somebody types, and `bases`, the content that they begin from.

/** The changes of one open document that the service does not have. */
export interface Entry {
  readonly place: DocumentPlace
  readonly writer: string
  /** Of the stored content that the operations begin from; null where the document is not at the service yet. */
  readonly etag: string | null
  readonly base: JsonObject
  readonly operations: readonly Operation[]
  /** How many of the operations, from the first on, each save covered that was sent: one of them may have been stored. */
  readonly sent: readonly number[]
  /** The request that made the document, where it may have been carried out without our hearing of it. */
  readonly creation: Creation | null
  /** When the last operation was written; milliseconds since 1970. */
  readonly time: number
}

/** A POST that can be sent again: the same key and body make no second document (§0.9). */
export interface Creation {
  readonly key: string
  readonly body: JsonObject
}

/** A document with changes on this device only. */
export type Left = Pick<Entry, 'place' | 'writer' | 'time'> & {
  readonly isNew: boolean
  /** As it was stored; empty for one without. */
  readonly title: string
}

/** Why changes are kept in this tab only. */
export type Trouble = 'unavailable' | 'full'

export interface Journal {
  /** Replaces the entry of the writer; true once it is on the device, false where only this tab has it. */
  write(entry: Entry): Promise<boolean>
  /** The changes are stored, or thrown away. */
  drop(place: DocumentPlace, writer: string): Promise<void>
  /** The changes of a document, the oldest first: what tabs that are gone have left, and what others write now. */
  read(place: DocumentPlace): Promise<readonly Entry[]>
  /** The documents of a user with changes on this device only, those that are open among them; the newest first. */
  listOf(user: string): Promise<readonly Left[]>
  /** Throws all changes of a user away. */
  wipe(user: string): Promise<void>
  readonly trouble: ReadonlySignal<Trouble | null>
}

/** The most documents, of all users, with changes on a device; further ones are kept in their tab. */
export const MOST_ENTRIES = 500

type Head = Omit<Entry, 'base'> & { readonly id: string; readonly user: string }

export function createJournal(): Journal {
  const trouble = signal<Trouble | null>(null)
  const inTab = new Map<string, Entry>()
  const bases = new Map<string, JsonObject>()
  let opened: Promise<IDBDatabase> | null = null

  const database = () => {
    opened ??= openDatabase('quire', 1, makeStores).then(
      (found) => {
        found.addEventListener('close', () => {
          opened = null
        })
        return found
      },
      (error) => {
        opened = null
        throw error
      },
    )
    return opened
  }

  const transaction = async (mode: IDBTransactionMode) => (await database()).transaction(['changes', 'bases'], mode)

  const store = async (entry: Entry) => {
    const id = idOf(entry.place, entry.writer)
    const { base, ...head } = entry
    const writing = await transaction('readwrite')
    const done = isDone(writing)
    const changes = writing.objectStore('changes')
    if (bases.get(id) !== base) {
      if (!bases.has(id) && (await resultOf(changes.count())) >= MOST_ENTRIES) throw new QuotaReached()
      writing.objectStore('bases').put(base, id)
      bases.set(id, base)
    }
    changes.put({ ...head, id, user: entry.place.user } satisfies Head)
    await done.catch((error) => {
      bases.delete(id)
      throw error
    })
  }

  const remove = async (ids: readonly string[]) => {
    for (const id of ids) inTab.delete(id)
    const writing = await transaction('readwrite')
    for (const id of ids) {
      bases.delete(id)
      for (const name of ['changes', 'bases']) writing.objectStore(name).delete(id)
    }
    await isDone(writing)
  }

  const heads = async (user: string): Promise<readonly Head[]> => {
    const kept = [...inTab].filter(([, { place }]) => place.user === user)
    const ofTab = kept.map(([id, { base, ...head }]): Head => ({ ...head, id, user }))
    const stored = await stands(async () => {
      const index = (await transaction('readonly')).objectStore('changes').index('user')
      // `as`: nobody else writes there.
      return (await resultOf(index.getAll(user))) as Head[]
    })
    const isOfTab = ({ id }: Head) => inTab.has(id) || ofTab.some((one) => one.id === id)
    return [...ofTab, ...(stored ?? []).filter((head) => !isOfTab(head))]
  }

  const baseOf = async (id: string): Promise<JsonObject | undefined> =>
    inTab.get(id)?.base ?? (await resultOf((await transaction('readonly')).objectStore('bases').get(id)))

  /** Undefined where the storage of the browser fails; says so. */
  const stands = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      const value = await work()
      trouble.value = null
      return value
    } catch (error) {
      trouble.value = isFull(error) ? 'full' : 'unavailable'
      return undefined
    }
  }

  return {
    trouble,
    async write(entry) {
      const id = idOf(entry.place, entry.writer)
      inTab.set(id, entry)
      await stands(() => store(entry))
      if (trouble.value !== null) return false
      if (inTab.get(id) === entry) inTab.delete(id)
      return true
    },
    async drop(place, writer) {
      await stands(() => remove([idOf(place, writer)]))
    },
    async read(place) {
      const left = (await heads(place.user)).filter((head) => nameOf(head.place) === nameOf(place))
      const entries = await Promise.all(
        left.map(async ({ id, user: _user, ...head }) => {
          const base = await baseOf(id)
          return base ? [{ ...head, base }] : []
        }),
      )
      return entries.flat().toSorted((one, other) => one.time - other.time)
    },
    async listOf(user) {
      const all = await Promise.all(
        (await heads(user)).map(async ({ id, place, writer, time, etag }) => {
          const { title } = (await baseOf(id)) ?? {}
          return { place, writer, time, isNew: etag === null, title: typeof title === 'string' ? title : '' }
        }),
      )
      return all.toSorted((one, other) => other.time - one.time)
    },
    async wipe(user) {
      await stands(async () => remove((await heads(user)).map(({ id }) => id)))
    },
  }
}

class QuotaReached extends Error {
  override readonly name = 'QuotaExceededError'
}

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}

function idOf(place: DocumentPlace, writer: string): string {
  return `${nameOf(place)} ${writer}`
}

function makeStores(database: IDBDatabase): void {
  database.createObjectStore('changes', { keyPath: 'id' }).createIndex('user', 'user')
  database.createObjectStore('bases')
}
