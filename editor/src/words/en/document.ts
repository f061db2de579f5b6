type Waiting = 'offline' | 'busy' | 'signIn'

const waiting: Readonly<Record<Waiting, string>> = {
  offline: 'Not saved: no connection. What you write is kept on this device.',
  busy: 'Not saved: the service is busy. It is tried again by itself.',
  signIn: 'Not saved: sign in again.',
}

/** What the screen of one document says. */
export const document = {
  newOf: (label: string) => `New ${label}`,
  back: (list: string) => `Back to ${list}`,
  saved: 'Saved',
  savedAt: (time: string) => `Saved ${time}`,
  saving: 'Saving…',
  waiting: (reason: Waiting) => waiting[reason],
  notSaved: (message: string) => `Not saved: ${message}`,
  conflictWaits: 'Not saved in full: somebody else changed the same. Decide below.',
  onDeviceOnly: 'Not saved yet: kept on this device.',
  save: 'Save',
  savesLive: 'Saving goes live at once.',
  undo: 'Undo',
  redo: 'Redo',
  undoOf: (what: string) => (what === '' ? 'Undo' : `Undo: ${what}`),
  redoOf: (what: string) => (what === '' ? 'Redo' : `Redo: ${what}`),
  nothingToUndo: 'Nothing to undo.',
  nothingToRedo: 'Nothing to redo.',
  left: 'There are changes on this device that were not saved:',
  leftOfGone: 'This document was deleted. There are changes on this device that were not saved:',
  makeAnew: 'Make a new document of them',
  putBack: 'Put them back',
  throwAway: 'Throw them away',
  lost: (count: number) =>
    count === 1 ? '1 change had no place any more.' : `${count} changes had no place any more.`,
  problems: 'Problems',
  problemAt: (label: string, problem: string) => (label === '' ? problem : `${label}: ${problem}`),
  noTrouble: 'No problems',
  full: 'This device has no room left: what you write is only kept in this tab.',
  unavailable: 'This browser keeps nothing on this device: what you write is only kept in this tab.',
  conflict: (label: string, by: string) => `${label}: ${by === '' ? 'somebody else' : by} changed this, too.`,
  removedByOther: (label: string, by: string) =>
    `${label}: ${by === '' ? 'somebody else' : by} removed this while you changed it, or changed it while you removed it.`,
  orderByOther: (label: string, by: string) => `${label}: ${by === '' ? 'somebody else' : by} changed the order, too.`,
  conflicts: 'Changed by both',
  mine: 'Mine',
  theirs: 'Theirs',
  useMine: 'Use mine',
  useTheirs: 'Use theirs',
  nothing: 'Nothing',
  notInLocale: (locale: string) => `This is not there in ${locale}`,
  itIsIn: 'It is there in other languages:',
  openIn: (title: string, locale: string) => `${title === '' ? 'Open it' : title} (${locale})`,
}
