import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { FieldInfo, JsonObject, Schema } from 'quire-client'
import { Copies } from './copies.ts'
import { shapesOf } from './fields.ts'
import type { Conflict, FormNode, Group, OpenDocument, Operation, Path, Problem, UndoLabel } from './form.ts'
import { holdsId, sameJson } from './json.ts'
import { labelOfOperation, pathOfOperation } from './labels.ts'
import { decisionOf, isOpen } from './merging/conflicts.ts'
import { baseAfterLostAnswers, isStoredIn } from './merging/lost-answer.ts'
import { type MergeInput, merge } from './merging/merge.ts'
import { isLeftOut, type Sent, withheld } from './merging/withheld.ts'
import { groupOf, type Live } from './nodes.ts'
import { OperationLog } from './operation-log.ts'
import { applied, settled } from './operations.ts'
import { toPatch } from './patching/to-patch.ts'
import { isSamePath, isWithin } from './paths.ts'
import { type Holder, Places } from './places.ts'
import { nodeAt, pathIn, problemsOf } from './tree-walk.ts'
import { type History, inverseOf, remembered, type Step } from './undo.ts'

/** The inputs of an open document: the model has no clock, and makes no ids. */
export interface Inputs {
  newId(): string
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Opens a document of a type, as the service has answered it. What the schema does not name stays as it is, and is never
 * sent. Throws a `RangeError` for a type that the schema does not have.
 */
export function openDocument(
  schema: Pick<Schema, 'types' | 'widgets'>,
  typeName: string,
  document: JsonObject,
  given: Inputs,
): OpenDocument {
  return new Tree(schema, typeName, document, given)
}

class Tree implements OpenDocument {
  readonly root: Group
  readonly revision = signal(0)
  readonly conflicts: Signal<readonly Conflict[]> = signal([])
  readonly serviceProblems: Signal<readonly Problem[]> = signal([])
  readonly problems: ReadonlySignal<readonly Problem[]>
  readonly undoLabel: ReadonlySignal<UndoLabel | null>
  readonly redoLabel: ReadonlySignal<UndoLabel | null>
  readonly #fields: readonly FieldInfo[]
  readonly #places: Places
  readonly #schema: Pick<Schema, 'types' | 'widgets'>
  readonly #given: Inputs
  readonly #history: Signal<History> = signal({ past: [], future: [] })
  readonly #sent = new Map<number, Sent>()
  readonly #log = new OperationLog()
  readonly #live: Live<Group, JsonObject>
  #base: JsonObject
  #values: JsonObject

