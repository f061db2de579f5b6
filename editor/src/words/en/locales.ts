/** The languages of a document. */
export const locales = {
  title: 'Languages',
  notThere: 'not there',
  olderThan: (original: string) => `older than ${original}`,
  showBeside: 'Show side by side',
  localize: 'Localize',
  localizeTitle: (title: string) => `Localize ${title}`,
  to: 'To',
  overwrites: 'This would be overwritten there, saved',
  sameThere: 'What is there is the same.',
  related: 'Related documents that are missing there',
  relatedMedia: 'Pictures and files',
  relatedAll: 'All',
  relatedNone: 'None',
  subtree: 'All pages below it, too, where it is not there yet',
  publishThere: 'Publish it there',
  notShownYet: 'What would be overwritten is not shown yet.',
  changedMeanwhile: 'somebody has changed it meanwhile. See what is there now, and localize again.',
  chooseLocale: 'Choose a language.',
  localized: (label: string, others: number) =>
    others === 0
      ? `${label}: done.`
      : others === 1
        ? `${label}: done, with 1 other.`
        : `${label}: done, with ${others} others.`,
  failed: (label: string, message: string) => `${label}: ${message}`,
  open: (label: string) => `Open ${label}`,
  beside: (label: string) => `Next to the form: ${label}`,
  endBeside: 'End',
  original: (field: string, label: string) => `${field} in ${label}`,
  copyOver: 'Copy over',
  isSame: 'It is the same.',
  changedSince: (count: number, label: string) =>
    count === 1 ? `1 change in ${label} since this was saved.` : `${count} changes in ${label} since this was saved.`,
  nothingChanged: (label: string) => `Nothing was changed in ${label} since this was saved.`,
  markChecked: 'Mark as checked',
  checked: 'Marked as checked.',
  onlyThere: (label: string) => `Only in ${label}:`,
  addHere: 'Add here',
}
