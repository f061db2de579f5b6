import { signal } from '@preact/signals-core'
import type { JsonObject } from 'quire-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../../test/manual-clock.ts'
import { type MemoryTarget, memoryTarget } from '../../../test/memory-target.ts'
import { openNote, write } from '../../../test/notes.ts'
import type { OpenDocument } from '../../model/form.ts'
import type { DocumentPlace } from './document-place.ts'
import { createJournal, type Entry, type Journal } from './journal.ts'
import { createSaver, type Saver, type SaverOptions } from './saver.ts'
import type { Writing } from './writing.ts'

// When a saver saves, and what it makes of each failure: with a clock that the test moves, and a service in memory.

const place: DocumentPlace = { user: 'ann', type: 'note', docId: 'ink', locale: 'en' }

let clock: ManualClock
let target: MemoryTarget
let document: OpenDocument
let journal: Journal
let ending: AbortController
const isSessionOver = signal(false)

beforeEach(() => {
  clock = manualClock()
  target = memoryTarget({ aposDocId: 'ink', title: 'Ink', words: 'Ink is slow.' })
  journal = createJournal()
  ending = new AbortController()
  isSessionOver.value = false
})
afterEach(() => ending.abort())

function open(options: Partial<SaverOptions> & { readonly entry?: Entry | null } = {}): Saver {
  const { stored = target.stored, entry = null } = options
  document = openNote(entry?.base ?? stored?.document ?? {})
  const writing: Writing = { writer: 'w1', entry, release: () => {} }
  return createSaver({
    document,
    place,
    stored,
    writing,
    target,
    journal,
    tabs: { say: () => {}, hear: () => {}, close: () => {} },
    isSessionOver,
    needsSignIn: () => {
      isSessionOver.value = true
    },
    whole: () => document.root.value.value,
    signal: ending.signal,
    clock,
    ...options,
  })
}

const bodies = () => target.arrived.map(({ _autosave, ...body }) => body)

test('5.2 a change is saved 1.5 s after the last one, in one request', async () => {
  const saver = open()
  write(document, 'title', 'Ink, s')
  await clock.pass(1000)
  write(document, 'title', 'Ink, slowly')
  await clock.pass(1499)
  expect(target.arrived).toEqual([])
  await clock.pass(1)
  expect(target.arrived).toEqual([{ title: 'Ink, slowly', _autosave: true }])
  expect(saver.state.value).toEqual({ kind: 'saved', at: 2500 })
})

test('5.2 who does not stop writing is saved every 10 s', async () => {
  open()
  for (let second = 0; second < 21; second += 1) {
    write(document, 'title', `Ink ${second}`)
    await clock.pass(1000)
  }
  expect(target.arrived).toHaveLength(2)
})

test('5.2 one save is under way: what comes meanwhile waits for it, and is saved after it', async () => {
  const saver = open()
  const release = target.hold()
  write(document, 'title', 'One')
  const first = saver.flush()
  await clock.pass(399)
  expect(saver.state.value.kind).toBe('saved')
  await clock.pass(1)
  expect(saver.state.value.kind).toBe('saving')
  write(document, 'words', 'Two')
  await clock.pass(20_000)
  expect(target.arrived).toEqual([])
  release()
  await first
  expect(bodies()).toEqual([{ title: 'One' }])
  await clock.pass(1500)
  expect(bodies()).toEqual([{ title: 'One' }, { words: 'Two' }])
})

test('5.2 a save for Publish resolves when everything that was typed before it is stored', async () => {
  const saver = open()
  write(document, 'title', 'One')
  const first = saver.flush()
  write(document, 'title', 'Two')
  expect(await saver.flush({ isVersion: true })).toMatchObject({ kind: 'saved' })
  await first
  expect(target.stored?.document).toMatchObject({ title: 'Two' })
  expect(saver.etag).toBe(target.stored?.etag)
})

test('5.2 without a connection it tries again after 1, 2, 4 … 30 s, and says so', async () => {
  const saver = open()
  target.failures.push(...Array.from({ length: 5 }, () => ({ name: 'offline' })))
  write(document, 'title', 'Later')
  await clock.pass(1500)
  expect(saver.state.value).toMatchObject({ kind: 'waiting', reason: 'offline' })
  await clock.pass(1.25 * (1 + 2 + 4 + 8 + 16) * 1000)
  expect(saver.state.value.kind).toBe('saved')
  expect(target.arrived).toHaveLength(1)
})

