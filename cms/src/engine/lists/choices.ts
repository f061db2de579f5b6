import { compareLabels, foldText, normalized } from '../../base/text.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { targetsOf } from '../../model/values/walk.ts'
import type { RelatedCount, RelatedTarget, ValueCount, WrittenValueCount } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { relatedAccesses } from '../view.ts'
import { visibleRelationship } from './filter-subject.ts'
import { type ListRequest, matching } from './find.ts'
import { isFreeText } from './operators.ts'
import { uploadFilter } from './upload-names.ts'

/** A value to filter by, and how many documents of the list have it. */
export interface ChoiceCount {
  readonly value: string | number | boolean
  /** Absent for a related document of which the caller sees neither title nor slug. */
  readonly label?: string
  /** The type of a related document, of a relationship that leads to several. */
  readonly type?: string
  readonly count: number
}

/** A choice with the document that it stands for, of a filter by a relationship. */
interface UsedChoice extends ChoiceCount {
  readonly docId?: DocId
}

/**
 * The values in use for one filter on all pages of a list, ignoring that filter itself (§4.1). One statement. Null when
 * the name is not a filter that the caller may use.
 */
export async function choicesFor(ctx: Context, list: ListRequest, name: string): Promise<ChoiceCount[] | null> {
  const choices = await usedChoices(ctx, list, name)
  return choices?.map(({ docId: _, ...choice }) => choice) ?? null
}

async function usedChoices(ctx: Context, list: ListRequest, name: string): Promise<UsedChoice[] | null> {
  const source = sourceOf({ ...list, site: ctx.site }, name)
  if (source === null) return null
  const { kind, field } = source
  if (kind === 'value') {
    const { documents } = ctx.store
    const filter = matching(list, name)
    const values = isFreeText(field)
      ? await documents.writtenValues(filter, name)
      : await documents.values(filter, name)
    return inOrder(values.flatMap((value) => valueChoice(field, value) ?? []))
  }
  return kind === 'related' ? relatedChoices(ctx, list, name, field) : extensionChoices(ctx, list, name)
}

/** Where choices come from. */
type ChoiceSource =
  | { readonly kind: 'value' | 'related'; readonly field: Field }
  | { readonly kind: 'extension'; readonly field: null }

/** The documents of a type, as the caller sees them. */
type Listed = Pick<ListRequest, 'type' | 'access'> & Pick<Context, 'site'>

const COLUMNS: readonly string[] = ['title', 'slug', 'visibility', 'archived']

/** Null when the name is not a filter that has choices for the caller. */
function sourceOf({ site, type, access }: Listed, name: string): ChoiceSource | null {
  const field = access.field(name)
  if (field?.type.index && !COLUMNS.includes(name)) return { kind: 'value', field }
  // Of uploads, for callers who see their files.
  if (uploadFilter(site, type, name) === 'extension') {
    return access.field('attachment') === null ? null : { kind: 'extension', field: null }
  }
  const relationship = visibleRelationship(access, name) ?? visibleRelationship(access, `_${name}`)
  return relationship && { kind: 'related', field: relationship }
}

/** Whether `choicesFor` has choices for a name. */
export function hasChoices(list: Listed, name: string): boolean {
  return sourceOf(list, name) !== null
}

/** The names that have choices for the caller. */
export function choiceNames(list: Listed): string[] {
  return [...list.access.fields.map(({ name }) => name), 'extension'].filter((name) => hasChoices(list, name))
}

/** The extensions of uploads. */
async function extensionChoices(ctx: Context, list: ListRequest, name: string): Promise<UsedChoice[]> {
  const found = await ctx.store.documents.extensions(matching(list, name), 'attachment')
  return found.map(({ text, count }) => ({ value: text ?? '', label: text ?? '', count }))
}

/** The most values of a filter that an index page offers. */
const MOST_OFFERED = 500

/**
 * The values of a filter in use on a whole list, whatever else it is filtered by: each has one spelling, that of its
 * links (§4.6). One statement, cached until the content changes.
 */
export function choicesInUse(ctx: Context, list: ListRequest, filter: string): Promise<readonly UsedChoice[]> {
  const key = `values ${list.type.name} ${filter} ${ctx.locale} ${ctx.mode} ${audienceOf(ctx.actor)}`
  return ctx.caches.parts.fill(key, async () => (await usedChoices(ctx, { ...list, filters: new Map() }, filter)) ?? [])
}

/** The value in use that is meant by a text: case and Unicode forms make no difference. */
export function choiceOf<Choice extends Pick<ChoiceCount, 'value'>>(
  choices: readonly Choice[],
  text: string,
): Choice | undefined {
  const key = foldText(text)
  return choices.find((choice) => keyOf(choice) === key)
}

