import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import type { Declaration } from '../../model/history/declarations.ts'
import type { Move } from '../../model/history/move-steps.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import type { Store, StoreWriter } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'

/** How stored content is read: as its fields are declared, and as it was moved (`DeclaredContent`). */
export interface MovableContent {
  /** The epoch of the last change of declarations, or move. */
  readonly epoch: number
  /** Whether fields that were read are stored as they were before the move of an epoch. */
  isMoved(fields: JsonObject, since: number): boolean
  /** The names that a type of documents has had, of those that no other one has now. */
  formerTypes(name: string): readonly string[]
  /** Returns all names that a type of documents has had, its own first. */
  typeNames(name: string): readonly string[]
  /** Returns how often a type of this name was renamed. */
  timesRenamed(name: string): number
  /** Whether a name was one of a type of widgets. */
  isFormerWidget(name: string): boolean
  /** How fields were last declared of which the site declares none of this path. */
  former(path: string): Declaration | null
  /** Reads what was stored before as moved from now on, in this process. */
  previewMove(move: Move): Promise<void>
  /** Records a move for all processes, from the commit on. */
  recordMove(tx: StoreWriter, move: Move): Promise<void>
  /** Takes over what another process has recorded meanwhile. */
  refresh(reader: Pick<Store, 'settings'>): Promise<void>
}

/** A step of a migration. */
export interface Step {
  /** The call as text: it identifies the step after an interruption. */
  readonly title: string
  /** The types whose documents it may change, as they are called before it. */
  readonly types: readonly string[]
  /** The move, recorded first, so that everything is read as moved from then on. */
  readonly move?: Move
  /** Returns the new values of a copy; null to keep it. */
  change(copy: StepCopy): Promise<StepChange | null>
  /** Does a part of the work that is left once all documents are done; called until it returns false. */
  finish?(ctx: WriteContext): Promise<boolean>
}

/** A copy as a step finds it. */
interface StepCopy {
  /** As the steps before have left it. */
  readonly document: OpenDocument
  /** Whether the move of this step has moved something in it. */
  readonly isMoved: boolean
}

/** The new type and values of a copy. */
export interface StepChange {
  readonly type: Type
  /** Null: its values are those that were read. */
  readonly values: NewValues | null
}

/** New values for a copy of a document, as a body gives them, and the top-level fields that they are of. */
export interface NewValues {
  readonly values: JsonObject
  readonly touched: ReadonlySet<string>
}

/** A set of fields that a migration names: of a type of documents, or of a type of widgets. */
export interface FieldSet {
  readonly family: 'document' | 'widget'
  readonly name: string
  readonly fields: Fields
}