  constructor(schema: Pick<Schema, 'types' | 'widgets'>, typeName: string, document: JsonObject, given: Inputs) {
    const type = Object.hasOwn(schema.types, typeName) ? schema.types[typeName] : undefined
    if (type === undefined) throw new RangeError(`The schema has no type ${typeName}.`)
    const shapes = shapesOf(schema)
    this.#schema = schema
    this.#given = given
    this.#fields = type.fields
    this.#places = new Places(shapes)
    this.#base = document
    this.#values = document
    this.#live = groupOf(
      {
        shapes,
        copies: new Copies(shapes, given.newId),
        serviceProblems: this.serviceProblems,
        apply: (operation) => this.apply(operation),
        isFree: (id) => !holdsId(this.#values, id),
      },
      { path: [], field: null, fields: type.fields, values: document, isShown: signal(true), isLocked: false },
    )
    this.root = this.#live.node
    this.problems = computed(() => [...problemsOf(this.root)])
    this.undoLabel = computed(() => this.#labelOf(this.#history.value.past.at(-1)))
    this.redoLabel = computed(() => this.#labelOf(this.#history.value.future.at(-1)))
  }

  node(path: Path): FormNode | null {
    return nodeAt(this.root, path)
  }

  pathOf(path: string): Path {
    return pathIn(this.root, path)
  }

  apply(...operations: readonly Operation[]): boolean {
    const done = batch(() => operations.flatMap((operation) => this.#do(operation) ?? []))
    this.#remember(done)
    return done.length > 0
  }

  undo(): void {
    const { past, future } = this.#history.peek()
    const step = past.at(-1)
    if (step) this.#history.value = { past: past.slice(0, -1), future: [...future, this.#takeBack(step)] }
  }

  redo(): void {
    const { past, future } = this.#history.peek()
    const step = future.at(-1)
    if (step) this.#history.value = { past: [...past, this.#takeBack(step)], future: future.slice(0, -1) }
  }

  patch(leftOut: readonly Path[] = []) {
    const upTo = this.revision.peek()
    const sent = this.#sentWithout(leftOut, this.#values)
    this.#sent.set(upTo, sent)
    return { body: toPatch(this.#places.shapes, this.#fields, this.#base, sent.values), upTo }
  }

  operationsSince(revision: number): readonly Operation[] {
    return this.#log.since(revision)
  }

  unsaved(): readonly Operation[] {
    return this.#log.since(0)
  }

  replay(operations: readonly Operation[]): readonly Operation[] {
    return batch(() => operations.filter((operation) => !this.#putBack(operation)))
  }

  saved(answer: JsonObject, upTo: number, leftOut: readonly Path[] = []): void {
    const sent = this.#sentUpTo(upTo, leftOut)
    const { merged } = merge({ ...this.#versions(sent.values, answer), isAnswer: true }, '')
    this.#log.forget(({ revision, operation }) => revision <= upTo && !isLeftOut(sent, operation.path))
    this.#sent.clear()
    this.#take(merged, answer, this.conflicts.peek())
  }

  merge(theirs: JsonObject, by: string, sentUpTo: readonly number[] = []): void {
    const saves = sentUpTo.map((upTo) => ({ upTo, sent: this.#sentUpTo(upTo) }))
    const values = { before: this.#base, sent: saves.map(({ sent }) => sent.values), stored: theirs }
    const base = baseAfterLostAnswers(this.#places.shapes, this.#fields, values)
    const { merged, conflicts } = merge(this.#versions(base, theirs), by)
    const older = this.conflicts.peek().filter(({ path }) => !conflicts.some((one) => isSamePath(one.path, path)))
    const isStored = isStoredIn(this.#places, this.#holder(base))
    this.#log.forget((one) => saves.some(({ upTo, sent }) => one.revision <= upTo && isStored(one.operation, sent)))
    this.#sent.clear()
    this.#take(merged, theirs, [...older, ...conflicts])
  }

  resolve(path: Path, side: 'mine' | 'theirs'): void {
    const conflict = this.conflicts.peek().find((one) => isSamePath(one.path, path))
    if (conflict === undefined) return
    batch(() => {
      this.conflicts.value = this.conflicts.peek().filter((one) => one !== conflict)
      const operations = decisionOf(this.#places, conflict, { at: this.#holder(), side })
      this.#remember(operations.flatMap((operation) => this.#do(operation) ?? []))
    })
  }

  #holder(values: JsonObject = this.#values): Holder {
    return { fields: this.#fields, values }
  }

  #versions(base: JsonObject, theirs: JsonObject): MergeInput {
    const [{ shapes }, mine] = [this.#places, this.#values]
    return { shapes, widgets: this.#schema.widgets, fields: this.#fields, base, mine, theirs }
  }

  /** The document as it was after a revision, as far as that is not stored. */
  #valuesAt(revision: number): JsonObject {
    return this.#log.valuesAt(revision) ?? this.#base
  }

  /** A document as it is sent: without what waits for a decision, and what was left out. */
  #sentWithout(leftOut: readonly Path[], document: JsonObject): Sent {
    const waiting = this.conflicts.peek().filter(({ kind }) => kind !== 'order')
    const paths = [...waiting.map(({ path }) => path), ...leftOut]
    const values = withheld(this.#places, this.#holder(this.#base), this.#holder(document), paths)
    return { values, leftOut: paths }
  }

  #sentUpTo(revision: number, leftOut: readonly Path[] = []): Sent {
    return this.#sent.get(revision) ?? this.#sentWithout(leftOut, this.#valuesAt(revision))
  }

  #remember(operations: readonly Operation[]): void {
    if (operations.length > 0) this.#history.value = remembered(this.#history.peek(), operations, this.#given.now())
  }

  /** Does what an operation says, and logs it; null where its place is gone. */
  #do(operation: Operation): Operation | null {
    const at = this.#holder()
    const done = settled(this.#places, at, operation)
    const values = done === null ? null : applied(this.#places, at, done)
    if (done === null || values === null) return null
    batch(() => {
      this.#values = values
      this.#live.take(values)
      this.revision.value += 1
      this.#log.add({ revision: this.revision.peek(), operation: done, values })
      this.#forgetProblems(done)
      this.#closeConflicts(this.conflicts.peek())
    })
    return done
  }

  #forgetProblems(operation: Operation): void {
    const changed = pathOfOperation(operation)
    const isAbout = ({ path }: Problem) => isWithin(path, changed) || isSamePath(path, operation.path)
    this.serviceProblems.value = kept(this.serviceProblems.peek(), (one) => !isAbout(one))
  }

  #closeConflicts(conflicts: readonly Conflict[]): void {
    const now = { mine: this.#holder(), theirs: this.#holder(this.#base) }
    this.conflicts.value = kept(conflicts, (one) => isOpen(this.#places, one, now))
  }

  /** Takes back what of a step still can be; the step that takes this back. */
  #takeBack(step: Step): Step {
    const operations = batch(() => inverseOf(step).flatMap((operation) => this.#do(operation) ?? []))
    return { operations, at: Number.NEGATIVE_INFINITY }
  }

  /** A value that somebody else has changed since an operation of the journal is a conflict. */
  #putBack(operation: Operation, by = ''): boolean {
    const done = this.#do(operation)
    if (done?.kind !== 'set' || operation.kind !== 'set') return done !== null
    const { path, value: mine, before: theirs } = done
    const { before } = operation
    if (!sameJson(theirs, before) && !sameJson(theirs, mine)) {
      const label = labelOfOperation(this.#schema.widgets, this.#places, this.#holder(), done)
      this.#closeConflicts([...this.conflicts.peek(), { kind: 'value', path, label, before, mine, theirs, by }])
    }
    return true
  }

  #take(merged: JsonObject, base: JsonObject, conflicts: readonly Conflict[]): void {
    this.#base = base
    batch(() => {
      this.#values = merged
      this.#live.take(merged)
      this.#closeConflicts(conflicts)
    })
  }

  #labelOf(step: Step | undefined): UndoLabel | null {
    const operation = step?.operations.at(-1)
    if (operation === undefined) return null
    const label = labelOfOperation(this.#schema.widgets, this.#places, this.#holder(), operation)
    return { kind: operation.kind, path: pathOfOperation(operation), label }
  }
}

/** The items that pass; the same list where all do, so that nothing is drawn again. */
function kept<Item>(items: readonly Item[], passes: (item: Item) => boolean): readonly Item[] {
  const left = items.filter(passes)
  return left.length === items.length ? items : left
}
