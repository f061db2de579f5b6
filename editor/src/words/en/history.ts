type Kind = 'leaf' | 'richText' | 'relationship' | 'object' | 'arrayItem' | 'widget' | 'area' | 'array'
type Type = 'added' | 'modified' | 'deleted'

const block: Readonly<Record<Type, string>> = {
  added: 'This was added.',
  modified: 'This was changed.',
  deleted: 'This was removed.',
}
const value: Readonly<Record<Type, string>> = {
  added: 'This was filled in.',
  modified: 'This was changed.',
  deleted: 'This was emptied.',
}
const format: Readonly<Record<Type, string>> = { added: 'was added', modified: 'was changed', deleted: 'was removed' }

/** Changes, wherever they are listed. */
export const changes = {
  sentence(kind: Kind, type: Type): string {
    if (kind === 'area' || kind === 'array') return 'The order was changed.'
    return kind === 'widget' || kind === 'arrayItem' ? block[type] : value[type]
  },
  /** `Link was added: “oak galls”, Trees.` */
  format: (label: string, type: Type, text: string, from: string, to: string) =>
    `${label} ${format[type]}${text === '' ? '' : `: “${text}”`}${between(from, to)}.`,
  ai: 'Written with AI',
  assisted: 'AI, then edited by a person',
  insertion: 'added:',
  deletion: 'removed:',
  before: 'Before',
  after: 'After',
  moved: (title: string) => `${title}: moved`,
  pictureAdded: (title: string) => `${title}: added`,
  pictureRemoved: (title: string) => `${title}: removed`,
  none: 'There are no changes.',
  neverPublished: 'It was never published: all of it is new.',
  putBack: 'Put back',
  isBack: (label: string) => `${label} is back as it was.`,
  wasSo: (label: string) => `${label} is so already.`,
  noPlace: 'It has no place in this document any more.',
  notAccepted: 'The site does not take this value any more.',
  mayNot: 'You may not change this.',
}

function between(from: string, to: string): string {
  if (from === '' && to === '') return ''
  if (from === '' || to === '') return `, ${from}${to}`
  return `, ${from} → ${to}`
}

/** Marks at fields that differ from what is published. */
export const marks = {
  changed: 'Changed',
  published: 'What was published',
  undoHere: 'Undo here',
}

/** The history of a document, and the list of recent changes. */
export const history = {
  title: 'History',
  hide: 'Hide the history',
  list: 'Versions',
  nothing: 'No versions yet.',
  nothingMatches: 'No version matches.',
  more: 'Show older versions',
  only: 'Show',
  all: 'All versions',
  published: 'Published',
  named: 'With a name',
  withAi: 'Written with AI',
  people: 'By',
  everybody: 'Everybody',
  service: 'The service',
  now: 'Now',
  changes: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
  wasPublished: 'Published',
  wasRestored: 'Restored',
  wasProposed: (by: string) => `Accepted from ${by}`,
  run: (count: number) => `${count} saves in turns with AI`,
  compareWith: 'Compare with',
  versionBefore: 'The version before',
  nothingBefore: 'There is nothing to compare it with.',
  versionOf: (time: string, by: string) => (by === '' ? time : `${time}, ${by}`),
  whole: 'Show whole document',
  wholeTitle: (time: string) => `The document, ${time}`,
  wholeEmpty: 'It was empty.',
  restore: 'Restore this version…',
  restoreTitle: 'Restore this version',
  restoreNow: 'Restore',
  restoreIsNow: 'The document is as it was in this version.',
  restoreWill: 'This changes in the draft:',
  restoreLive: 'This goes live at once.',
  restored: 'Restored.',
  notRestored: 'Restored, but for what the site does not take any more:',
  unsaved: 'Something is not saved yet. Restore it when that is done.',
  noText: 'Something that cannot be shown',
  name: 'Name this version…',
  nameTitle: 'Name this version',
  nameLabel: 'Name',
  nameHelp: 'A version with a name is kept for good. Leave it empty to take the name away.',
  nameSave: 'Save',
  nameSaved: 'This version has a name.',
  nameGone: 'This version has no name any more.',
  nameUnsaved: 'Something is not saved yet. Name it when that is done.',
  noVersion: 'There is no version to name yet.',
}

/** The list of recent changes. */
export const activity = {
  title: 'Activity',
  person: 'Person',
  type: 'Type',
  allTypes: 'All types',
  aiOnly: 'Written with AI only',
  nothing: 'Nothing has been changed yet.',
  nothingMatches: 'Nothing matches.',
  more: 'Show older changes',
  changesOf: (title: string) => `What changed in “${title}”`,
}
