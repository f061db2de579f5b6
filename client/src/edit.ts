/** Where an item goes; at the end when left out. */
export type Place =
  | { readonly before: string }
  | { readonly after: string }
  /** From 0. */
  | { readonly at: number }

/** The operand of `$push`. */
export interface Pushed<Item> {
  readonly $each: readonly Item[]
  readonly $position?: number
  readonly $before?: string
  readonly $after?: string
}

/** An operator of PATCH on one list. */
export type Operation<Operator extends string, Path extends string, Operand> = {
  readonly [Name in Operator]: { readonly [Key in Path]: Operand }
}

/** Adds an item to a list, or a widget to an area: `push('body.items', { type: 'quote', … }, { after: block })`. */
export function push<const Path extends string, const Item>(
  list: Path,
  item: Item,
  place?: Place,
): Operation<'$push', Path, Pushed<Item>> {
  return operation('$push', list, { $each: [item], ...neighbour(place), ...index(place) })
}

/** Adds a value to a list, unless it is there. */
export function add<const Path extends string, const Item>(
  list: Path,
  item: Item,
): Operation<'$addToSet', Path, { readonly $each: readonly Item[] }> {
  return operation('$addToSet', list, { $each: [item] })
}

/** Removes items by their ids: `pull('_topics', topic)`. */
export function pull<const Path extends string>(
  list: Path,
  ...ids: readonly string[]
): Operation<'$pullAllById', Path, readonly string[]> {
  return operation('$pullAllById', list, ids)
}

/** Puts an item next to another one of its list: `move('_topics', topic, { before: other })`. */
export function move<
  const Path extends string,
  const To extends { readonly before: string } | { readonly after: string },
>(
  list: Path,
  item: string,
  to: To,
): Operation<'$move', Path, { readonly $item: string } & ({ readonly $before: string } | { readonly $after: string })> {
  const anchor = 'before' in to ? { $before: to.before } : { $after: to.after }
  return operation('$move', list, { $item: item, ...anchor })
}

/** The array item or widget of an `_id`, at any depth: `at(block).set('words', '…')`. */
export function at<const Id extends string>(id: Id) {
  return {
    /** Changes a field of it. */
    set: <const Path extends string, const Value>(field: Path, value: Value) =>
      named(`@${id}.${field}` as const, value),
    /** Adds an item to a list in it. */
    push: <const Path extends string, const Item>(list: Path, item: Item, place?: Place) =>
      push(`@${id}.${list}` as const, item, place),
    /** Removes items of a list in it. */
    pull: <const Path extends string>(list: Path, ...ids: readonly string[]) => pull(`@${id}.${list}` as const, ...ids),
    /** Moves an item of a list in it. */
    move: <const Path extends string>(
      list: Path,
      item: string,
      to: { readonly before: string } | { readonly after: string },
    ) => move(`@${id}.${list}` as const, item, to),
  }
}

/** Changes a field, or a part of one: `set('links.0.label', 'Home')`. */
export function set<const Path extends string, const Value>(
  path: Path,
  value: Value,
): { readonly [Key in Path]: Value } {
  return named(path, value)
}

function named<Path extends string, Value>(path: Path, value: Value) {
  // `as`: of one name, which the compiler widens.
  return { [path]: value } as { readonly [Key in Path]: Value }
}

function operation<Operator extends string, Path extends string, Operand>(
  operator: Operator,
  path: Path,
  operand: Operand,
) {
  return named(operator, named(path, operand))
}

function neighbour(place: Place | undefined) {
  if (place && 'before' in place) return { $before: place.before }
  return place && 'after' in place ? { $after: place.after } : {}
}

function index(place: Place | undefined) {
  return place && 'at' in place ? { $position: place.at } : {}
}
