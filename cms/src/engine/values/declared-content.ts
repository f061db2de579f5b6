import { hash } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import type { Site } from '../../model/declared/types.ts'
import {
  changedSince,
  type DeclarationHistory,
  lastDeclaration,
  movesSince,
  NO_HISTORY,
  thenIn,
  withDeclarations,
  withEpoch,
  withMove,
} from '../../model/history/declaration-history.ts'
import { type Declaration, declarationsOf, indexedPaths, widgetSet } from '../../model/history/declarations.ts'
import { fitToDeclarations, type Then } from '../../model/history/fit-to-declarations.ts'
import type { Move } from '../../model/history/move-steps.ts'
import { follow } from '../../model/history/moves.ts'
import { holdsAsides, markUnknown, restoreUnknown, unknownEpoch } from '../../model/values/aside.ts'
import { targetsOf } from '../../model/values/walk.ts'
import type { Store, StoredForm, StoreWriter, TitleReader } from '../../store/contract/store.ts'
import { markIndexStale } from './index-state.ts'

/** The property of what is stored that names the epoch of its declarations. */
const EPOCH = '_declared'
/**
 * The settings that hold the history, its last epoch alone, and what else decides the index and the words of search, and
 * lock them for a start.
 */
const HISTORY = 'declarations'
const LAST_EPOCH = 'declarations-epoch'
const INDEXED = 'declarations-unique'
const SEARCHED = 'declarations-searched'
const LOCK = 'declarations-lock'

/** Content stored before declarations were recorded is read as declared by the first record. */
const FIRST_EPOCH = 1

/**
 * Reads what is stored as its fields are declared now (§2.14). The database records how they were
 * declared; each document and version says in which epoch it was stored. Nothing is rewritten when a site changes.
 */
export class DeclaredContent implements StoredForm {
  readonly #site: Site
  readonly #now: ReadonlyMap<string, Declaration>
  #history: DeclarationHistory = NO_HISTORY
  #thens = new Map<number, Then | null>()
  /** In which epochs what was read here had been moved since it was stored. */
  readonly #moved = new WeakMap<JsonObject, readonly number[]>()
  /** Values that were read here and stored in an earlier epoch. */
  readonly #former = new WeakSet<JsonObject>()

  constructor(site: Site) {
    this.#site = site
    this.#now = declarationsOf(site)
  }

