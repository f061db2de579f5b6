/** How texts call what a value only refers to. */
export interface TextNames {
  documentTitle(docId: string): string
  /** Null for a file that is gone. */
  fileName(attachmentId: string): string | null
}
