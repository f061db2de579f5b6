/** Relationships. */
export const related = {
  addTo: (label: string) => `Add to ${label}`,
  browse: 'Browse',
  choose: (label: string) => `Choose ${label}`,
  chosen: (count: number) => (count === 0 ? 'Nothing chosen' : `${count} chosen`),
  done: 'Done',
  create: (label: string) => `New ${label}`,
  createAny: 'New',
  createNow: 'Create',
  title: 'Title',
  titleMissing: 'Give it a title.',
  nothing: 'Nothing chosen yet.',
  movedTo: (title: string, place: number, count: number) => `${title} is number ${place} of ${count} now.`,
  removed: (title: string) => `${title} was removed.`,
  added: (title: string) => `${title} was added.`,
  amount: (min: number | undefined, max: number | undefined) => {
    if (min === undefined) return max === undefined ? '' : `At most ${max}.`
    return max === undefined ? `At least ${min}.` : min === max ? `Exactly ${min}.` : `From ${min} to ${max}.`
  },
  full: (max: number) => `There is no room for more than ${max}. Remove one first.`,
  draft: 'not published',
  archived: 'archived',
  missing: 'not there in this language',
  untitled: 'No title',
  hidden: 'Your role does not see documents of this kind.',
  reverseEmpty: 'None refers to this.',
  alternative: 'Alternative text',
  alternativeHelp: 'What the picture shows, for those who do not see it.',
  alternativeMissing: 'The alternative text is missing.',
}
