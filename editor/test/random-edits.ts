import type { FieldInfo, Json } from 'quire-client'
import type { FormNode, Items, Leaf, OpenDocument } from '../src/model/form.ts'

/** Numbers that decide what happens, one after the other; after the last one zeros. */
export class Dice {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** A number below `count`. */
  roll(count: number): number {
    const number = this.#numbers[this.#next] ?? 0
    this.#next += 1
    return count < 1 ? 0 : number % count
  }
}

/** Changes something in a document, anywhere. With `marks`, texts are changed to marks that nothing else has. */
export function randomEdit(document: OpenDocument, dice: Dice, marks?: () => string): void {
  const nodes = [...nodesIn(document.root)].filter((node) => !node.isLocked)
  // Fields of the document are many: half of all changes are of lists.
  const lists = nodes.filter(({ kind }) => kind === 'items')
  const chosen = dice.roll(2) === 0 && lists.length > 0 ? lists : nodes
  const node = chosen[dice.roll(chosen.length)]
  const isText = node?.kind === 'leaf' && ['string', 'richText'].includes(node.field.type)
  if (isText && marks) node.set(marks())
  else if (node?.kind === 'leaf') editLeaf(node, dice)
  if (node?.kind === 'items') editItems(node, nodes, dice)
}

/** All leaves and lists. */
export function* nodesIn(node: FormNode): Generator<Leaf | Items> {
  if (node.kind === 'group') for (const child of node.children.values()) yield* nodesIn(child)
  else yield node
  if (node.kind === 'items') for (const id of node.ids.peek()) yield* nodesIn(node.item(id))
}

function editLeaf(leaf: Leaf, dice: Dice): void {
  leaf.set(valueFor(leaf.field, dice))
}

function editItems(items: Items, nodes: readonly (Leaf | Items)[], dice: Dice): void {
  const ids = items.ids.peek()
  const id = ids[dice.roll(ids.length)]
  const what = dice.roll(7)
  if (id === undefined || what < 3)
    items.insert(items.blank(dice.roll(2) === 0 ? first(items) : any(items, dice)), dice.roll(ids.length + 1))
  else if (what === 3) items.remove(id)
  else if (what === 4) items.duplicate(id)
  else if (what === 5) items.move(id, dice.roll(ids.length))
  else moveAway(items, id, { nodes, dice })
}

interface Others {
  readonly nodes: readonly (Leaf | Items)[]
  readonly dice: Dice
}

/** Moves a widget to another area, with its id. */
function moveAway(items: Items, id: string, { nodes, dice }: Others): void {
  const item = items.item(id)
  const value = item.value.peek()
  const areas = nodes.filter((node) => node.kind === 'items' && node.field.type === 'area' && node !== items)
  const target = areas[dice.roll(areas.length)]
  const isInside = target?.path.includes(id) ?? true
  if (items.field.type !== 'area' || target?.kind !== 'items' || isInside || item.widgetType === null) return
  if (!widgetsOf(target).includes(item.widgetType)) return
  items.remove(id)
  target.insert(value, dice.roll(target.ids.peek().length + 1))
}

function any(items: Items, dice: Dice): string | undefined {
  const types = widgetsOf(items)
  return types[dice.roll(types.length)]
}

function first(items: Items): string | undefined {
  return widgetsOf(items)[0]
}

function widgetsOf({ field }: Items): readonly string[] {
  return Object.keys(field.options.widgets ?? {})
}

/** A value that the service takes for a field. */
export function valueFor({ name, type, options, fields = [] }: FieldInfo, dice: Dice): Json {
  const { choices } = options
  const values = Array.isArray(choices) ? choices.map((one) => (isChoice(one) ? one.value : one)) : []
  const number = dice.roll(5)
  switch (type) {
    case 'integer':
    case 'float':
    case 'range':
      return number + (typeof options.min === 'number' ? options.min : 0)
    case 'boolean':
      return number % 2 === 0
    case 'select':
    case 'radio':
      return values[dice.roll(values.length)] ?? null
    case 'checkboxes':
      return values.slice(0, dice.roll(values.length + 1))
    case 'box':
      return { top: number, right: null, bottom: 1, left: null }
    case 'date':
      return `2026-05-0${number + 1}`
    case 'time':
      return `10:0${number}`
    case 'dateAndTime':
      return `2026-05-0${number + 1}T10:00:00.000Z`
    case 'url':
      return `/path-${number}`
    case 'email':
      return `a${number}@example.com`
    case 'color':
      return `#00000${number}`
    case 'slug':
      return `slug-${number}`
    case 'richText':
      return `<p>${number}</p>`
    case 'attachment':
      return number === 0 ? null : { _id: `file${number}`, type: 'attachment', name: 'x', extension: 'pdf', _url: '/x' }
    case 'oembed':
      return number === 0 ? null : { url: `https://example.com/${number}`, title: 't', thumbnail: '' }
    case 'relationship':
      return related(dice, fields)
    case 'password':
      return `secret-secret-${number}`
    default:
      return `${name} ${number}`
  }
}

function related(dice: Dice, fields: readonly FieldInfo[]): Json {
  const ids = ['r1', 'r2', 'r3', 'r4'].filter(() => dice.roll(2) === 0)
  if (dice.roll(2) === 0) ids.reverse()
  return ids.map((id) => {
    const said = fields.map((field) => [field.name, valueFor(field, dice)] as const)
    return { _id: `${id}:en:draft`, aposDocId: id, title: id.toUpperCase(), _fields: Object.fromEntries(said) }
  })
}

function isChoice(one: Json): one is { readonly value: Json } {
  return typeof one === 'object' && one !== null && 'value' in one
}