/** A choice of an index page (§4.2b). */
export interface OfferedChoice extends UsedChoice {
  /** The list is filtered by it. */
  readonly isActive: boolean
  /** How many documents of the whole list have it. */
  readonly countAlone: number
}

/**
 * The values that an index page offers for a filter: those of the whole list that other filters leave, each in one
 * spelling, and those that are `requested`, with how many documents would be left. `inUse` is how many static builds
 * list (§4.6). At most two statements.
 */
export async function offeredChoices(
  ctx: Context,
  list: ListRequest,
  { name, requested }: { readonly name: string; readonly requested: readonly string[] },
): Promise<{ readonly choices: readonly OfferedChoice[]; readonly inUse: number }> {
  const whole = await choicesInUse(ctx, list, name)
  const isNarrowed = [...list.filters.keys()].some((filter) => filter !== name)
  const left = isNarrowed ? countsOf((await choicesFor(ctx, list, name)) ?? []) : null
  const active = new Set(requested.map(foldText))
  const isAsked = (choice: ChoiceCount) => active.size > 0 && active.has(keyOf(choice))
  const choices = whole
    .filter((choice, at) => at < MOST_OFFERED || isAsked(choice))
    .map((choice) => {
      const count = left === null ? choice.count : (left.get(keyOf(choice)) ?? 0)
      return { ...choice, count, countAlone: choice.count, isActive: isAsked(choice) }
    })
  return {
    choices: choices.filter(({ count, isActive }) => count > 0 || isActive),
    inUse: Math.min(whole.length, MOST_OFFERED),
  }
}

function countsOf(choices: readonly ChoiceCount[]): Map<string, number> {
  return new Map(choices.map((choice) => [keyOf(choice), choice.count]))
}

function keyOf({ value }: Pick<ChoiceCount, 'value'>): string {
  return foldText(String(value))
}

async function relatedChoices(ctx: Context, list: ListRequest, name: string, field: Field): Promise<UsedChoice[]> {
  const related = relatedAccesses(ctx, field, list.view)
  if (related.length === 0) return []
  const shown = new Map(related.map((one) => [one.view.type, one.shown]))
  const sees = (one: string, type: string) => shown.get(type)?.field(one) != null
  const byOf = (type: string) => (name.startsWith('_') || !sees('slug', type) ? 'id' : 'slug')
  const targets = related.map(({ view }): RelatedTarget => ({ view, by: byOf(view.type) }))
  const found = await ctx.store.documents.related(matching(list, name), field.name, targets)
  const isOfSeveral = targetsOf(field).length > 1
  const asChoice = ({ docId, type, title, slug, count }: RelatedCount): UsedChoice => ({
    value: byOf(type) === 'id' ? docId : slug,
    docId,
    ...(sees('title', type) ? { label: title } : sees('slug', type) ? { label: slug } : {}),
    ...(isOfSeveral && { type }),
    count,
  })
  return inOrder(found.map(asChoice))
}

/** Returns the choice of a stored value; null when the field no longer has it: a filter cannot ask for it. */
function valueChoice(field: Field, found: ValueCount | WrittenValueCount): ChoiceCount | null {
  const { number, count } = found
  const text = textOf(found)
  const choices = field.type.choices?.(field.options)
  if (choices) {
    const choice = choices.find(({ value }) => foldText(String(value)) === text)
    return choice && choice.value !== null ? { value: choice.value, label: choice.label, count } : null
  }
  const value = valueFound(field, number, text)
  return { value, label: field.type.toText(value, field.options), count }
}

/**
 * The value as it was written in one of the documents, in the form of Unicode that paths have: filters ignore case, so
 * one spelling stands for all. Where the index holds something other than the folded text, that is the value.
 */
function textOf(found: ValueCount | WrittenValueCount): string | null {
  const written = 'written' in found ? found.written : null
  return written !== null && foldText(written) === found.text ? normalized(written, 'NFC') : found.text
}

/** Dates and times are indexed as numbers too, but are known by their text. */
function valueFound(field: Field, number: number | null, text: string | null): string | number | boolean {
  if (field.type.scalar?.(field.options) === 'boolean') return number === 1
  return isFreeText(field) ? (text ?? '') : (number ?? text ?? '')
}

/** Numbers in ascending order, everything else by the label shown: a hidden title must not affect the order. */
function inOrder<Choice extends ChoiceCount>(choices: readonly Choice[]): Choice[] {
  return choices.toSorted((left, right) =>
    typeof left.value === 'number' && typeof right.value === 'number'
      ? left.value - right.value
      : compareLabels(left.label ?? String(left.value), right.label ?? String(right.value)),
  )
}
