/** Files for translators, and what comes back from them. */
export const translation = {
  title: 'Translation',
  export: 'Export for translation…',
  import: 'Import translation…',
  exportTitle: 'Export for translation',
  importTitle: 'Import translation',
  from: 'From',
  to: 'To',
  twoLanguages: 'Choose two languages.',
  which: 'Documents',
  selected: (count: number) => (count === 1 ? '1 selected document' : `${count} selected documents`),
  filtered: (count: number) =>
    count === 1 ? 'The 1 document that is listed' : `The ${count} documents that are listed`,
  all: (plural: string) => `All ${plural}`,
  untranslated: 'Only documents with texts that are not translated, or were changed since',
  tooMany: (most: number) => `At most ${most} documents can be named. Narrow the list, or export all.`,
  download: 'Download',
  downloading: 'The file is being made.',
  downloaded: (name: string) => `${name} was downloaded.`,
  howItWorks: 'The file is XLIFF 2, which translation programs read. Nothing is published.',
  file: 'File from the translator',
  chooseFile: 'Choose a file.',
  check: 'Check',
  checking: 'The file is being checked.',
  importing: 'The file is being imported.',
  importNow: 'Import',
  nothingToImport: 'There is nothing to import.',
  checked: 'Nothing is changed yet.',
  wouldChange: (count: number, to: string) =>
    count === 1 ? `1 draft in ${to} would be made or changed.` : `${count} drafts in ${to} would be made or changed.`,
  hasChanged: (count: number, to: string) =>
    count === 1 ? `1 draft in ${to} was made or changed.` : `${count} drafts in ${to} were made or changed.`,
  untranslatedTexts: (count: number) =>
    count === 1
      ? '1 text has no translation, and stays as it is.'
      : `${count} texts have no translation, and stay as they are.`,
  unchanged: (count: number) =>
    count === 1 ? '1 document of the file changes nothing.' : `${count} documents of the file change nothing.`,
  left: (count: number) =>
    count === 1
      ? '1 document was not looked at. Import it in another file.'
      : `${count} documents were not looked at. Import them in another file.`,
  refused: (count: number) => (count === 1 ? '1 document is not imported' : `${count} documents are not imported`),
  replaced: (count: number) => (count === 1 ? '1 translation is replaced' : `${count} translations are replaced`),
  warned: (count: number) =>
    count === 1 ? '1 document to check before publishing' : `${count} documents to check before publishing`,
  changed: (count: number) => (count === 1 ? '1 draft' : `${count} drafts`),
  texts: (count: number) => (count === 1 ? '1 text' : `${count} texts`),
  isNew: 'new',
  before: 'Now',
  after: 'In the file',
  changedSince: 'changed since the export',
  another: 'Another file',
}
