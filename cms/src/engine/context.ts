import type { Json, JsonObject } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Files } from '../files/files.ts'
import type { Document, DocumentId, Locale, Mode } from '../model/document.ts'
import type { Site, Type } from '../model/types.ts'
import type { Store, StoreWriter } from '../store/store.ts'
import type { Actor } from './permissions.ts'

/** Who asks, for which locale and mode, with what at hand. Always the first argument. */
export interface Context {
  readonly site: Site
  readonly store: Store
  /** Where uploads are kept. */
  readonly files: Files
  readonly actor: Actor
  /** What the request asks for, before an id says otherwise. */
  readonly locale: Locale
  readonly mode: Mode
  /** What the query named itself: it outweighs an id. */
  readonly asked: { readonly locale: Locale | null; readonly mode: Mode | null }
  readonly hooks: HookRunner
  readonly now: () => Date
  readonly log: Log
}

/** A context inside a transaction. Only `write` makes one, so nothing can be saved outside of it. */
export interface WriteContext extends Context {
  readonly tx: StoreWriter
  /** 1 at first; higher when the work is done again because a slug was taken meanwhile: then look before writing. */
  readonly attempt: number
  /** Runs after the transaction is committed; what fails there is logged, and refuses nothing. */
  afterCommit(work: () => Promise<void> | void): void
}

/** What is happening to a document. */
export type Operation = 'insert' | 'update' | 'publish' | 'unpublish' | 'revert' | 'localize' | 'archive' | 'restore'

/** One copy that is about to be saved, or was. */
export interface SaveEvent {
  readonly operation: Operation
  readonly type: Type
  readonly id: DocumentId
  /** The copy as it is stored; null for a new one. */
  readonly before: Document | null
  /** What will be stored. `beforeSave` may change it in place; it is cleaned again afterwards. */
  readonly fields: { [name: string]: Json }
  /** The `_copyingId` of the request (§4.1), for new documents. */
  readonly copyOfId: string | null
}

/** What is removed for good, or was: all copies of one document that go together. */
export interface RemoveEvent {
  readonly type: Type
  readonly removed: readonly Document[]
}

/** What was removed, with its versions. */
export interface RemovedEvent extends RemoveEvent {
  /** Ids of the attachments that the document's versions named; what else names them is for the listener to find out. */
  readonly attachments: readonly string[]
}

/** The whole list of extension points. */
export interface Hooks {
  /** Changes or **refuses** what will be saved. Inside the transaction, which may be tried again. */
  beforeSave(event: SaveEvent, ctx: WriteContext): void | Promise<void>
  /** Reacts to what **was saved**. After the commit; cannot refuse. */
  afterSave(event: Readonly<SaveEvent>, ctx: Context): void | Promise<void>
  /** **Refuses** a permanent removal by throwing. Inside the transaction. */
  beforeRemove(event: RemoveEvent, ctx: WriteContext): void | Promise<void>
  /** Reacts to a removal. After the commit; cannot refuse. */
  afterRemove(event: RemovedEvent, ctx: Context): void | Promise<void>
  /**
   * Adds computed `_` names to a document that **is sent**. Not awaited work: pure, called for each document. Attachments
   * are filled in afterwards: here they have an id, a name and an extension.
   */
  present(document: JsonObject, ctx: Context): void
  /** Prepares what the feature needs when the service **starts**, after migrations. */
  onStart(ctx: Context): void | Promise<void>
  /** Lets go of everything when the service **stops**. */
  onStop(ctx: Context): void | Promise<void>
}

/** Runs all registered hooks of a name, in the order of the features. */
export interface HookRunner {
  /** True when anybody listens: work for a hook nobody has is not done. */
  has(name: keyof Hooks): boolean
  run<Name extends keyof Hooks>(name: Name, ...args: Parameters<Hooks[Name]>): Promise<void>
}
