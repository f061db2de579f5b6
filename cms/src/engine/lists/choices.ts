import { foldText } from '../../base/text.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { targetOf } from '../../model/values/target.ts'
import type { RelatedCount, ValueCount, WrittenValueCount } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { audienceOf, visibleField } from '../permissions.ts'
import { relatedAccess, seesRelatedField } from '../related.ts'
import { visibleRelationship } from './filters.ts'
import { type ListRequest, matching } from './find.ts'

/** A value to filter by, and how many documents of the list have it. */
export interface ChoiceCount {
  readonly value: string | number | boolean
  /** Absent for a related document of which the caller sees neither title nor slug. */
  readonly label?: string
  readonly count: number
}

/**
 * The values in use for one filter on all pages of a list, ignoring that filter itself (§4.1). One statement. Null when
 * the name is not a filter that the caller may use.
 */
export async function choicesFor(ctx: Context, list: ListRequest, name: string): Promise<ChoiceCount[] | null> {
  const field = visibleField(ctx.actor, list.access, list.type, name)
  const isColumn = name === 'title' || name === 'slug' || name === 'visibility' || name === 'archived'
  if (field?.type.index && !isColumn) {
    const { documents } = ctx.store
    const filter = matching(list, name)
    const values = isFreeText(field)
      ? await documents.writtenValues(filter, name)
      : await documents.values(filter, name)
    return inOrder(values.flatMap((value) => valueChoice(field, value) ?? []))
  }
  const relationship = visibleRelationship(ctx, list, name) ?? visibleRelationship(ctx, list, `_${name}`)
  return relationship ? relatedChoices(ctx, list, name, relationship) : null
}

/** The most values of a filter that an index page offers. */
export const MOST_OFFERED = 500

/**
 * The values of a filter in use on a whole list, whatever else it is filtered by: each has one spelling, that of its
 * links (§4.6). One statement, cached until the content changes.
 */
export function choicesInUse(ctx: Context, list: ListRequest, filter: string): Promise<readonly ChoiceCount[]> {
  const key = `values ${list.type.name} ${filter} ${ctx.locale} ${ctx.mode} ${audienceOf(ctx.actor)}`
  return ctx.caches.parts.fill(key, async () => (await choicesFor(ctx, { ...list, filters: new Map() }, filter)) ?? [])
}

/** The value in use that is meant by a text: case and Unicode forms make no difference. */
export function choiceOf<Choice extends Pick<ChoiceCount, 'value'>>(
  choices: readonly Choice[],
  text: string,
): Choice | undefined {
  const key = foldText(text)
  return choices.find(({ value }) => foldText(String(value)) === key)
}

async function relatedChoices(ctx: Context, list: ListRequest, name: string, field: Field): Promise<ChoiceCount[]> {
  const access = relatedAccess(ctx, targetOf(field) ?? '', list.view)
  if (!access) return []
  const found = await ctx.store.documents.related(matching(list, name), field.name, access.view)
  const seesSlug = seesRelatedField(ctx, access, 'slug')
  const isById = name.startsWith('_') || !seesSlug
  const labelOf = ({ title, slug }: RelatedCount) => {
    if (seesRelatedField(ctx, access, 'title')) return { label: title }
    return seesSlug ? { label: slug } : {}
  }
  return inOrder(found.map((one) => ({ value: isById ? one.docId : one.slug, ...labelOf(one), count: one.count })))
}

/** Null for what is stored, but no choice of the field any more: a filter cannot ask for it. */
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
  return written !== null && foldText(written) === found.text ? written.normalize('NFC') : found.text
}

/** Dates and times are indexed as numbers too, but are known by their text. */
function valueFound(field: Field, number: number | null, text: string | null): string | number | boolean {
  if (field.type.scalar?.(field.options) === 'boolean') return number === 1
  return isFreeText(field) ? (text ?? '') : (number ?? text ?? '')
}

function isFreeText({ type, options }: Field): boolean {
  return type.choices === undefined && type.scalar?.(options) === 'text'
}

let collator: Intl.Collator | null = null

/** The order of labels. Made at the first use, so that it does not delay the start. */
function alphabet(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator
}

/** Numbers in ascending order, everything else by the label shown: a hidden title must not affect the order. */
function inOrder(choices: readonly ChoiceCount[]): ChoiceCount[] {
  return choices.toSorted((left, right) =>
    typeof left.value === 'number' && typeof right.value === 'number'
      ? left.value - right.value
      : alphabet().compare(left.label ?? String(left.value), right.label ?? String(right.value)),
  )
}
