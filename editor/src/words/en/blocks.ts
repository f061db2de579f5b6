const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Lists of items and blocks. */
export const blocks = {
  /** An item without a title of its own, and a block: `Quotation 2`. */
  numbered: (label: string, number: number) => `${label} ${number}`,
  add: (label: string) => `Add to ${label}`,
  addBlock: (label: string) => `Add block to ${label}`,
  addBefore: (name: string) => `Add block before ${name}`,
  choose: (label: string) => `Blocks for ${label}`,
  find: 'Find a block',
  noneFound: 'No block of this name.',
  empty: 'Nothing here yet.',
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveOut: 'Move out',
  duplicate: 'Duplicate',
  remove: 'Remove',
  isFirst: 'It is the first.',
  isLast: 'It is the last.',
  atMost: (most: number) => (most === 1 ? 'At most 1 fits here.' : `At most ${most} fit here.`),
  bounds: (least: number | null, most: number | null) => {
    if (least === null) return most === null ? '' : `At most ${most}.`
    return most === null ? `At least ${least}.` : `From ${least} to ${most}.`
  },
  keys: 'Alt with the up or down arrow moves it, Control D duplicates it, Delete removes it.',
  moved: (title: string, place: number, count: number) =>
    `${title}, now ${ordinals[place - 1] ?? `number ${place}`} of ${numbers[count - 1] ?? count}`,
  movedOut: (title: string, label: string) => `${title} was moved to ${label}.`,
  added: (title: string) => `${title} was added.`,
  duplicated: (title: string) => `${title} was duplicated.`,
  removed: (title: string) => `${title} was removed.`,
  undo: 'Undo',
  unknown: 'The site has no block of this kind here. It stays as it is; it can be moved and removed.',
  styles: 'Styles',
  textOf: (block: string, label: string) => `${block}: ${label}`,
  textFailed:
    'The tools for texts could not be loaded. What you type goes to the end of the text, and is kept. Try again, or reload.',
}
