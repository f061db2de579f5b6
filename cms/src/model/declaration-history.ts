import { type Audience, stricter } from './aside.ts'
import { type Declaration, storesAlike } from './declarations.ts'
import type { Then } from './settle.ts'

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
}

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
  return { epoch, fields: { ...history.fields, ...Object.fromEntries(changed) } }
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
  if (epoch > history.epoch) return { isKnown: false, declared: () => null, namesIn: () => [] }
  const matters = changedSince(history, epoch, now).some((path) => {
    const was = declarationIn(entryAt(history, path, epoch))
    const is = now.get(path)
    return was === null || is === undefined || !storesAlike(was, is)
  })
  if (!matters) return null
  const names = namesBySet(Object.keys(history.fields))
  return {
    isKnown: true,
    declared: (path) => {
      const was = lastDeclared(history, path, epoch)
      const last = lastDeclared(history, path, history.epoch)
      return was && last && { ...was, audience: stricter(was.audience, last.audience) }
    },
    namesIn: (set) => names.get(set) ?? [],
  }
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
