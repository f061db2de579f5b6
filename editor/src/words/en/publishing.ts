/** Publishing. */
export const publishing = {
  title: 'Publishing',
  publish: 'Publish',
  seeChanges: 'See changes',
  more: 'More actions',
  changes: 'Changes',
  changeCount: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
  nothingToPublish: 'Nothing to publish.',
  archivedFirst: 'Restore it first.',
  notMade: 'Write something first.',
  noChanges: 'There are no changes.',
  undecided: 'Decide first what both changed.',
  published: (title: string) => `“${title}” is published.`,
  unpublish: 'Unpublish',
  unpublished: (title: string) => `“${title}” is no longer public.`,
  notPublished: 'It is not published.',
  archive: 'Archive',
  archivedNow: (title: string) => `“${title}” is in the archive.`,
  restore: 'Restore',
  restored: (title: string) => `“${title}” was restored.`,
  revert: 'Throw changes away',
  reverted: (title: string) => `The draft of “${title}” is as it was published.`,
  undoPublish: 'Undo last publication',
  undone: (title: string) => `The last publication of “${title}” was undone.`,
  view: 'Open on the site',
  byAi: 'Publish what AI has written?',
  untouched: (count: number) =>
    count === 1
      ? '1 change was written by AI and not touched since.'
      : `${count} changes were written by AI and not touched since.`,
  untouchedDocuments: (count: number) =>
    count === 1
      ? '1 of these documents was written by AI, and nobody has touched it since.'
      : `${count} of these documents were written by AI, and nobody has touched them since.`,
  readThem: 'Read them',
  problems: (count: number) =>
    count === 1 ? '1 problem keeps it from being published.' : `${count} problems keep it from being published.`,
  along: 'Publish these, too?',
  alongHelp: 'It refers to documents that are not published; visitors do not see them.',
  ancestors: (titles: string) => `${titles} must be published first.`,
  incomplete: (titles: readonly string[]) =>
    `Nothing was published, because these are not complete yet: ${titles.map((title) => `“${title}”`).join(', ')}.`,
  withThem: 'Publish',
  withAncestors: 'Publish all of them',
  editorsPublish: 'Editors publish. Your draft is saved for them.',
}