test('5.2 who is told how long to wait waits so long', async () => {
  const saver = open()
  target.failures.push({ name: 'toomany', status: 429, retryAfter: 50 })
  write(document, 'title', 'Later')
  await clock.pass(1500 + 49_999)
  expect(saver.state.value).toMatchObject({ kind: 'waiting', reason: 'busy' })
  await clock.pass(1)
  expect(saver.state.value.kind).toBe('saved')
})

test('5.2 an internal error is tried three times, and then told with its request', async () => {
  const saver = open()
  target.failures.push(...Array.from({ length: 3 }, () => ({ name: 'error', status: 500, requestId: 'r1' })))
  write(document, 'title', 'Later')
  await clock.pass(60_000)
  expect(saver.state.value).toMatchObject({ kind: 'failed', failure: { name: 'error', requestId: 'r1' } })
  write(document, 'title', 'Now')
  await clock.pass(1500)
  expect(target.stored?.document).toMatchObject({ title: 'Now' })
})

test('5.2 a save that was stored without an answer is our own, also when somebody has typed on', async () => {
  const saver = open()
  target.failures.push({ name: 'offline', isStored: true })
  write(document, 'title', 'One')
  await clock.pass(1500)
  write(document, 'title', 'One and two')
  await clock.pass(5000)
  expect(document.conflicts.value).toEqual([])
  expect(saver.state.value.kind).toBe('saved')
  expect(target.stored?.document).toMatchObject({ title: 'One and two' })
})

test('5.2 a conflict of which only the status arrives is one all the same', async () => {
  const saver = open()
  target.failures.push({ name: 'offline', isStored: true }, { name: 'error', status: 409 })
  write(document, 'title', 'One')
  await clock.pass(1500)
  write(document, 'title', 'One and two')
  await clock.pass(5000)
  expect(saver.state.value.kind).toBe('saved')
  expect(target.stored?.document).toMatchObject({ title: 'One and two' })
})

test('5.2 invalid fields are taken out, the others saved; a change of them is tried again', async () => {
  const saver = open()
  const problem = { path: 'title', name: 'max', message: 'Too long.' }
  target.failures.push({ name: 'invalid', status: 400, problems: [problem] })
  write(document, 'title', 'Too long')
  write(document, 'words', 'Good')
  await clock.pass(1500)
  expect(bodies()).toEqual([{ words: 'Good' }])
  expect(saver.state.value).toMatchObject({ kind: 'failed', failure: { name: 'invalid' } })
  expect(document.serviceProblems.value).toMatchObject([{ path: ['title'], message: 'Too long.' }])
  write(document, 'words', 'Better')
  await clock.pass(1500)
  expect(bodies().at(-1)).toEqual({ words: 'Better' })
  expect(saver.state.value.kind).toBe('failed')
  expect(await leftInJournal()).toEqual(['Too long'])
  write(document, 'title', 'Short')
  await clock.pass(1500)
  expect(bodies().at(-1)).toEqual({ title: 'Short' })
  expect(saver.state.value.kind).toBe('saved')
  expect(document.serviceProblems.value).toEqual([])
  expect(await leftInJournal()).toEqual([])
})

test('5.2 what is changed while the service is asked what became of a refused save is saved afterwards', async () => {
  let isFirst = true
  const read = () => {
    if (isFirst) write(document, 'words', 'Meanwhile')
    isFirst = false
    return target.read()
  }
  open({ target: { ...target, read } })
  const problem = { path: 'title', name: 'max', message: 'Too long.' }
  target.failures.push({ name: 'invalid', status: 400, problems: [problem] })
  write(document, 'title', 'Too long')
  await clock.pass(1500)
  expect(document.root.value.value.words).toBe('Meanwhile')
  await clock.pass(1500)
  expect(bodies()).toEqual([{ words: 'Meanwhile' }])
  expect(target.stored?.document).toMatchObject({ title: 'Ink', words: 'Meanwhile' })
})

test('5.2 a session that is over: nothing is sent until the same user is back', async () => {
  const saver = open()
  target.failures.push({ name: 'unauthorized', status: 401 })
  write(document, 'title', 'Kept')
  await clock.pass(120_000)
  expect(saver.state.value).toMatchObject({ kind: 'waiting', reason: 'signIn' })
  write(document, 'words', 'Kept, too')
  await clock.pass(120_000)
  expect(target.arrived).toEqual([])
  isSessionOver.value = false
  await clock.pass(0)
  expect(bodies()).toEqual([{ title: 'Kept', words: 'Kept, too' }])
})

