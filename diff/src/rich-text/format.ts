import { type Attributes, IN_LINE } from './html.ts'

/** Formatting that does not show in the words of a diff (§2.5), in the order in which its changes are reported. */
export const TRAITS = [
  'link',
  'linkOptions',
  'anchor',
  'color',
  'class',
  'alignment',
  'table',
  'numbering',
  'attributes',
] as const
export type Trait = (typeof TRAITS)[number]

/** The traits of a part of a text; those that it does not have are absent. */
export type Traits = { readonly [Name in Trait]?: string }

/** How a part of a text is formatted. */
export interface Format {
  /** The elements that it stands in, outermost first, joined with `>`: what kind of block it is. */
  readonly blocks: string
  /** Such as `strong`, in alphabetical order. */
  readonly marks: readonly string[]
  readonly traits: Traits
  /** Blocks and marks in one: words that differ in it are different to a reader. */
  readonly key: string
}

/** The format of text outside of every element. */
export const PLAIN: Format = { blocks: '', marks: [], traits: {}, key: '' }

/** Elements that mean the same as others. */
const ALIASES: { readonly [tag: string]: string } = { b: 'strong', i: 'em', del: 's', strike: 's' }
const WITHOUT_MARK = new Set(['a', 'span'])

/** The format of what an element holds. */
export function formatIn(tag: string, attributes: Attributes, outer: Format): Format {
  const traits = traitsIn(tag, attributes, outer.traits)
  if (!IN_LINE.has(tag)) return format(outer.blocks === '' ? tag : `${outer.blocks}>${tag}`, outer.marks, traits)
  if (WITHOUT_MARK.has(tag)) return { ...outer, traits }
  const marks = new Set([...outer.marks, ALIASES[tag] ?? tag])
  return format(outer.blocks, [...marks].toSorted(), traits)
}

function format(blocks: string, marks: readonly string[], traits: Traits): Format {
  return { blocks, marks, traits, key: `${blocks} ${marks.join(' ')}` }
}

const REPLACED: ReadonlySet<Trait> = new Set(['link', 'color', 'alignment'])

/** The traits of what an element holds: an inner link, colour or alignment replaces an outer one, others add up. */
function traitsIn(tag: string, attributes: Attributes, outer: Traits): Traits {
  const own = Object.entries(attributes)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => traitsOf(tag, name, value))
  return own.reduce((traits, [trait, value]) => withTrait(traits, trait, value), outer)
}

/** Traits and one more. */
export function withTrait(traits: Traits, trait: Trait, value: string): Traits {
  const outer = REPLACED.has(trait) ? undefined : traits[trait]
  return { ...traits, [trait]: outer === undefined ? value : `${outer} ${value}` }
}

const OF_CELLS = new Set(['colspan', 'rowspan', 'colwidth', 'scope'])
const OF_ANCHORS = new Set(['id', 'name'])

function traitsOf(tag: string, name: string, value: string): (readonly [Trait, string])[] {
  if (name === 'style') return value.split(';').flatMap(styleTraits)
  if (name === 'class') return [['class', value]]
  if (OF_ANCHORS.has(name)) return [['anchor', value]]
  if (tag === 'a') return [name === 'href' ? ['link', value] : ['linkOptions', described(name, value)]]
  if (OF_CELLS.has(name)) return value === '1' ? [] : [['table', described(name, value)]]
  return [[tag === 'ol' ? 'numbering' : 'attributes', described(name, value)]]
}

function styleTraits(declaration: string): (readonly [Trait, string])[] {
  const [property = '', value = ''] = declaration.split(':').map((part) => part.trim())
  if (property === '') return []
  if (property === 'text-align') return [['alignment', value]]
  return [property === 'color' ? ['color', value] : ['attributes', described(property, value)]]
}

function described(name: string, value: string): string {
  return value === '' ? name : `${name} ${value}`
}
