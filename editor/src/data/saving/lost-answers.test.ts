import { signal } from '@preact/signals-core'
import fc from 'fast-check'
import type { JsonObject } from 'quire-client'
import { expect, test } from 'vitest'
import { fuzzing } from '../../../../cms/test/sample.ts'
import { FATES, type Fate, losingTarget } from '../../../test/losing-target.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { openNote, write } from '../../../test/notes.ts'
import type { DocumentPlace } from './document-place.ts'
import { createJournal } from './journal.ts'
import { createSaver } from './saver.ts'

// Whatever the network does to saves and their answers, the editor knows its own saves again.

const place: DocumentPlace = { user: 'ann', type: 'note', docId: 'ink', locale: 'en' }
const tabs = { say: () => {}, hear: () => {}, close: () => {} }

/** A note that is written by one person, in one tab after the other. */
function desk() {
  const target = losingTarget({ aposDocId: 'ink', title: 'Ink', words: 'Ink is slow.', links: [] })
  const journal = createJournal()
  const clock = manualClock()
  let ending = new AbortController()
  let note = openNote({})

  const open = async () => {
    const { stored } = target
    const [entry = null] = await journal.read(place)
    note = openNote(entry?.base ?? stored.document)
    return createSaver({
      document: note,
      place,
      stored,
      writing: { writer: 'w1', entry, release: () => {} },
      target,
      journal,
      tabs,
      isSessionOver: signal(false),
      needsSignIn: () => {},
      whole: () => note.root.value.value,
      signal: ending.signal,
      clock,
    })
  }
  const links = () => {
    const node = note.node(['links'])
    if (node?.kind !== 'items') throw new Error('A note has links.')
    return node
  }
  return {
    target,
    clock,
    open,
    journal,
    note: () => note,
    links,
    /** The tab is closed; what it does then is lost. */
    async close() {
      await clock.pass(200)
      const { save, read } = target
      const gone = () => new Promise<never>(() => {})
      Object.assign(target, { save: gone, read: gone })
      ending.abort()
      ending = new AbortController()
      await clock.pass(0)
      Object.assign(target, { save, read })
    },
  }
}

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('words', 'insert', 'remove', 'label', 'move') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('flush', 'wait') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('close', 'other') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...FATES) }) },
)
const isFate = (kind: string): kind is Fate => FATES.some((fate) => fate === kind)

test('5.2 saves whose answers are lost are no conflict, and everything is stored once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const { target, clock, journal, open, close, note, links } = desk()
      let saver = await open()
      let words = 'Ink is slow.'
      let title = 'Ink'
      for (const [step, { kind }] of actions.entries()) {
        const { value: ids } = links().ids
        const last = ids.findLast((id) => id.startsWith('link'))
        if (kind === 'words') {
          words = `Words ${step} `
          write(note(), 'words', words)
        }
        if (kind === 'insert') links().insert({ _id: `link${step}`, label: `${step} ` }, ids.length)
        if (kind === 'remove' && last) links().remove(last)
        if (kind === 'move' && last) links().move(last, 0)
        if (kind === 'label' && last) {
          const label = links().item(last).children.get('label')
          if (label?.kind === 'leaf') label.set(`Label ${step} `)
        }
        if (kind === 'flush') await saver.flush()
        if (kind === 'wait') await clock.pass(5000)
        if (kind === 'other') {
          title = `Theirs ${step}`
          target.write({ title })
        }
        if (kind === 'close') {
          await close()
          saver = await open()
          expect(saver.lost).toEqual([])
        }
        if (isFate(kind)) target.fates.push(kind)
      }
      const { value: mine } = note().root.value
      target.fates.length = 0
      await saver.flush()
      await clock.pass(60_000)
      expect(note().conflicts.value).toEqual([])
      expect(saver.state.value).toMatchObject({ kind: 'saved' })
      expect(note().unsaved()).toEqual([])
      expect(await journal.listOf('ann')).toEqual([])
      const { document } = target.stored
      expect(document).toMatchObject({ title, words: words.trim() })
      expect(shortOf(document)).toEqual(shortOf(mine))
      expect(shortOf(note().root.value.value)).toEqual(shortOf(mine))
    }),
    fuzzing(300),
  )
})

/** The links of a note, without surrounding space. */
function shortOf({ links = [] }: JsonObject) {
  // `as`: notes have them.
  return (links as JsonObject[]).map(({ _id, label }) => [_id, String(label).trim()])
}
