import type { Json, JsonObject } from '../base/json.ts'
import type { Document, DocumentId } from '../model/document.ts'
import type { Type } from '../model/types.ts'
import type { Context, WriteContext } from './context.ts'

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

export interface RemoveEvent {
  readonly type: Type
  readonly removed: readonly Document[]
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
  afterRemove(event: RemoveEvent, ctx: Context): void | Promise<void>
  /** Adds computed `_` names to a document that **is sent**. Not awaited work: pure, called for each document. */
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
