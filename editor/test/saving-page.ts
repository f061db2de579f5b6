import { signal } from '@preact/signals-core'
import { createClient, type JsonObject } from 'quire-client'
import type { DocumentPlace } from '../src/data/saving/document-place.ts'
import { createJournal, type Journal, type Left, type Trouble } from '../src/data/saving/journal.ts'
import { createSaver, type Saver } from '../src/data/saving/saver.ts'
import { createTabs } from '../src/data/saving/tabs.ts'
import { createTarget } from '../src/data/saving/target.ts'
import { createWriters } from '../src/data/saving/writers.ts'
import { startWriting } from '../src/data/saving/writing.ts'
import type { OpenDocument } from '../src/model/form.ts'
import { openNote, write } from './notes.ts'

// What runs in the page of a test: a note is opened, written in and saved, as a screen of the editor does.

const writers = createWriters()
const journal: Journal = createJournal()
const client = createClient({ url: '', key: 'key-editor', timeout: 5000 })
const initial: JsonObject = { title: '', words: '', links: [] }

let place: DocumentPlace
let note: OpenDocument
let saver: Saver
let ending: AbortController

/** What the test calls. */
const page = {
  /** Opens a note; `isNew`: one that the service does not have. The number of operations that were put back. */
  async open(docId: string, { isNew = false, user = 'ann' } = {}): Promise<number> {
    place = { user, type: 'note', docId, locale: 'en' }
    ending = new AbortController()
    const target = createTarget(client, { path: 'note', docId: isNew ? null : docId, mode: 'draft', locale: 'en' })
    const writing = await startWriting(place, journal, writers)
    const stored = isNew ? null : await target.read()
    note = openNote(writing.entry?.base ?? stored?.document ?? initial)
    saver = createSaver({
      document: note,
      place,
      stored,
      initial,
      writing,
      target,
      journal,
      tabs: createTabs(place),
      isSessionOver: signal(false),
      needsSignIn: () => {},
      whole: () => ({ ...note.root.value.value }),
      signal: ending.signal,
    })
    return writing.entry?.operations.length ?? 0
  },
  write: (name: 'title' | 'words', value: string) => write(note, name, value),
  insert(id: string) {
    const links = note.node(['links'])
    if (links?.kind === 'items') links.insert({ _id: id, label: id }, links.ids.value.length)
  },
  removeLink(id: string) {
    const links = note.node(['links'])
    if (links?.kind === 'items') links.remove(id)
  },
  flush: async () => (await saver.flush()).kind,
  conflicts: () => note.conflicts.value.length,
  /** What the bar says, and how many operations are not stored. */
  standing: () => ({ state: saver.state.value, unsaved: note.unsaved().length }),
  isSafe: () => saver.isSafe.value,
  docId: () => saver.place.value.docId,
  content: (): JsonObject => note.root.value.value,
  left: (user: string): Promise<readonly Left[]> => journal.listOf(user),
  wipe: (user: string) => journal.wipe(user),
  trouble: (): Trouble | null => journal.trouble.value,
  close: () => ending.abort(),
}

export type SavingPage = typeof page

Object.assign(globalThis, { saving: page })
