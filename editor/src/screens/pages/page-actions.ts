import type { Signal } from '@preact/signals'
import type { Editor } from '../../data/editor.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import type { useArchiving } from '../parts/uses/archiving.tsx'
import type { UseSubject } from '../parts/uses/uses.ts'
import type { Line, Target } from './branches.ts'
import type { PageRow } from './page-row.ts'

/** A dialog about a page. */
export interface Asking {
  readonly kind: 'create' | 'move' | 'remove'
  readonly page: PageRow
}

/** Actions on the pages of a tree. */
export interface PageActions {
  readonly archiving: ReturnType<typeof useArchiving>
  readonly asking: Signal<Asking | null>
  ask(asking: Asking): void
  itemsOf(line: Line): readonly MenuItem[]
  /** By the keyboard; null for a place that is none. */
  moveByKey(page: PageRow, target: Target | null): Promise<void>
  move(page: PageRow, target: Target): Promise<void>
  archive(line: Line): Promise<void>
  duplicate(page: PageRow): Promise<void>
  publish(page: PageRow): Promise<void>
  remove(page: PageRow): Promise<void>
  view(page: PageRow): void
  edit(page: PageRow): void
}

/** The question about the uses of a page. */
export function subjectOf({ place }: Pick<Editor, 'place'>, { aposDocId, title }: PageRow): UseSubject {
  return { path: `${place.namespace}/page`, docId: aposDocId, title }
}
