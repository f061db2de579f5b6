import { type Audience, stricter } from '../terms/roles.ts'
import { type Choices, type Declaration, takesAllOf, widgetSet } from './declarations.ts'
import type { Then } from './fit-to-declarations.ts'
import type { Move } from './move-steps.ts'

/** How a field is declared from an epoch on; a type of null: it was removed. */
interface Entry {
  readonly since: number
  readonly type: string | null
  readonly secret?: true
  readonly audience?: Audience
  readonly choices?: Choices
}

/**
 * How all fields of a site have been declared over time. An epoch begins whenever a declaration changes; documents
 * and versions name the epoch that they were stored in. Plain JSON.
 */
export interface DeclarationHistory {
  readonly epoch: number
  readonly fields: { readonly [path: string]: readonly Entry[] }
  /** The moves of content migrations, in order. */
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

/** The history with a new epoch in which all fields are declared as before, but are indexed otherwise. */
export function withEpoch(history: DeclarationHistory): DeclarationHistory {
  return { ...history, epoch: history.epoch + 1 }
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

/** The paths of fields whose values may be others than in an epoch; choices that never were there before change none. */
export function changedSince(history: DeclarationHistory, epoch: number, now: Declarations): string[] {
  return pathsOf(history, now).filter((path) => {
    const entry = entryAt(history, path, epoch)
    const [was, is] = [declarationIn(entry), now.get(path) ?? null]
    if (entry === undefined || was === null || is === null) return entry !== undefined && was !== is
    return !takesAllOf(was, is) || was.audience !== is.audience || hasReturned(history.fields[path] ?? [], is)
  })
}

/** Whether a choice is there again that was gone. */
function hasReturned(entries: readonly Entry[], { choices }: Declaration): boolean {
  if (choices === null) return false
  const [last, now] = [new Set(entries.at(-1)?.choices), new Set(choices)]
  return entries.some(({ choices = [] }) => choices.some((value) => now.has(value) && !last.has(value)))
}

/** The declarations of an epoch; null when its content means the same now. */
export function thenIn(history: DeclarationHistory, epoch: number, now: Declarations): Then | null {
  if (epoch > history.epoch) return { isKnown: false, isOther: true, epoch, declared: () => null, namesIn: () => [] }
  const declared = pathsOf(history, now).flatMap((path) => {
    const [was, is] = [declarationIn(entryAt(history, path, epoch)), now.get(path) ?? null]
    return entryAt(history, path, epoch) === undefined || sameDeclaration(was, is) ? [] : [{ was, is }]
  })
  const isMoved = movesSince(history, epoch).length > 0
  const isOther = isMoved || declared.some(({ was, is }) => was === null || is === null || !takesAllOf(was, is))
  const hasMoreChoices = declared.some(({ was, is }) => was !== null && is !== null && !takesAllOf(is, was))
  if (!isOther && !hasMoreChoices) return null
  const names = namesBySet(Object.keys(history.fields))
  return {
    isKnown: true,
    isOther,
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

/** Declares the new names as the old ones were, up to their own first declaration. */
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

/** Returns the declaration of a field, or the last one before it was removed; null for none. */
export function lastDeclaration(history: DeclarationHistory, path: string): Declaration | null {
  return lastDeclared(history, path, history.epoch)
}

function declarationIn(entry: Entry | undefined): Declaration | null {
  if (entry === undefined || entry.type === null) return null
  const { type, secret = false, audience = null, choices = null } = entry
  return { type, secret, audience, choices }
}

function entryOf(since: number, declared: Declaration | null): Entry {
  if (declared === null) return { since, type: null }
  const { type, secret, audience, choices } = declared
  return { since, type, ...(secret && { secret }), ...(audience !== null && { audience }), ...(choices && { choices }) }
}

function sameDeclaration(one: Declaration | null, other: Declaration | null): boolean {
  if (one === null || other === null) return one === other
  return takesAllOf(one, other) && takesAllOf(other, one) && one.audience === other.audience
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
