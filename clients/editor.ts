import { jpeg, upload } from '../cms/test/media.ts'
import type { Answer } from '../cms/test/service.ts'
import { type Caller, callerOf } from '../cms/test/service.ts'

const NAMESPACE = '@apostrophecms'
const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n'

/** An area with these widgets. */
export const area = (...items: object[]) => ({ metaType: 'area', items })
/** A rich text widget. */
export const richText = (content: string) => ({ type: `${NAMESPACE}/rich-text`, content })

/** Writes content as an editor; whatever is refused is thrown. */
export class Editor {
  readonly #address: string
  readonly #caller: Caller

  /** At an address with the prefix of the site. */
  constructor(address: string) {
    this.#address = address
    this.#caller = callerOf(address, 'key-editor', null)
  }

  make(type: string, body: object) {
    return done(this.#caller.post(type, body))
  }

  /** Makes a page below home, unless the fields say otherwise. */
  makePage(type: string, title: string, fields: object = {}) {
    const body = { type, title, _targetId: '_home', _position: 'lastChild', ...fields }
    return this.make(`${NAMESPACE}/page`, body)
  }

  changePage(id: string, body: object, locale = 'en') {
    return done(this.#caller.patch(`${NAMESPACE}/page/${id}`, body, `aposLocale=${locale}`))
  }

  localizePage(id: string, body: object) {
    return this.localize(`${NAMESPACE}/page`, id, body)
  }

  localize(type: string, id: string, body: object) {
    return done(this.#caller.post(`${type}/${id}/localize`, body))
  }

  /** Up to a hundred documents of a type. */
  async list(type: string): Promise<{ readonly _id: string; readonly type: string }[]> {
    return (await done(this.#caller.get(type, 'all=1&flat=1&perPage=100'))).results
  }

  async changeGlobal(body: object) {
    const { results } = await done(this.#caller.get(`${NAMESPACE}/global`))
    return done(this.#caller.patch(`${NAMESPACE}/global/${results[0]._id}`, body))
  }

  /** An uploaded JPEG. */
  async picture(width: number, height: number, name: string) {
    const service = { address: this.#address }
    return (await upload(service, 'editor', await jpeg(width, height), name, NAMESPACE)).body
  }

  async image(title: string, alt = '') {
    const attachment = await this.picture(1200, 800, `${title}.jpg`)
    return this.make(`${NAMESPACE}/image`, { title, alt, attachment })
  }

  async file(title: string, name: string) {
    const attachment = (await upload({ address: this.#address }, 'editor', PDF, name, NAMESPACE)).body
    return this.make(`${NAMESPACE}/file`, { title, attachment })
  }
}

/** The body of an answer that must be a success. */
async function done(answer: Promise<Answer>) {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`Refused: ${JSON.stringify(body)}`)
  return body
}
