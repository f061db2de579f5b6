/** Controls of single field types. */
export const controls = {
  slugFree: 'Free.',
  slugTaken: (suggestion: string) => `Taken. ${suggestion} would be used.`,
  slugStored: (slug: string) => `It would be ${slug}.`,
  slugCarried: (count: number) =>
    count === 1
      ? 'The address of 1 page below changes with it; the old one leads to the new one.'
      : `The addresses of ${count} pages below change with it; the old ones lead to the new ones.`,
  slugFollows: 'Its address is made of this. It follows the title until it is published or somebody changes it.',
  slugFromTitle: 'Make it from the title',
  noTitle: 'There is no title yet.',
  top: 'Top',
  right: 'Right',
  bottom: 'Bottom',
  left: 'Left',
  allEqual: 'All equal',
  asNumber: (label: string) => `${label}, as a number`,
  notSet: 'Not set',
  embedLooking: 'Looking…',
  embedFound: (title: string, provider: string) => (title === '' ? provider : `${title} (${provider})`),
}
