import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type { FieldInfo, Json, JsonObject } from 'quire-client'

// The open document as the parts of the editor see it. `tree.ts` makes it; controls, blocks and the saver use it.

/** Field names and item ids: `['body', 'w1', 'content']`. */
export type Path = readonly string[]

/** The only way to change a document. Each has an inverse, and is kept as JSON in the journal. */
export type Operation =
  | { readonly kind: 'set'; readonly path: Path; readonly value: Json; readonly before: Json }
  | {
      readonly kind: 'insert'
      readonly path: Path
      readonly id: string
      readonly at: number
      readonly value: JsonObject
    }
  | {
      readonly kind: 'remove'
      readonly path: Path
      readonly id: string
      readonly at: number
      readonly value: JsonObject
    }
  | { readonly kind: 'move'; readonly path: Path; readonly id: string; readonly from: number; readonly to: number }

/** A problem of a value. `name` is one of a closed list: `required`, `min`, `email` …; see `checks.ts`. */
export interface Problem {
  readonly path: Path
  readonly name: string
  /** The values in the message of the problem. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Of problems that the service found: its words. */
  readonly message?: string
}

interface Node {
  readonly path: Path
  /** The field counts: its conditions hold, and those around it. */
  readonly isShown: ReadonlySignal<boolean>
  /** The caller may not change it: locked for the role, read-only, computed, or in something that is. */
  readonly isLocked: boolean
  /** Of what is shown: what the editor finds, and what the service has said. */
  readonly problems: ReadonlySignal<readonly Problem[]>
}

/** A field with one value: also relationships, boxes and attachments. */
export interface Leaf<Value extends Json = Json> extends Node {
  readonly kind: 'leaf'
  readonly field: FieldInfo
  /** Null for none. Of a relationship the related documents, in order. */
  readonly value: ReadonlySignal<Value>
  /** Changes the value, as an operation that can be undone; does nothing where it is locked. */
  set(value: Value): void
}

/** A document, an object, an item of an array, a widget. */
export interface Group extends Node {
  readonly kind: 'group'
  /** Of an object the field, of an item or widget that of its list; null for a document. */
  readonly field: FieldInfo | null
  /** Of an item or widget its id. */
  readonly id: string | null
  /** The type of a widget; null where the site no longer has that type: then it has no children. */
  readonly widgetType: string | null
  readonly children: ReadonlyMap<string, FormNode>
  /** As JSON, with what the editor does not know. */
  readonly value: ReadonlySignal<JsonObject>
}

/** An array or an area. */
export interface Items extends Node {
  readonly kind: 'items'
  readonly field: FieldInfo
  readonly ids: ReadonlySignal<readonly string[]>
  /** The item of `ids` with this id; one that was removed has the value `{}`. */
  item(id: string): Group
  /** Inserts with a new id, or that of the value where it is free; the id. */
  insert(value: JsonObject, at: number): string
  remove(id: string): void
  /** Moves an item to an index of the list without it. */
  move(id: string, to: number): void
  /** A copy, after the item, with new ids all the way down; its id. */
  duplicate(id: string): string
  /** An item, or a widget of a type, as it begins: with the defaults of its fields and an id of its own. */
  blank(widgetType?: string): JsonObject
}

export type FormNode = Leaf | Group | Items

/** A value that both sides changed; it waits until somebody decides. */
export interface Conflict {
  /**
   * `value`: both changed a field. `item`: one side removed an item (or replaced it by one of another type) that the
   * other changed; the path ends in its id. The tree has what was changed, of two changes mine.
   * `order`: both changed the order of a list; mine is taken, and saved.
   */
  readonly kind: 'value' | 'item' | 'order'
  readonly path: Path
  /** Of the field or the widget. */
  readonly label: string
  /** Undefined for an item that is not there; of an order the ids. */
  readonly before: Json | undefined
  readonly mine: Json | undefined
  readonly theirs: Json | undefined
  /** Who saved; empty where that is unknown. */
  readonly by: string
}

/** The open document as the saver sees it. */
export interface Saveable {
  /** Grows with each operation. */
  readonly revision: ReadonlySignal<number>
  /**
   * The smallest body of PATCH that makes the saved copy this one; null where nothing differs. `upTo` says which
   * operations it covers. What waits for a decision is not in it, nor are the fields at the paths of `leftOut`.
   */
  patch(leftOut?: readonly Path[]): { readonly body: JsonObject | null; readonly upTo: number }
  /** Operations after a revision: what the journal keeps. */
  operationsSince(revision: number): readonly Operation[]
  /** All operations that are not stored yet, also those that wait for a decision or were left out. */
  unsaved(): readonly Operation[]
  /**
   * Puts operations of the journal back. Those whose place is gone are returned; a value that somebody else has changed
   * since then is a conflict.
   */
  replay(operations: readonly Operation[]): readonly Operation[]
  /**
   * The answer of a save that covered everything up to `upTo`, but for the fields at `leftOut`, is what is stored now.
   * Changes made after `upTo`, or left out, stay as they are here.
   */
  saved(answer: JsonObject, upTo: number, leftOut?: readonly Path[]): void
  /**
   * Somebody else saved: merges what is stored now; what both sides changed waits in `conflicts`. One of the saves up to
   * the revisions `sent`, in their order, may have been stored, since their answers were lost: what is stored as it was
   * here then is no change of theirs, and what was changed here since stays.
   */
  merge(theirs: JsonObject, by: string, sent?: readonly number[]): void
  readonly conflicts: ReadonlySignal<readonly Conflict[]>
  /** Decides a conflict; what this changes can be undone. */
  resolve(path: Path, side: 'mine' | 'theirs'): void
  /** Problems that the service found; shown at the fields. A problem goes when its field is changed. */
  readonly serviceProblems: Signal<readonly Problem[]>
  /** The path of the field or item that a path of the service leads to or into: `body.w1.content`. */
  pathOf(path: string): Path
}

/** The change that undo or redo would make: the words are made from it. */
export interface UndoLabel {
  readonly kind: Operation['kind']
  readonly path: Path
  /** The label of the field, or of the widget that is inserted, removed or moved. */
  readonly label: string
}

/** A document in the editor. */
export interface OpenDocument extends Saveable {
  readonly root: Group
  /** Changes the document, in one step of undo. False, and nothing changes, where the place of all of it is gone. */
  apply(...operations: readonly Operation[]): boolean
  /** The node at a path; null where there is none. */
  node(path: Path): FormNode | null
  /** All problems of the document, in the order of its fields. */
  readonly problems: ReadonlySignal<readonly Problem[]>
  /** The change that `undo` takes back; null for none. */
  readonly undoLabel: ReadonlySignal<UndoLabel | null>
  readonly redoLabel: ReadonlySignal<UndoLabel | null>
  undo(): void
  redo(): void
}
