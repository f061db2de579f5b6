import type { IndexOptions, Site, Type } from '../../model/types.ts'
import type { Context } from '../context.ts'
import { choicesInUse } from '../lists/choices.ts'
import { matching } from '../lists/find.ts'
import { listRequest } from './index-lists.ts'
import { isFree, type ListedPage } from './listed-pages.ts'

/** A further page of an index page, or one of a filter. */
export interface IndexUrl {
  /** What follows the URL of the index page. */
  readonly suffix: string
  /** What follows its id in `i18nId`. */
  readonly id: string
}

/** A part of an index page's list: all of it, or what a filter leaves. */
interface Part {
  /** Of the filter; null for the whole list. */
  readonly filter: { readonly name: string; readonly value: string } | null
  readonly pages: number
}

/** The lists of an index page type, as its pages offer them: the whole one and one for each value in use. */
export interface IndexParts {
  readonly parts: readonly Part[]
}

/** The longest value that can be asked for (§0.4). */
const LONGEST_VALUE = 1000

/**
 * What all index pages of a type offer to visitors: how many pages, and which values of filters are in use. A statement
 * for the list and one for each filter.
 */
export async function indexParts(ctx: Context, index: IndexOptions, type: Type): Promise<IndexParts> {
  const request = listRequest(ctx, index, type, { filters: {}, number: 1 })
  if (request === null) return { parts: [] }
  const pagesOf = (count: number) => Math.ceil(count / request.perPage)
  const parts: Part[] = [{ filter: null, pages: pagesOf(await ctx.store.documents.count(matching(request))) }]
  for (const { name } of index.filters) {
    for (const choice of await choicesInUse(ctx, request, name)) {
      const value = String(choice.value)
      if (isUsable(value)) parts.push({ filter: { name, value }, pages: pagesOf(choice.count) })
    }
  }
  return { parts }
}

/** Some values cannot be a step of a path. */
function isUsable(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && value.length <= LONGEST_VALUE && value.isWellFormed()
}

/** The URLs of an index page beside its own: its further pages, and those of each filter (§4.6). */
export function* indexUrls(
  { static: isStatic }: Pick<Site, 'static'>,
  { slug }: Pick<ListedPage, 'slug'>,
  { parts }: IndexParts,
  slugs: ReadonlySet<string>,
): Generator<IndexUrl> {
  for (const { filter, pages } of parts) {
    for (let number = filter === null ? 2 : 1; number <= pages; number += 1) {
      const steps = stepsOf(filter, number)
      if (isStatic && !isFree(slugs, slug, steps)) continue
      const suffix = isStatic ? pathSuffix(steps) : querySuffix(filter, number)
      yield { suffix, id: filter === null ? `.${number}` : `.${filter.name}.${filter.value}.${number}` }
    }
  }
}

function stepsOf(filter: Part['filter'], number: number): string[] {
  return [...(filter === null ? [] : [filter.name, filter.value]), ...(number === 1 ? [] : ['page', String(number)])]
}

function pathSuffix(steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('')
}

function querySuffix(filter: Part['filter'], number: number): string {
  const parameters = [
    ...(filter === null ? [] : [`${encodeURIComponent(filter.name)}=${encodeURIComponent(filter.value)}`]),
    ...(number === 1 ? [] : [`page=${number}`]),
  ]
  return `?${parameters.join('&')}`
}
