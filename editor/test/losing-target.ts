import type { JsonObject } from 'quire-client'
import { patch } from '../../cms/src/engine/values/patch.ts'
import { defineSite, piece } from '../../cms/src/index.ts'
import { compileSite } from '../../cms/src/model/compile/site.ts'
import type { Stored, Target } from '../src/data/saving/target.ts'
import { failure } from './memory-target.ts'

/** What becomes of a request. `late`: it is given up, and arrives before the next one. */
export const FATES = ['well', 'unsent', 'unanswered', 'sent twice', 'late', 'broken', 'stored and broken'] as const
export type Fate = (typeof FATES)[number]

/** A note at a service behind a network that loses requests and answers. */
export interface LosingTarget extends Target {
  readonly stored: Stored
  /** Of the next requests; those after them go well. */
  readonly fates: Fate[]
  /** So many requests and answers were lost. */
  readonly lost: number
  /** Somebody else saves. */
  write(body: JsonObject): void
}

const site = compileSite(
  defineSite({
    types: [
      piece('note', {
        fields: {
          add: {
            words: { type: 'string' },
            links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
          },
        },
      }),
    ],
  }),
)

export function losingTarget(document: JsonObject): LosingTarget {
  const note = site.types.get('note')
  if (note === undefined) throw new Error('The site has notes.')
  const fates: Fate[] = []
  let stored: Stored = { document, etag: '1' }
  let lost = 0
  let late: (() => unknown)[] = []

  const write = ({ _autosave, ...body }: JsonObject) => {
    // `as`: both are JSON.
    const next = structuredClone(stored.document) as Parameters<typeof patch>[1]
    patch(note.fields, next, structuredClone(body) as Record<string, unknown>)
    stored = { document: cleaned(next), etag: String(Number(stored.etag) + 1) }
    return stored
  }
  const arrive = (body: JsonObject, ifMatch: string): Stored => {
    if (ifMatch !== stored.etag) throw failure({ name: 'conflict', status: 409, data: { etag: stored.etag } })
    return write(body)
  }
  const carryOut = async (work: () => Stored): Promise<Stored> => {
    for (const one of late) attempt(one)
    late = []
    const fate = fates.shift() ?? 'well'
    if (fate === 'well') return work()
    lost += 1
    const isBroken = fate === 'broken' || fate === 'stored and broken'
    if (fate === 'late') late = [work]
    if (fate === 'unanswered' || fate === 'stored and broken') work()
    if (fate === 'sent twice') attempt(work)
    if (fate === 'sent twice') return work()
    throw failure(isBroken ? { name: 'error', status: 500 } : { name: 'offline' })
  }
  return {
    get stored() {
      return stored
    },
    get lost() {
      return lost
    },
    fates,
    write: (body) => void write(body),
    save: (body, { ifMatch }) => carryOut(() => arrive(body, ifMatch)),
    create: () => Promise.reject(failure({ name: 'notallowed' })),
    read: () => carryOut(() => stored),
  }
}

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // Nobody hears of it.
  }
}

/** As the service stores texts and items. */
function cleaned(document: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name === 'links') return value.map((item: JsonObject) => ({ ...item, metaType: 'arrayItem' }))
    return typeof value === 'string' ? value.trim() : value
  })
}
