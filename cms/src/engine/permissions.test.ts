import { describe, expect, it } from 'vitest'
import { compileSite } from '../model/compile/site.ts'
import { defineSite } from '../model/compile/site-options.ts'
import { piece } from '../model/declared/content-type.ts'
import { type Action, type Actor, may } from './permissions.ts'
import { viewOf } from './view.ts'

const ACTIONS: readonly Action[] = [
  'readDraft',
  'createDraft',
  'editDraft',
  'deleteDraft',
  'createPublished',
  'publish',
]

describe('§5.3 nobody is trusted by default', () => {
  const site = compileSite(defineSite({ types: [piece('topic', { publicApiProjection: ['title'] }), piece('plan')] }))

  it.each<unknown>([
    null,
    undefined,
    {},
    { kind: null },
    { kind: 'admin' },
    { kind: 'Operator' },
    { kind: 'user' },
    { kind: 'user', role: null },
    { kind: 'key', role: 'owner' },
    { kind: 'key', role: 'constructor' },
    { kind: 'key', role: ['admin'] },
    { kind: 'anonymous', role: 'admin' },
    { kind: 'frontend', role: 'admin' },
  ])('%j may do nothing, and sees no more than anonymous callers', (given) => {
    // `as`: such an actor cannot be written in this language; JavaScript could bring it.
    const actor = given as Actor
    for (const name of ['topic', 'plan', '@cms/user']) {
      const type = site.types.get(name)
      if (!type) throw new Error(`There is no type ${name}.`)
      for (const action of ACTIONS) expect(refusing(() => may(actor, action, type))).toBe(false)
      const seen = refusing(() => viewOf(actor, type)?.kind)
      expect([undefined, false, name === 'topic' ? 'public' : false]).toContain(seen)
    }
  })
})

/** Runs work; false when it throws, which is a refusal, too. */
function refusing<T>(work: () => T): T | false {
  try {
    return work()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return false
  }
}