test.each(['forbidden', 'notfound', 'toolarge'])('5.2 %s is told, and not tried again by itself', async (name) => {
  const saver = open()
  target.failures.push({ name, status: 400 })
  write(document, 'title', 'Kept')
  await clock.pass(120_000)
  expect(target.arrived).toEqual([])
  expect(saver.state.value).toMatchObject({ kind: 'failed', failure: { name } })
  expect(await leftInJournal()).toEqual(['Kept'])
})

test('5.3 what somebody else changed elsewhere is merged, and both are stored', async () => {
  const saver = open()
  target.write({ words: 'Theirs' })
  write(document, 'title', 'Mine')
  await clock.pass(1500)
  expect(target.stored?.document).toMatchObject({ title: 'Mine', words: 'Theirs' })
  expect(document.root.value.value).toMatchObject({ title: 'Mine', words: 'Theirs' })
  expect(saver.state.value.kind).toBe('saved')
})

test('5.3 a field that both changed waits for a decision, the others are stored', async () => {
  const saver = open()
  target.write({ title: 'Theirs' })
  write(document, 'title', 'Mine')
  write(document, 'words', 'Mine, too')
  await clock.pass(1500)
  expect(saver.state.value).toEqual({ kind: 'conflict' })
  expect(target.stored?.document).toMatchObject({ title: 'Theirs', words: 'Mine, too' })
  expect(await leftInJournal()).toEqual(['Mine'])
  document.resolve(['title'], 'mine')
  await clock.pass(1500)
  expect(target.stored?.document).toMatchObject({ title: 'Mine' })
  expect(saver.state.value.kind).toBe('saved')
  expect(await leftInJournal()).toEqual([])
})

test('5.1 a type whose saves go live at once is saved by its button alone', async () => {
  const saver = open({ savesItself: false })
  write(document, 'title', 'Not yet')
  await clock.pass(60_000)
  expect(target.arrived).toEqual([])
  expect(await leftInJournal()).toEqual(['Not yet'])
  await saver.flush({ isVersion: true })
  expect(target.arrived).toEqual([{ title: 'Not yet' }])
})

test('5.1 a new document is made once, whatever becomes of the answer, and is the same after a closed tab', async () => {
  const initial: JsonObject = { title: null, words: null }
  target = memoryTarget(null)
  open({ stored: null, initial })
  target.failures.push({ name: 'offline', isStored: true })
  write(document, 'title', 'New')
  await clock.pass(1600)
  expect(target.made).toBe(1)
  write(document, 'words', 'Typed on')
  await clock.pass(300)
  const [entry = null] = await journal.read(place)
  expect(entry).toMatchObject({ etag: null, sent: [1] })
  ending.abort()
  ending = new AbortController()

  const saver = open({ stored: null, initial, entry })
  expect(document.root.value.value).toEqual({ title: 'New', words: 'Typed on' })
  await clock.pass(60_000)
  expect(target.made).toBe(1)
  expect(target.stored?.document).toMatchObject({ title: 'New', words: 'Typed on' })
  expect(saver.place.value).toEqual({ ...place, docId: 'made' })
  expect(saver.state.value.kind).toBe('saved')
  expect(await journal.listOf('ann')).toEqual([])
})

test('5.2 changes of a closed tab are put back and merged with what was stored meanwhile', async () => {
  open()
  target.failures.push(...Array.from({ length: 9 }, () => ({ name: 'offline' })))
  write(document, 'title', 'Mine')
  await clock.pass(3000)
  const [entry = null] = await journal.read(place)
  ending.abort()
  ending = new AbortController()
  target.failures.length = 0
  target.write({ words: 'Theirs' })

  const saver = open({ entry })
  await clock.pass(1500)
  expect(saver.lost).toEqual([])
  expect(target.stored?.document).toMatchObject({ title: 'Mine', words: 'Theirs' })
  expect(await leftInJournal()).toEqual([])
})

/** The values that the journal has of the document. */
async function leftInJournal(): Promise<unknown[]> {
  await clock.pass(300)
  const entries = await journal.read(place)
  return entries.flatMap(({ operations }) => operations.map((one) => ('value' in one ? one.value : null)))
}
