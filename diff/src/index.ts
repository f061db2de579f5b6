// Compares texts and rich texts by the words that a reader sees. Pure: no dependency, no input or output.

export { type MarkOptions, markRichText, markRichTextInSteps } from './marking/mark-rich-text.ts'
export {
  compareFormatsInSteps,
  compareRichText,
  compareRichTextInSteps,
  isSameRichText,
  isSameRichTextInSteps,
  type RichTextChanges,
} from './rich-text/compare-rich-text.ts'
export type { FormatChange, FormatChangeKind, FormatSide } from './rich-text/format-change.ts'
export {
  type Attributes,
  type HtmlHandlers,
  type HtmlReader,
  plainText,
  plainTextInSteps,
  withoutTags,
} from './rich-text/html.ts'
export { finish, type Steps } from './words/steps.ts'
export { type DiffPart, diffTexts, diffTextsInSteps } from './words/text-diff.ts'
