/** The documents that use one. */
export const uses = {
  where: 'Where it is used',
  whereOf: (title: string) => `Where ${title} is used`,
  unused: 'No document uses it.',
  count: (total: number) => (total === 1 ? '1 document uses it:' : `${total} documents use it:`),
  usedBy: (title: string, total: number) =>
    total === 1 ? `“${title}” is used by 1 document:` : `“${title}” is used by ${total} documents:`,
  more: (count: number) => `and ${count} more`,
  archiveOne: (title: string) => `Archive “${title}”?`,
  archiveMany: (count: number) => (count === 1 ? 'Archive 1 document?' : `Archive ${count} documents?`),
  archiveHelp: 'What is in the archive is not shown where it is used.',
  left: (count: number) =>
    count === 1
      ? 'Of 1 more it was not looked up what uses it.'
      : `Of ${count} more it was not looked up what uses them.`,
  failed: (message: string) => `It could not be found out what uses it: ${message}`,
}
