import { boolean, integer, list, object, text } from '../../base/json-schema.ts'

const finding = object(['path', 'message', 'advice'], {
  path: text('The text, by its path; empty for the document.'),
  message: text('What is the case.'),
  advice: text('What to do about it.'),
})

const replaced = object(['path', 'label', 'before', 'after', 'isChanged'], {
  path: text('The text, by its path.'),
  label: text('The label of its field.'),
  before: text('The translation that is there: its first 300 characters.'),
  after: text('The one of the file.'),
  isChanged: boolean('Whether the one that is there is another than was exported.'),
})

const result = object(
  ['type', 'aposDocId', 'title', 'isChanged', 'isNew', 'texts', 'replaced', 'warnings', 'problems'],
  {
    _id: text('The draft in the locale of the translation; left out where the site has no such type.'),
    type: text('The name of its type, as the file has it.'),
    aposDocId: text('The document, as the file has it.'),
    title: text('Its title; empty where there is none that the caller may see.'),
    isChanged: boolean('Whether its draft was made or changed.'),
    isNew: boolean('Whether it was not in the locale before.'),
    texts: integer('How many texts were written.'),
    replaced: list(replaced, 'The translations that were replaced.'),
    warnings: list(finding, 'What to look at before it is published.'),
    problems: list(finding, 'Why it was not written at all.'),
  },
)

/** The answer to an import; of a check, what it would be. */
export const reportSchema = object(
  ['isCheck', 'from', 'to', 'total', 'documents', 'refused', 'texts', 'untranslated', 'replaced', 'left', 'results'],
  {
    isCheck: boolean('Nothing was written: this is what would be.'),
    confirmation: text('Of a check: to be sent with the import, so that what is listed as replaced is replaced.'),
    from: text('The locale of the originals.'),
    to: text('The locale of the translations.'),
    total: integer('How many documents the file has.'),
    documents: integer('How many drafts were made or changed.'),
    refused: integer('How many documents were not written, since something is wrong with them.'),
    texts: integer('How many texts were written.'),
    untranslated: integer('How many texts of the file have no translation: they stay as they are.'),
    replaced: integer('How many translations were replaced.'),
    left: integer(
      'How many documents were not looked at, since the report would be too long: import them in another file.',
    ),
    results: list(result, 'The documents that were changed or refused, and those with something to look at.'),
  },
)
