// Compares texts and rich texts by the words that a reader sees. Pure: no dependency, no input or output.

export { type MarkOptions, markRichText } from './marking/mark-rich-text.ts'
export { compareRichText, isSameRichText, type RichTextChanges } from './rich-text/compare-rich-text.ts'
export type { FormatChange, FormatChangeKind, FormatSide } from './rich-text/format-change.ts'
export { type Attributes, type HtmlHandlers, type HtmlReader, plainText, withoutTags } from './rich-text/html.ts'
export { type DiffPart, diffTexts } from './words/text-diff.ts'
