import type { JsonObject } from '../../base/json.ts'

/** The CSS of the layout widgets of documents, for front ends that draw them by themselves; empty without any. */
export function layoutCss(_documents: readonly JsonObject[]): string {
  return ''
}
