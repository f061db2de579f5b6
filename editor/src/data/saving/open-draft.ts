import { type ReadonlySignal, signal } from '@preact/signals'
import { isProblem, type JsonObject, type Schema, type TypeInfo } from 'quire-client'
import { newId } from '../../base/ids.ts'
import type { OpenDocument } from '../../model/form.ts'
import { openDocument } from '../../model/tree.ts'
import type { Session } from '../session.ts'
import type { DocumentPlace } from './document-place.ts'
import type { Journal } from './journal.ts'
import { saveOnLeaving } from './leaving.ts'
import { createSaver, type Saver } from './saver.ts'
import { createTabs } from './tabs.ts'
import { createTarget, type Stored } from './target.ts'
import type { Writers } from './writers.ts'
import { startWriting, type Writing } from './writing.ts'

/** The parts that documents are opened with. */
export interface Opener {
  readonly session: Session
  readonly schema: Schema
  readonly journal: Journal
  readonly writers: Writers
}

/** Which document is wanted. */
export interface DocumentAddress {
  /** The name of a piece type, or `@cms/page`. */
  readonly path: string
  /** Null for a new one. */
  readonly docId: string | null
  /** The type of a new document. */
  readonly typeName?: string
  readonly locale: string
}

/** A document that was read, before it is decided what becomes of changes that were left on this device. */
export interface FoundDraft {
  readonly typeName: string
  readonly type: TypeInfo
  readonly stored: Stored | null
  readonly place: DocumentPlace
  readonly writing: Writing
  readonly wanted: DocumentAddress
  readonly initial: JsonObject
  /** It was deleted meanwhile: what was left on this device can become a new document. */
  readonly isGone?: true
}

/** A document in the editor, with what saves it. */
export interface OpenDraft {
  readonly typeName: string
  readonly type: TypeInfo
  readonly document: OpenDocument
  readonly saver: Saver
  /** The answer of the last exchange: states, rights and URLs; null before the document is made. */
  readonly latest: ReadonlySignal<JsonObject | null>
  /** Reads again what the service has, after an action on the document. */
  refresh(): Promise<void>
  /** Whether changes are saved by themselves, to the draft. */
  readonly savesItself: boolean
}

/**
 * Reads a document, and looks for changes that were left on this device; where it is gone, these are found alone. Rejects
 * with a `QuireError`.
 */
export async function findDraft(opener: Opener, wanted: DocumentAddress): Promise<FoundDraft> {
  try {
    return await findStored(opener, wanted)
  } catch (error) {
    const left = isProblem(error, 'notfound') ? await findGone(opener, wanted) : null
    if (left === null) throw error
    return left
  }
}

async function findStored({ session, schema, journal, writers }: Opener, wanted: DocumentAddress): Promise<FoundDraft> {
  const isLocalized = wanted.typeName === undefined || schema.types[wanted.typeName]?.localized !== false
  const address = addressOf(wanted, isLocalized)
  const target = createTarget(session.as(schema.caller._id).client, address)
  const found = wanted.docId === null ? null : await target.read()
  const typeName = found === null ? (wanted.typeName ?? '') : String(found.document.type)
  const type = schema.types[typeName]
  if (type === undefined) throw new RangeError(`The schema has no type ${typeName}.`)
  const place = {
    user: schema.caller._id,
    type: typeName,
    docId: wanted.docId ?? `new ${typeName}`,
    locale: type.localized ? wanted.locale : null,
  }
  const writing = await startWriting(place, journal, writers)
  // Who left the changes may have saved some of them meanwhile.
  const isOlder = found !== null && writing.entry !== null && writing.entry.etag !== found.etag
  const stored = isOlder ? await target.read() : found
  return { typeName, type, stored, place, writing, wanted, initial: blankOf(type) }
}

/** The entry left on this device of a document that is gone: a new one begins with it. Null where there is none. */
async function findGone({ schema, journal, writers }: Opener, wanted: DocumentAddress): Promise<FoundDraft | null> {
  const { docId, locale } = wanted
  if (docId === null) return null
  const place = { user: schema.caller._id, type: wanted.typeName ?? '', docId, locale }
  const writing = await startWriting(place, journal, writers)
  const typeName = writing.entry?.place.type ?? ''
  const type = schema.types[typeName]
  if (writing.entry === null || type === undefined) {
    writing.release()
    return null
  }
  const initial = contentOf(type, writing.entry.base)
  const found = { typeName, type, stored: null, place: { ...place, type: typeName }, writing, initial }
  return { ...found, wanted: { ...wanted, docId: null, typeName }, isGone: true }
}

/** Of a document that there was, what a new one takes over. Its slug follows its title. */
function contentOf({ fields }: TypeInfo, document: JsonObject): JsonObject {
  const taken = fields.flatMap(({ name }) => {
    const value = name === 'slug' || name === 'archived' ? undefined : document[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(taken)
}

/** Opens what was found; changes that were left on this device are put back. */
export function openDraft(opener: Opener, found: FoundDraft, end: AbortSignal): OpenDraft {
  const { session, schema, journal } = opener
  const { typeName, type, stored, place, writing, wanted, initial } = found
  const base = found.isGone ? initial : (writing.entry?.base ?? stored?.document ?? initial)
  const document = openDocument(schema, typeName, base, { newId, now: Date.now })
  const latest = signal(stored?.document ?? null)
  const service = createTarget(session.as(place.user).client, addressOf(wanted, type.localized))
  const followed = async (answer: Promise<Stored>): Promise<Stored> => {
    const answered = await answer
    latest.value = answered.document
    return answered
  }
  const savesItself = type.localized && !(type.autopublish && type.denied.publish === undefined)
  const saver = createSaver({
    document,
    place,
    stored,
    initial,
    writing,
    target: {
      save: (body, options) => followed(service.save(body, options)),
      create: (body, options) => followed(service.create(body, options)),
      read: () => followed(service.read()),
    },
    journal,
    tabs: createTabs(place),
    savesItself,
    isSessionOver: session.isOver,
    needsSignIn: () => {
      session.isOver.value = true
    },
    whole: () => ({ ...placeOf(found), ...document.root.value.value }),
    signal: end,
  })
  saveOnLeaving(saver, end)
  return { typeName, type, document, saver, latest, savesItself, refresh: () => saver.pull() }
}

/** Where a page is made that was deleted: nobody knows any more where it was. */
function placeOf({ type, typeName, isGone }: FoundDraft): JsonObject {
  const isPage = isGone === true && type.family === 'page'
  return isPage ? { type: typeName, _targetId: '_home', _position: 'lastChild' } : {}
}

function addressOf({ path, docId, locale }: DocumentAddress, isLocalized: boolean) {
  return {
    path,
    docId,
    mode: isLocalized ? ('draft' as const) : ('published' as const),
    locale: isLocalized ? locale : null,
  }
}

/** The values of a new document. */
function blankOf({ fields }: TypeInfo): JsonObject {
  return Object.fromEntries(fields.flatMap(({ name, def }) => (def === undefined ? [] : [[name, def]])))
}
