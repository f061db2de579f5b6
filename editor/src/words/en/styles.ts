/** The styles of a site. */
export const styles = {
  others: 'Other styles',
  page: 'Page',
  title: 'The page with these styles',
  choosePage: 'Show another page',
  waiting: 'The page is being loaded.',
  shown: 'The page shows what is set here, saved or not.',
  mute: 'This page cannot show unsaved styles. It is loaded again after each save.',
  notDrawn: (message: string) => `Not shown: ${message}`,
  noPage: 'The site has no page at this address that could be shown here.',
  reset: 'Reset to default',
  resetOf: (label: string) => `Reset to default: ${label}`,
  wasReset: (label: string) => `${label} has its default again.`,
  parts: (block: string) => `Parts of ${block}`,
  content: 'Content',
}
