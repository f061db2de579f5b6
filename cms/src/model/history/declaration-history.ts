import { type Audience, stricter } from '../terms/roles.ts'
import { type Declaration, storesAlike, widgetSet } from './declarations.ts'
import type { Then } from './fit-to-declarations.ts'
import type { Move } from './move-steps.ts'

/** How a field is declared from an epoch on; a type of null: it was removed. */
interface Entry {
  readonly since: number
  readonly type: string | null
  readonly secret?: true
  readonly audience?: Audience
}

/**
 * How all fields of a site have been declared over time. An epoch begins whenever a declaration changes; documents
 * and versions name the epoch that they were stored in. Plain JSON.
 */
export interface DeclarationHistory {
  readonly epoch: number
  readonly fields: { readonly [path: string]: readonly Entry[] }
  /** What content migrations have moved, in their order. */
  readonly moves?: readonly RecordedMove[]
}

/** A move, and the first epoch of what is stored as it says. */
type RecordedMove = Move & { readonly since: number }

export const NO_HISTORY: DeclarationHistory = { epoch: 0, fields: {} }

type Declarations = ReadonlyMap<string, Declaration>

/** The history with the present declarations; the same object when nothing has changed. */
export function withDeclarations(history: DeclarationHistory, now: Declarations): DeclarationHistory {
  const epoch = history.epoch + 1
  const changed = pathsOf(history, now).flatMap((path): [string, readonly Entry[]][] => {
    const entries = history.fields[path] ?? []
    const declared = now.get(path) ?? null
    if (sameDeclaration(declarationIn(entries.at(-1)), declared)) return []
    return [[path, [...entries, entryOf(epoch, declared)]]]
  })
  if (changed.length === 0 && history.epoch > 0) return history
  return { ...history, epoch, fields: { ...history.fields, ...Object.fromEntries(changed) } }
}

/** The history with a move: an epoch begins with it, and what was declared of the old name holds for the new one. */
export function withMove(history: DeclarationHistory, move: Move): DeclarationHistory {
  const since = history.epoch + 1
  const former = (history.moves ?? []).map((one) => (move.kind === 'type' ? renamedIn(one, move) : one))
  return { epoch: since, fields: movedFields(history.fields, move), moves: [...former, { ...move, since }] }
}

/** The moves that what was stored in an epoch has not seen. */
export function movesSince({ moves = [] }: DeclarationHistory, epoch: number): readonly RecordedMove[] {
  return moves.filter(({ since }) => since > epoch)
}

/** The paths of fields whose declaration has changed, ended or returned since an epoch. */
export function changedSince(history: DeclarationHistory, epoch: number, now: Declarations): string[] {
  return pathsOf(history, now).filter((path) => {
    const entry = entryAt(history, path, epoch)
    return entry !== undefined && !sameDeclaration(declarationIn(entry), now.get(path) ?? null)
  })
}

/** The declarations of an epoch; null when its content means the same now. */
export function thenIn(history: DeclarationHistory, epoch: number, now: Declarations): Then | null {
  if (epoch > history.epoch) return { isKnown: false, epoch, declared: () => null, namesIn: () => [] }
  const isMoved = movesSince(history, epoch).length > 0
  const isOther = changedSince(history, epoch, now).some((path) => {
    const was = declarationIn(entryAt(history, path, epoch))
    const is = now.get(path)
    return was === null || is === undefined || !storesAlike(was, is)
  })
  if (!isOther && !isMoved) return null
  const names = namesBySet(Object.keys(history.fields))
  return {
    isKnown: true,
    epoch,
    declared: (path) => {
      const was = lastDeclared(history, path, epoch)
      const last = lastDeclared(history, path, history.epoch)
      return was && last && { ...was, audience: stricter(was.audience, last.audience) }
    },
    namesIn: (set) => names.get(set) ?? [],
  }
}

/** A type that is renamed is renamed in former moves, too: contents name no type. */
function renamedIn(move: RecordedMove, { from, to }: { readonly from: string; readonly to: string }): RecordedMove {
  return 'set' in move && isWithin(move.set, from) ? { ...move, set: to + move.set.slice(from.length) } : move
}

/** Until the new names were declared themselves, they are declared as the old ones were. */
function movedFields(fields: DeclarationHistory['fields'], move: Move): DeclarationHistory['fields'] {
  const renaming = pathsOfMove(move)
  if (renaming === null) return fields
  const { from, to } = renaming
  const moved = Object.entries(fields).flatMap(([path, entries]): [string, readonly Entry[]][] => {
    if (!isWithin(path, from)) return []
    const target = to + path.slice(from.length)
    const own = fields[target] ?? []
    const [first] = own
    const before = first === undefined ? entries : entries.filter(({ since }) => since < first.since)
    return [[target, [...before, ...own]]]
  })
  return { ...fields, ...Object.fromEntries(moved) }
}

function pathsOfMove(move: Move): { readonly from: string; readonly to: string } | null {
  if (move.kind === 'choice') return null
  if (move.kind === 'type') return move
  if (move.kind === 'widget') return { from: widgetSet(move.from), to: widgetSet(move.to) }
  const { set, from, into, to } = move
  return { from: [set, ...from].join('/'), to: [set, ...into.map(({ name }) => name), to].join('/') }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`)
}

function pathsOf(history: DeclarationHistory, now: Declarations): string[] {
  return [...new Set([...Object.keys(history.fields), ...now.keys()])]
}

function entryAt(history: DeclarationHistory, path: string, epoch: number): Entry | undefined {
  return history.fields[path]?.findLast(({ since }) => since <= epoch)
}

/** A removed field counts as it was last declared. */
function lastDeclared(history: DeclarationHistory, path: string, epoch: number): Declaration | null {
  return declarationIn(history.fields[path]?.findLast(({ since, type }) => since <= epoch && type !== null))
}

/** How a field is declared, or was before it was removed; null where it never was. */
export function lastDeclaration(history: DeclarationHistory, path: string): Declaration | null {
  return lastDeclared(history, path, history.epoch)
}

function declarationIn(entry: Entry | undefined): Declaration | null {
  if (entry === undefined || entry.type === null) return null
  return { type: entry.type, secret: entry.secret === true, audience: entry.audience ?? null }
}

function entryOf(since: number, declared: Declaration | null): Entry {
  if (declared === null) return { since, type: null }
  const { type, secret, audience } = declared
  return { since, type, ...(secret && { secret }), ...(audience !== null && { audience }) }
}

function sameDeclaration(one: Declaration | null, other: Declaration | null): boolean {
  if (one === null || other === null) return one === other
  return storesAlike(one, other) && one.audience === other.audience
}

function namesBySet(paths: readonly string[]): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>()
  for (const path of paths) {
    const end = path.lastIndexOf('/')
    const set = path.slice(0, end)
    names.set(set, [...(names.get(set) ?? []), path.slice(end + 1)])
  }
  return names
}
