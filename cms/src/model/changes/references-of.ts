import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../field-type/field-type.ts'
import { linkedIds } from '../values/rich-text-links.ts'
import { storedValue, walk } from '../values/walk.ts'
import type { Change, ItemStep, Step } from './content-change.ts'

/** Ids of the documents and attachments that rows name. */
export interface References {
  readonly documents: ReadonlySet<string>
  readonly attachments: ReadonlySet<string>
}

/** The documents and files that the rows of these changes name (§2.5). */
export function referencesOf(changes: readonly Change[]): References {
  const found: CollectedReferences = { documents: new Set(), attachments: new Set(), items: new Set() }
  for (const change of changes) {
    for (const step of change.segments) addStep(step, found)
    if (change.order) for (const step of [...change.order.old, ...change.order.new]) addStep(step, found)
    else addValues(change, found)
  }
  return found
}

interface CollectedReferences {
  readonly documents: Set<string>
  readonly attachments: Set<string>
  /** Items whose titles were collected already: many changes may lie in one. */
  readonly items: Set<ItemStep>
}

function addStep(step: Step, found: CollectedReferences): void {
  if (step.isDocument) found.documents.add(step.name)
  if (step.item === undefined || found.items.has(step.item)) return
  found.items.add(step.item)
  addIn(step.item.titleFields, step.item.holder, found)
}

function addValues(
  { kind, field, older, newer, old, new: now, oldText, newText }: Change,
  found: CollectedReferences,
): void {
  if (field === null) return
  if (kind === 'richText') {
    for (const value of [old, now]) addLinked(typeof value === 'string' ? value : '', found)
    return
  }
  const fields = kind === 'object' ? (field.type.innerFields?.(field.options).list ?? []) : [field]
  // Where a text is given, the value need not be one of this field.
  if (older !== null && oldText === undefined) addIn(fields, older, found)
  if (newer !== null && newText === undefined) addIn(fields, newer, found)
}

function addLinked(html: string, { documents }: CollectedReferences): void {
  const { permalinkIds, imageIds } = linkedIds(html)
  for (const id of [...permalinkIds, ...imageIds]) documents.add(id)
}

function addIn(fields: readonly Field[], holder: JsonObject, { documents, attachments }: CollectedReferences): void {
  for (const { field, values } of walk({ list: fields }, holder)) {
    const value = field.type.references ? storedValue(field, values) : null
    if (value === null) continue
    for (const { kind, id } of field.type.references?.(value, field.options) ?? []) {
      if (kind === 'document') documents.add(id)
      else attachments.add(id)
    }
  }
}
