import type { JsonObject } from '../src/base/json.ts'
import type { Dice } from './dice.ts'

/** Types whose documents random requests are about. */
export const PIECES = [
  ...(['article', 'article', 'article', 'topic', 'product', 'note', 'guesty', 'draftless', 'secret'] as const),
  ...(['@cms/image', '@cms/image', '@cms/image-tag'] as const),
] as const
/** All of one word: what lists are searched for. */
export const WORDS = ['apple', 'boat', 'bread', 'river', 'robin'] as const
export const LOCALES = ['en', 'en', 'en', 'en', 'fr', 'fr', 'es', 'de', 'it'] as const

/** What random requests have made so far, and what they make things of. */
export class World {
  readonly dice: Dice
  readonly #ids = new Map<string, string[]>()
  readonly slugs: string[] = ['/']
  readonly attachments: JsonObject[] = []
  readonly versions: { readonly type: string; readonly docId: string; readonly id: string }[] = []
  /** The user whose role changes, and a key that is revoked. */
  userId = ''

  constructor(dice: Dice) {
    this.dice = dice
  }

  add(type: string, id: string): void {
    this.#ids.set(type, [...this.ids(type), id])
  }

  ids(type: string): readonly string[] {
    return this.#ids.get(type) ?? []
  }

  /** Most often one of the newest, so that several requests meet the same. */
  id(type: string): string {
    const ids = this.ids(type)
    if (ids.length === 0) return 'none'
    return this.dice.pick(this.dice.isBelow(0.7) ? ids.slice(-6) : ids)
  }

  word(): string {
    return this.dice.pick(WORDS)
  }

  refs(type: string, most: number): JsonObject[] {
    return this.dice.some(this.ids(type), most).map((_id) => ({ _id }))
  }

  /** Some fields of a document, or all. */
  fields(type: string, isWhole: boolean): JsonObject {
    const all = this.#fieldsOf(type)
    if (isWhole) return Object.fromEntries(all.map(([name, make]) => [name, make()]))
    const some = this.dice.some(all, 3)
    return Object.fromEntries((some.length === 0 ? all.slice(0, 1) : some).map(([name, make]) => [name, make()]))
  }

  #fieldsOf(type: string): [string, () => JsonObject[string]][] {
    const { dice } = this
    const common: [string, () => JsonObject[string]][] = [
      ['title', () => `${this.word()} ${this.word()}`],
      ['visibility', () => dice.pick(['public', 'public', 'public', 'loginRequired'])],
    ]
    const topics: [string, () => JsonObject[string]] = ['_topics', () => this.refs('topic', 2)]
    const price: [string, () => JsonObject[string]] = ['price', () => dice.below(4)]
    switch (type) {
      case 'article':
        return [
          ...common,
          topics,
          ['level', () => dice.pick(['low', 'high'])],
          ['tags', () => dice.some(['red', 'green', 'blue'], 2)],
          ['featured', () => dice.isBelow(0.5)],
          ['count', () => dice.below(5)],
          ['_image', () => this.#imageWithCrop()],
          ['_related', () => this.refs('article', 2)],
          ['body', () => this.#area()],
        ]
      case 'product':
        return [...common, topics, price, ['sku', () => 'sku'], ['color', () => dice.pick(['red', 'blue'])]]
      case 'default-page':
        return [...common, ['intro', () => this.word()], ['main', () => this.#area()], topics]
      case 'topic':
        return [...common, ['blurb', () => this.word()]]
      case '@cms/image':
        return [
          ...common,
          ['alt', () => this.word()],
          ['_tags', () => this.refs('@cms/image-tag', 2)],
          ['attachment', () => dice.pick(this.attachments)],
        ]
      case '@cms/global':
        return [['footer', () => this.word()]]
      case '@cms/styles':
        return [
          ['bodyColor', () => dice.pick(['#ff0000', '#00ff00', '#0000ff'])],
          ['wide', () => dice.isBelow(0.5)],
          ['headSize', () => 10 + dice.below(9)],
        ]
      case '@cms/user':
        return [
          ['role', () => dice.pick(['guest', 'contributor', 'editor', 'admin'])],
          ['firstName', () => this.word()],
          ['disabled', () => dice.isBelow(0.2)],
        ]
      default:
        return common
    }
  }

  #imageWithCrop(): JsonObject[] {
    const crop = { top: 0, left: this.dice.below(3), width: 20, height: 20 }
    const fields = this.dice.isBelow(0.5) ? { _fields: { ...crop, x: 10, y: 10 } } : {}
    return this.refs('@cms/image', 1).map((image) => ({ ...image, ...fields }))
  }

  #area(): JsonObject {
    const text = { type: '@cms/rich-text', content: `<p>${this.word()}</p>` }
    const image = { type: '@cms/image', _image: this.#imageWithCrop() }
    return { metaType: 'area', items: this.dice.isBelow(0.5) ? [text] : [text, image] }
  }
}