  read(typeName: string, stored: JsonObject): JsonObject {
    const mark = stored[EPOCH]
    delete stored[EPOCH]
    if (mark === this.#history.epoch) return stored
    const epoch = typeof mark === 'number' ? mark : FIRST_EPOCH
    if (epoch < this.#history.epoch) this.#former.add(stored)
    const kept = unknownEpoch(stored)
    const read = this.#readSince(typeName, stored, epoch)
    // A process of an older site has saved it, which kept what it did not know.
    if (kept !== null && kept <= this.#history.epoch) {
      restoreUnknown(read)
      return this.#readSince(typeName, read, kept)
    }
    if (epoch > this.#history.epoch && holdsAsides(read)) markUnknown(read, epoch)
    return read
  }

  /** Converts values stored in an epoch to the current declarations. */
  #readSince(typeName: string, stored: JsonObject, epoch: number): JsonObject {
    const then = this.#thenIn(epoch)
    if (then === null || (!then.isOther && !holdsAsides(stored))) return stored
    const moves = movesSince(this.#history, epoch)
    const renamed = moves.filter((move) => move.kind === 'type' && move.from === typeName)
    const name = moves.reduce((is, move) => (move.kind === 'type' && move.from === is ? move.to : is), typeName)
    const found = [...renamed, ...follow(moves, name, stored, then)]
    if (found.length > 0)
      this.#moved.set(
        stored,
        found.map(({ since }) => since),
      )
    const type = this.#site.types.get(name)
    if (type !== undefined) fitToDeclarations(type.name, type.fields, stored, then)
    return stored
  }

  /** Whether fields that were read here are stored as they were before the move of an epoch. */
  isMoved(fields: JsonObject, since: number): boolean {
    return this.#moved.get(fields)?.includes(since) ?? false
  }

  isOfFormerSite(fields: JsonObject): boolean {
    return this.#former.has(fields)
  }

  /** The epoch of the last change of declarations, or move. */
  get epoch(): number {
    return this.#history.epoch
  }

  write(fields: JsonObject): JsonObject {
    fields[EPOCH] = this.#history.epoch
    return fields
  }

  titleReaders(typeName: string, locale: string): readonly TitleReader[] {
    const { types, locales } = this.#site
    const leading = [...types.values()].flatMap(({ name: type, fields, searchable }) =>
      searchable.flatMap((name) => {
        const field = fields.byName.get(name)
        return field !== undefined && targetsOf(field).includes(typeName) ? [{ type, name }] : []
      }),
    )
    const all = locale === '' ? [...locales.keys()] : [locale]
    return leading.flatMap((one) => all.map((locale) => ({ ...one, locale })))
  }

  /** Records in the database how fields are declared now. At start, before any document is read. */
  async record(store: Store): Promise<void> {
    await this.preview(store)
    if (await this.isRecorded(store)) return
    const indexed = indexedFields(this.#site)
    const searched = searchedWords(this.#site)
    await store.transaction(async (tx) => {
      // A second process waits here, and then sees what the first one has recorded.
      await tx.settings.set(LOCK, '')
      const before = parse(await tx.read.settings.get(HISTORY))
      const known = await tx.read.settings.get(INDEXED)
      await tx.settings.set(INDEXED, indexed)
      const isSearchedAlike = (await tx.read.settings.get(SEARCHED)) === searched
      await tx.settings.set(SEARCHED, searched)
      // Databases from before this was recorded were indexed by hand, and new ones hold nothing.
      const isOther = known !== null && (known !== indexed || !isSearchedAlike)
      const declared = withDeclarations(before, this.#now)
      await this.#take(declared === before && isOther ? withEpoch(before) : declared)
      await this.#write(tx)
      if (isOther || changedSince(before, before.epoch, this.#now).length > 0) await markIndexStale(tx)
    })
  }

  /** Whether the database has recorded how fields are declared now: at a start, before the index is brought up to date. */
  async isRecorded({ settings }: Pick<Store, 'settings'>): Promise<boolean> {
    const history = await settings.get(HISTORY)
    return history === JSON.stringify(this.#history) && this.#isIndexedAlike({ settings })
  }

  async #isIndexedAlike({ settings }: Pick<Store, 'settings'>): Promise<boolean> {
    const [indexed, searched] = await Promise.all([INDEXED, SEARCHED].map((name) => settings.get(name)))
    return indexed === indexedFields(this.#site) && searched === searchedWords(this.#site)
  }

  /** Reads as if the database had recorded how fields are declared now; writes nothing. */
  async preview(store: Pick<Store, 'settings'>): Promise<void> {
    await this.#take(withDeclarations(parse(await store.settings.get(HISTORY)), this.#now))
  }

  /** The former names of a document type that no other type has now. */
  formerTypes(name: string): readonly string[] {
    return this.#formerNames(name, (from) => !this.#site.types.has(from))
  }

  /** Returns all names that a document type has had, the present one first. */
  typeNames(name: string): readonly string[] {
    return [name, ...this.#formerNames(name, () => true)]
  }

  /** Returns how many times a document type of this name was renamed. */
  timesRenamed(name: string): number {
    return (this.#history.moves ?? []).filter((move) => move.kind === 'type' && move.from === name).length
  }

  #formerNames(name: string, isMeant: (from: string) => boolean): readonly string[] {
    const moves = this.#history.moves ?? []
    const names = new Set([name])
    for (const of of names) {
      for (const move of moves) if (move.kind === 'type' && move.to === of && isMeant(move.from)) names.add(move.from)
    }
    return [...names].slice(1)
  }

  /** Whether a widget type once had this name. */
  isFormerWidget(name: string): boolean {
    return Object.keys(this.#history.fields).some((path) => path.startsWith(`${widgetSet(name)}/`))
  }

  /** The last declaration of a field at a path where the site declares none now. */
  former(path: string): Declaration | null {
    return lastDeclaration(this.#history, path)
  }

  /** Makes this process read values stored before the move as moved. Writes nothing. */
  async previewMove(move: Move): Promise<void> {
    await this.#take(withMove(this.#history, move))
  }

  /** Records a move for all processes, from the commit on; the index must then be rebuilt. */
  async recordMove(tx: StoreWriter, move: Move): Promise<void> {
    await this.#take(withMove(parse(await tx.read.settings.get(HISTORY)), move))
    await this.#write(tx)
    await markIndexStale(tx)
  }

  async #write(tx: StoreWriter): Promise<void> {
    await tx.settings.set(HISTORY, JSON.stringify(this.#history))
    await tx.settings.set(LAST_EPOCH, String(this.#history.epoch))
  }

  /**
   * Whether the index is made for this site: false once another one has recorded its declarations. Takes over moves that
   * another process of the same site has recorded.
   */
  async isCurrent({ settings }: Pick<Store, 'settings'>): Promise<boolean> {
    const last = await settings.get(LAST_EPOCH)
    if (last === null || Number(last) <= this.#history.epoch) return true
    const history = parse(await settings.get(HISTORY))
    if (withDeclarations(history, this.#now) !== history || !(await this.#isIndexedAlike({ settings }))) return false
    await this.#take(history)
    return true
  }

  /** Takes over what another process has recorded meanwhile. */
  async refresh(reader: Pick<Store, 'settings'>): Promise<void> {
    const history = parse(await reader.settings.get(HISTORY))
    if (history.epoch > this.#history.epoch) await this.#take(history)
  }

  async #take(history: DeclarationHistory): Promise<void> {
    this.#history = history
    this.#thens = new Map()
  }

  #thenIn(epoch: number): Then | null {
    let then = this.#thens.get(epoch)
    if (then === undefined) {
      then = thenIn(this.#history, epoch, this.#now)
      this.#thens.set(epoch, then)
    }
    return then
  }
}

/** A digest of all that the index is made from: another one when declarations change, or how documents are indexed. */
export async function indexBasis({ settings }: Pick<Store, 'settings'>): Promise<string> {
  const values = await Promise.all([HISTORY, INDEXED, SEARCHED].map((name) => settings.get(name)))
  return hash('sha256', JSON.stringify(values), 'base64url')
}

/** The fields that decide what the index holds, in addition to how each is declared. */
function indexedFields(site: Site): string {
  return JSON.stringify(indexedPaths(site).toSorted())
}

/** The way in which documents are indexed: raised when that changes, so that every database gets a new index. */
const INDEX_VERSION = 3

/** All that the words depend on by which search finds documents, but the fields and who sees them. */
function searchedWords({ types, locales, defaultLocale }: Site): string {
  const declared = [...types.values()].map(({ name, searchable, searchWeights }) => {
    return [name, searchable, [...searchWeights]]
  })
  return JSON.stringify([
    INDEX_VERSION,
    defaultLocale,
    [...locales.values()].map(({ name, language }) => [name, language]),
    declared,
  ])
}

function parse(text: string | null): DeclarationHistory {
  // `as`: only `record` writes it.
  return text === null ? NO_HISTORY : (JSON.parse(text) as DeclarationHistory)
}
