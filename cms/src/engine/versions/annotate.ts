import { markRichTextInSteps } from 'quire-diff'
import { isObject, type JsonObject, own } from '../../base/json.ts'
import { pauses } from '../../base/turns.ts'
import type { Ai, Change, Step } from '../../model/changes/content-change.ts'
import type { Site } from '../../model/declared/types.ts'
import { sanitizeAny } from '../../model/values/clean-rich-text.ts'
import { readHtmlInSteps } from '../../model/values/html-text.ts'
import type { AiOf } from './ai-marks.ts'
import { AnswerParts, AreaMarks } from './answer-parts.ts'
import { ComparisonBudget } from './comparisons.ts'

const MARKING = { read: readHtmlInSteps, clean: sanitizeAny }

/** The answers for a document as of two versions. */
interface Sides {
  readonly older: JsonObject
  readonly newer: JsonObject
}

/**
 * Marks a document, in place, with what has changed since an older version (§4.4 annotate): its widgets, the words of
 * its rich text, and the fields outside areas. Where that is too much work in all, the words of some are not marked.
 * For display only.
 */
export async function annotate(
  site: Pick<Site, 'widgets'>,
  sides: Sides,
  changes: readonly Change[],
  aiOf: AiOf,
): Promise<void> {
  const annotation = new Annotation(site, sides)
  const budget = new ComparisonBudget()
  const pause = pauses()
  for (const change of changes) {
    await pause()
    annotation.add(change, aiOf(change))
    const text = annotation.richTextOf(change)
    if (text === null) continue
    const { older, newer, holder, name } = text
    const marked = await budget.spend({ purpose: 'marks', older, newer }, () => {
      return markRichTextInSteps(older, newer, MARKING)
    })
    if (marked !== null) holder[name] = marked
  }
  annotation.putBack()
}

/** A rich text of a widget as of two versions, and its position in the newer one. */
interface RichTextSides {
  readonly holder: JsonObject
  readonly name: string
  readonly older: string
  readonly newer: string
}

class Annotation {
  readonly #widgets: Site['widgets']
  readonly #older: AnswerParts
  readonly #newer: AnswerParts
  readonly #areas = new Map<JsonObject, AreaMarks>()

  constructor({ widgets }: Pick<Site, 'widgets'>, { older, newer }: Sides) {
    this.#widgets = widgets
    this.#older = new AnswerParts(older)
    this.#newer = new AnswerParts(newer)
  }

  add(change: Change, ai: Ai): void {
    const { segments, kind, type } = change
    if (kind === 'widget' && type !== 'modified') this.#addWidget(change, ai)
    else if (kind === 'area') this.#addMoved(change, ai)
    else if (segments.some(isWidget)) this.#markHolder(segments, ai)
    else this.#addField(change)
  }

  richTextOf({ segments, kind, field }: Change): RichTextSides | null {
    if (kind !== 'richText' || field === null || !segments.some(isWidget)) return null
    const { name } = field
    const path = segments.slice(0, -1)
    const [before, holder] = [this.#older.itemAt(path), this.#newer.itemAt(path)]
    return holder ? { holder, name, older: textOf(before, name), newer: textOf(holder, name) } : null
  }

  putBack(): void {
    for (const area of this.#areas.values()) area.putBack()
  }

  #addWidget({ segments, type }: Change, ai: Ai): void {
    if (type === 'added') {
      const widget = this.#newer.itemAt(segments)
      if (widget) mark(widget, '_inserted', ai)
      return
    }
    const path = segments.slice(0, -1)
    const [widget, area] = [this.#older.itemAt(segments), this.#areaAt(path)]
    if (!widget || !area) return
    const isShown = this.#widgets.get(String(widget.type))?.versionsRenderDeleted ?? true
    if (isShown) area.delete(mark(widget, '_deleted', ai))
    else this.#markHolder(path, ai)
  }

  #addMoved({ segments }: Change, ai: Ai): void {
    for (const widget of this.#areaAt(segments)?.moved() ?? []) mark(widget, '_moved', ai)
  }

  #areaAt(path: readonly Step[]): AreaMarks | null {
    const [older, newer] = [this.#older, this.#newer].map((parts) => {
      const { holder, name, isWhole } = parts.locate(path)
      return isWhole ? own(holder, name) : undefined
    })
    if (!isObject(older) || !isObject(newer)) return null
    const area = this.#areas.get(newer) ?? new AreaMarks(older, newer)
    this.#areas.set(newer, area)
    return area
  }

  /** Marks the innermost widget of a path as changed; where there is none, what holds the area. */
  #markHolder(path: readonly Step[], ai: Ai): void {
    const toWidget = path.slice(0, path.findLastIndex(isWidget) + 1)
    if (toWidget.length === 0) {
      mark(this.#newer.locate(path).holder, '_modified', false)
      return
    }
    const [older, widget] = [this.#older.itemAt(toWidget), this.#newer.itemAt(toWidget)]
    if (!widget) return
    mark(widget, '_modified', ai)
    if (older && this.#widgets.get(String(widget.type))?.versionsRender) widget._olderVersion = older
  }

  /** A part of a value, such as an item of an array, has changed. */
  #addField({ segments, type }: Change): void {
    const { holder, name, isWhole } = this.#newer.locate(segments)
    const known = isObject(holder._changes) ? holder._changes : {}
    holder._changes = { ...known, [name]: isWhole ? type : 'modified' }
  }
}

const isWidget = ({ item }: Step) => item?.widgetType !== undefined

type Mark = '_inserted' | '_deleted' | '_modified' | '_moved'

function mark(marked: JsonObject, name: Mark, ai: Ai): JsonObject {
  marked[name] = true
  if (ai !== false && marked._changedWithAi !== 'changed') marked._changedWithAi = ai
  return marked
}

function textOf(holder: JsonObject | undefined, name: string): string {
  const text = holder && own(holder, name)
  return typeof text === 'string' ? text : ''
}
