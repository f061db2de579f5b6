/** The first screen. */
export const home = {
  title: 'Home',
  onDevice: 'Not saved yet: on this device only',
  goOn: 'Go on',
  changed: 'Changed lately',
  waiting: 'Waiting to be published',
  waitingForEditor: 'Waiting for an editor',
  nothingYours: 'Nothing of yours yet.',
  nothingWaits: 'Nothing waits.',
  nothingChanged: 'Nothing has been changed yet.',
  create: 'Write something new',
}
