const queries: Readonly<Record<string, string>> = {
  hasAlt: 'Alternative text',
  isUsed: 'Used',
  extension: 'Kind of file',
}

/** A name of a program as words: `minPrice` → `Min price`. */
function inWords(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Lists of documents. */
export const list = {
  search: 'Search',
  pages: 'Pages of the list',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  previous: 'Previous page',
  next: 'Next page',
  firstPage: 'This is the first page.',
  lastPage: 'This is the last page.',
  select: (title: string) => `Select ${title}`,
  selectAll: 'Select all on this page',
  selected: (count: number) => `${count} selected`,
  create: (label: string) => `New ${label}`,
  untitled: 'No title',
  actions: 'Actions',
  title: 'Title',
  state: 'State',
  changed: 'Changed',
  allStates: 'All',
  states: 'States',
  filters: 'Filters',
  any: 'Any',
  query: (name: string) => queries[name] ?? inWords(name),
  from: (label: string) => `${label} from`,
  to: (label: string) => `${label} to`,
  yes: 'Yes',
  no: 'No',
  inZone: (label: string, zone: string) => `${label} (${zone})`,
  scheduled: 'Scheduled',
  toBePublished: 'To be published',
  toBeArchived: 'To be archived',
  language: 'Language',
  missingIn: (label: string) => `Missing in ${label}`,
  outdatedIn: (label: string) => `Behind in ${label}`,
  clearFilters: 'Clear filters',
  empty: (plural: string) => `No ${plural} yet.`,
  writeFirst: (label: string) => `Write the first ${label}`,
  nothing: 'Nothing matches.',
  count: (total: number) => (total === 1 ? '1 document' : `${total} documents`),
  publish: 'Publish',
  archive: 'Archive',
  restore: 'Restore',
  working: (done: number, all: number) => `${done} of ${all} done`,
  done: (count: number) => (count === 1 ? '1 document is done.' : `${count} documents are done.`),
  failed: (count: number) => (count === 1 ? '1 document failed' : `${count} documents failed`),
  tryThese: 'Try these again',
}
